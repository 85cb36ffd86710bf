package dev.fallow.systemtests;

import dev.fallow.app.output.Fields;
import dev.fallow.rig.ApiClient;
import dev.fallow.rig.ApiResponse;
import dev.fallow.rig.Rig;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts the objects of a case into a real API server and takes them out again. The server gives
 * objects its own UIDs, so references to them are rewritten; those that lead nowhere stay as they
 * are. What the server demands beyond what a case says is filled in.
 */
final class CaseLoader {

  private final Rig rig;
  private final ApiClient api;
  private final Map<String, String> uids = new HashMap<>();
  private final List<String> created = new ArrayList<>();

  CaseLoader(Rig rig) {
    this.rig = rig;
    this.api = rig.admin();
  }

  void load(List<Map<String, Object>> objects) {
    Set<String> namespaces = new LinkedHashSet<>();
    objects.forEach(object -> namespaces.add(text(object, "metadata", "namespace")));
    for (String namespace : namespaces) {
      boolean described =
          objects.stream().anyMatch(o -> kind(o).equals("Namespace") && name(o).equals(namespace));
      if (!namespace.isEmpty() && !described) {
        Map<String, Object> bare = new LinkedHashMap<>();
        bare.put("apiVersion", "v1");
        bare.put("kind", "Namespace");
        bare.put("metadata", new LinkedHashMap<>(Map.of("name", namespace)));
        ensureNamespace(bare);
      }
    }
    objects.stream().filter(o -> kind(o).equals("Namespace")).forEach(this::ensureNamespace);
    List<Map<String, Object>> waiting = new ArrayList<>(objects);
    waiting.removeIf(object -> kind(object).equals("Namespace"));
    Set<String> here = new LinkedHashSet<>();
    waiting.forEach(object -> here.add(text(object, "metadata", "uid")));
    while (!waiting.isEmpty()) {
      Map<String, Object> next =
          waiting.stream()
              .filter(o ->
                  references(o).stream()
                      .allMatch(uid -> !here.contains(uid) || uids.containsKey(uid)))
              .findFirst()
              .orElseGet(waiting::getFirst);
      waiting.remove(next);
      create(
          next, references(next).stream().anyMatch(u -> here.contains(u) && !uids.containsKey(u)));
    }
    objects.stream().filter(o -> o.containsKey("fallow-test/cycle")).forEach(this::closeCycle);
  }

  void unload() {
    for (String path : created.reversed()) {
      api.send(
          "DELETE",
          path + "?gracePeriodSeconds=0&propagationPolicy=Background",
          "application/json",
          "");
    }
    created.clear();
    uids.clear();
  }

  private void ensureNamespace(Map<String, Object> namespace) {
    Map<String, Object> copy = deepCopy(namespace);
    meta(copy).remove("uid");
    ApiResponse reply = api.post("/api/v1/namespaces", Fields.json(copy));
    if (reply.status() == 409) {
      api.patch(
              "/api/v1/namespaces/" + name(copy),
              Fields.json(Map.of("metadata", Map.of("annotations", annotationsOrNull(copy)))))
          .orThrow();
    } else {
      reply.orThrow();
    }
  }

  void forgetNamespaceAnnotations(List<Map<String, Object>> objects) {
    for (Map<String, Object> object : objects) {
      if (kind(object).equals("Namespace")) {
        api.patch("/api/v1/namespaces/" + name(object), "{\"metadata\":{\"annotations\":null}}")
            .orThrow();
      }
    }
  }

  private static Map<String, Object> annotationsOrNull(Map<String, Object> object) {
    Object annotations = meta(object).get("annotations");
    return annotations instanceof Map<?, ?> ? cast(annotations) : Map.of();
  }

