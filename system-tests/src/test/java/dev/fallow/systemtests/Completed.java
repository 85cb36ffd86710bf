package dev.fallow.systemtests;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fills in what the API server demands of an object and a case leaves unsaid. */
final class Completed {

  private static final Map<String, Object> TEMPLATE =
      Map.of(
          "metadata", Map.of("labels", Map.of("app", "case")),
          "spec", Map.of("containers", List.of(Map.of("name", "main", "image", "none"))));

  private Completed() {}

  static Map<String, Object> of(Map<String, Object> object) {
    Map<String, Object> spec = new LinkedHashMap<>();
    if (object.get("spec") instanceof Map<?, ?> given) {
      spec.putAll(CaseLoader.cast(given));
    }
    boolean builtIn = String.valueOf(object.get("apiVersion")).matches("v1|apps/v1|batch/v1");
    if (!builtIn) {
      return object;
    }
    switch (String.valueOf(object.get("kind"))) {
      case "Deployment", "ReplicaSet", "StatefulSet" -> {
        spec.put("selector", Map.of("matchLabels", Map.of("app", "case")));
        spec.put("template", TEMPLATE);
      }
      case "DaemonSet" -> {
        spec.clear();
        spec.put("selector", Map.of("matchLabels", Map.of("app", "case")));
        spec.put("template", TEMPLATE);
      }
      case "Job" -> {
        spec.clear();
        spec.put("template", restarting());
      }
      case "CronJob" -> {
        spec.clear();
        spec.put("schedule", "0 0 1 1 *");
        spec.put("jobTemplate", Map.of("spec", Map.of("template", restarting())));
      }
      case "Pod" -> pod(spec);
      default -> {
        // Nodes need nothing more.
      }
    }
    if (!spec.isEmpty()) {
      object.put("spec", spec);
    }
    return object;
  }

  private static Map<String, Object> restarting() {
    Map<String, Object> template = CaseLoader.deepCopy(TEMPLATE);
    CaseLoader.cast(template.get("spec")).put("restartPolicy", "Never");
    return template;
  }

  private static void pod(Map<String, Object> spec) {
    List<?> containers = spec.get("containers") instanceof List<?> given ? given : List.of();
    spec.put(
        "containers",
        containers.isEmpty()
            ? withImages(List.of(Map.of("name", "main")))
            : withImages(containers));
    if (spec.get("initContainers") instanceof List<?> given) {
      spec.put("initContainers", withImages(given));
    }
    spec.put("terminationGracePeriodSeconds", 3600);
  }

  private static List<Map<String, Object>> withImages(List<?> containers) {
    return containers.stream()
        .map(container -> {
          Map<String, Object> full = new LinkedHashMap<>(CaseLoader.cast(container));
          full.put("image", "none");
          return full;
        })
        .toList();
  }
}
