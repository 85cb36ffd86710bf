package dev.fallow.adapters.casefolder;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's evidence at one moment, kept as files that any tool can read: {@code case.yaml},
 * {@code objects.yaml}, {@code samples.om}.
 *
 * @param at the moment to judge
 * @param settings settings by their long names, as text; absent ones have their defaults
 * @param expectations what the case expects, in the order it says so
 */
public record CaseFolder(
    Path folder,
    Instant at,
    Map<String, String> settings,
    List<Expectation> expectations,
    ClusterState cluster,
    SampleFile samples) {

  static final String CASE = "case.yaml";
  static final String OBJECTS = "objects.yaml";
  static final String SAMPLES = "samples.om";

  /** Besides what is read, what people like to note down. */
  private static final Set<String> KEYS =
      Set.of(
          "at",
          "settings",
          "expect",
          "name",
          "title",
          "description",
          "comment",
          "note",
          "notes",
          "why");

  private static final Set<String> EXPECTED =
      Set.of(
          "workload",
          "verdict",
          "reason",
          "action",
          "sentence",
          "gpus",
          "idleSince",
          "note",
          "comment",
          "why");

  public static CaseFolder read(Path folder) throws UnreadableCase {
    if (!Files.isDirectory(folder)) {
      throw new UnreadableCase(folder + " is not a folder");
    }
    for (String part : List.of(CASE, OBJECTS, SAMPLES)) {
      Path file = folder.resolve(part);
      // Who opens a pipe waits for whoever writes into it.
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw new UnreadableCase(file + " is not a file");
      }
    }
    Path caseFile = folder.resolve(CASE);
    List<ObjectTree> documents = Yaml.documents(caseFile);
    if (documents.size() != 1) {
      throw new UnreadableCase(caseFile + " has to hold exactly one document");
    }
    ObjectTree head = documents.getFirst();
    refuseUnknown(head, KEYS, caseFile);
    Instant at =
        head.instant("at")
            .orElseThrow(() ->
                new UnreadableCase(
                    caseFile + ": at has to be a moment such as 2026-11-02T12:00:00Z"));
    return new CaseFolder(
        folder,
        at,
        settings(head, caseFile),
        expectations(head, caseFile),
        ClusterState.of(objects(folder.resolve(OBJECTS))),
        SampleFile.read(folder.resolve(SAMPLES), at));
  }

  private static Map<String, String> settings(ObjectTree head, Path file) throws UnreadableCase {
    if (!head.has("settings")) {
      return Map.of();
    }
    if (!(head.fields().get("settings") instanceof Map<?, ?> written)) {
      throw new UnreadableCase(file + ": settings has to be a mapping of names to values");
    }
    Map<String, String> settings = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : written.entrySet()) {
      String name = String.valueOf(entry.getKey());
      Object value = entry.getValue();
      if (isScalar(value)) {
        settings.put(name, String.valueOf(value));
      } else if (value instanceof List<?> several
          && several.stream().allMatch(CaseFolder::isScalar)) {
        settings.put(name, String.join(",", several.stream().map(String::valueOf).toList()));
      } else {
        throw new UnreadableCase(file + ": setting " + name + " needs one value");
      }
    }
    return settings;
  }

  /** Lists of lists are refused: small texts can hold very large ones, and endless ones. */
  private static boolean isScalar(@Nullable Object value) {
    return value instanceof String || value instanceof Number || value instanceof Boolean;
  }

  private static List<Expectation> expectations(ObjectTree head, Path file) throws UnreadableCase {
    refuseUnlessMappings(head, "expect", file + ": expect");
    List<Expectation> expectations = new ArrayList<>();
    for (ObjectTree line : head.list("expect")) {
      refuseUnknown(line, EXPECTED, file);
      Optional<String> workload = line.text("workload");
      if (workload.isEmpty()) {
        throw new UnreadableCase(file + ": each line of expect needs a workload");
      }
      expectations.add(
          new Expectation(
              workload.get(),
              line.text("verdict"),
              line.text("reason"),
              line.text("action"),
              others(line)));
    }
    return expectations;
  }

  private static Map<String, String> others(ObjectTree line) {
    Map<String, String> others = new LinkedHashMap<>();
    for (String field : List.of("sentence", "gpus", "idleSince")) {
      line.text(field).ifPresent(text -> others.put(field, text));
    }
    return others;
  }

  private static void refuseUnknown(ObjectTree tree, Set<String> known, Path file)
      throws UnreadableCase {
    for (Object key : tree.fields().keySet()) {
      if (!known.contains(String.valueOf(key))) {
        throw new UnreadableCase(
            file
                + ": \""
                + key
                + "\" is not known here; known are "
                + known.stream().sorted().toList());
      }
    }
  }

  /** What leaves out entries it cannot read would take a case for another than it is. */
  private static void refuseUnlessMappings(ObjectTree tree, String field, String place)
      throws UnreadableCase {
    boolean readable =
        !tree.has(field)
            || (tree.fields().get(field) instanceof List<?> entries
                && entries.stream().allMatch(Map.class::isInstance));
    if (!readable) {
      throw new UnreadableCase(place + " has to be a list of mappings");
    }
  }

  /** Documents one after another, or Lists of them, as kubectl prints either. */
  private static List<ObjectTree> objects(Path file) throws UnreadableCase {
    List<ObjectTree> objects = new ArrayList<>();
    for (ObjectTree document : Yaml.documents(file)) {
      String kind = document.textOr("", "kind");
      if (kind.endsWith("List") && document.fields().containsKey("items")) {
        refuseUnlessMappings(document, "items", file + ": items of a " + kind);
        document.list("items").forEach(item -> objects.add(named(item, document, kind)));
      } else {
        objects.add(document);
      }
    }
    for (ObjectTree object : objects) {
      if (object.text("kind").isEmpty() || object.text("metadata", "name").isEmpty()) {
        throw new UnreadableCase(file + ": each object needs a kind and a metadata.name");
      }
      refuseUnlessMappings(
          object.tree("metadata"),
          "ownerReferences",
          file + ": ownerReferences of " + object.textOr("", "metadata", "name"));
    }
    return objects;
  }

  /** A list of one kind, such as a PodList, leaves its items' kind unsaid. */
  private static ObjectTree named(ObjectTree item, ObjectTree list, String listKind) {
    String kind = listKind.substring(0, listKind.length() - "List".length());
    if (item.has("kind") || kind.isEmpty()) {
      return item;
    }
    Map<String, Object> full = new LinkedHashMap<>(item.fields());
    full.put("kind", kind);
    full.putIfAbsent("apiVersion", list.textOr("", "apiVersion"));
    return new ObjectTree(full);
  }
}