  private void create(Map<String, Object> object, boolean inCycle) {
    Map<String, Object> copy = Completed.of(deepCopy(object));
    String oldUid = text(copy, "metadata", "uid");
    meta(copy).remove("uid");
    Object creation = meta(copy).remove("creationTimestamp");
    boolean terminating = meta(copy).remove("deletionTimestamp") != null;
    Object generation = meta(copy).remove("generation");
    Object status = copy.remove("status");
    if (inCycle) {
      meta(copy).remove("ownerReferences");
    } else {
      remap(copy);
    }
    String collection = collection(copy);
    String path = collection + "/" + name(copy);
    ApiResponse reply = api.post(collection, Fields.json(copy)).orThrow();
    created.add(path);
    uids.put(oldUid, reply.json().at("metadata", "uid").text());
    if (inCycle) {
      object.put("fallow-test/cycle", true);
    }
    if (status instanceof Map<?, ?> map && !map.isEmpty()) {
      patchStatus(path, cast(map), generation);
    }
    if (creation != null) {
      rig.age(path, Instant.parse(creation.toString()));
    }
    if (terminating) {
      api.send("DELETE", path + "?gracePeriodSeconds=3600", "application/json", "").orThrow();
    }
  }

  private void patchStatus(String path, Map<String, Object> status, Object generation) {
    Map<String, Object> wanted = new LinkedHashMap<>(status);
    if (generation != null && wanted.containsKey("observedGeneration")) {
      // The server counts generations itself: one change of the specification makes it two.
      api.patch(path, "{\"spec\":{\"revisionHistoryLimit\":3}}").orThrow();
      boolean seen = wanted.get("observedGeneration").equals(generation);
      wanted.put("observedGeneration", seen ? 2 : 1);
    }
    api.patch(path + "/status", Fields.json(Map.of("status", wanted))).orThrow();
  }

  private void closeCycle(Map<String, Object> object) {
    object.remove("fallow-test/cycle");
    Map<String, Object> copy = deepCopy(object);
    remap(copy);
    api.patch(
            collection(copy) + "/" + name(copy),
            Fields.json(
                Map.of("metadata", Map.of("ownerReferences", meta(copy).get("ownerReferences")))))
        .orThrow();
  }

  private void remap(Map<String, Object> object) {
    for (Map<String, Object> reference : namings(object)) {
      reference.computeIfPresent("uid", (key, uid) -> uids.getOrDefault(uid, uid.toString()));
    }
  }

  private static List<String> references(Map<String, Object> object) {
    return namings(object).stream().map(fields -> String.valueOf(fields.get("uid"))).toList();
  }

  /** Where an object names another by its UID: its owners, and whose state it keeps. */
  private static List<Map<String, Object>> namings(Map<String, Object> object) {
    List<Map<String, Object>> namings = new ArrayList<>();
    if (meta(object).get("ownerReferences") instanceof List<?> references) {
      references.forEach(reference -> namings.add(cast(reference)));
    }
    if (object.get("spec") instanceof Map<?, ?> spec
        && spec.get("workload") instanceof Map<?, ?> of) {
      namings.add(cast(of));
    }
    return namings;
  }

  private static String collection(Map<String, Object> object) {
    String apiVersion = text(object, "apiVersion");
    String namespace = text(object, "metadata", "namespace");
    String root = apiVersion.contains("/") ? "/apis/" + apiVersion : "/api/" + apiVersion;
    return root
        + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
        + "/"
        + TestKinds.plural(kind(object));
  }

  private static String kind(Map<String, Object> object) {
    return text(object, "kind");
  }

  private static String name(Map<String, Object> object) {
    return text(object, "metadata", "name");
  }

  private static Map<String, Object> meta(Map<String, Object> object) {
    return cast(object.get("metadata"));
  }

  private static String text(Map<String, Object> object, String... path) {
    Object here = object;
    for (String step : path) {
      here = here instanceof Map<?, ?> map ? map.get(step) : null;
    }
    return here == null ? "" : here.toString();
  }

  static Map<String, Object> deepCopy(Map<String, Object> object) {
    return cast(copyOf(object));
  }

  private static Object copyOf(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, inner) -> copy.put(key.toString(), copyOf(inner)));
        yield copy;
      }
      case List<?> list -> {
        List<Object> copy = new ArrayList<>();
        list.forEach(inner -> copy.add(copyOf(inner)));
        yield copy;
      }
      case Instant moment -> moment.toString();
      default -> value;
    };
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> cast(Object map) {
    return (Map<String, Object>) map;
  }
}
