package dev.fallow.rig;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The custom kinds that GPU workloads come in, as their projects define them: the files are fetched
 * from the projects' Go modules by {@code crds.sh}. Kubeflow's Notebook, whose module could not be
 * had at a version that the checksum database knows, is defined by a short file of our own. No
 * operator runs.
 */
final class CustomKinds {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String OWN = "notebooks.yaml";
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final int CONFLICT = 409;

  private CustomKinds() {}

  /**
   * Creates every definition that is not there yet and waits until objects can be created. Plain
   * requests carry the files: the annotation of {@code kubectl apply} could not hold them.
   */
  static void install(ApiClient api) {
    List<String> names = new ArrayList<>();
    for (String yaml : definitions()) {
      ApiResponse answer = api.send("POST", DEFINITIONS, "application/yaml", yaml);
      if (answer.status() != CONFLICT) {
        answer.orThrow();
      }
      Json body = answer.json();
      Json name = answer.ok() ? body.at("metadata", "name") : body.at("details", "name");
      names.add(name.text());
    }
    for (String name : names) {
      Poll.until(name + " is served", LIMIT, () -> served(api, name));
    }
  }

  /** Established comes before the paths answer, so both are asked for. */
  private static boolean served(ApiClient api, String name) {
    Json definition = api.get(DEFINITIONS + "/" + name).orThrow().json();
    boolean established =
        definition.at("status", "conditions").items().stream()
            .anyMatch(condition ->
                condition.at("type").text().equals("Established")
                    && condition.at("status").text().equals("True"));
    Json spec = definition.at("spec");
    return established
        && spec.at("versions").items().stream()
            .filter(version -> version.at("served").text().equals("true"))
            .allMatch(version ->
                api.get(
                        "/apis/%s/%s/%s"
                            .formatted(
                                spec.at("group").text(),
                                version.at("name").text(),
                                spec.at("names", "plural").text()))
                    .ok());
  }

  private static List<String> definitions() {
    List<String> definitions = new ArrayList<>(List.of(own()));
    String script = RigBinaries.home().resolve("crds.sh").toString();
    Path folder = Path.of(ShortCommand.runShowingProgress(List.of(script)).strip());
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        definitions.add(Files.readString(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return definitions;
  }

  private static String own() {
    try (InputStream stream = CustomKinds.class.getResourceAsStream(OWN)) {
      if (stream == null) {
        throw new RigException("the jar of the rig lacks " + OWN);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
