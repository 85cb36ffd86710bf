package dev.fallow.core.fleet;

import java.util.Map;
import java.util.Optional;

/** Queues that start and suspend jobs themselves: what they manage is theirs to suspend. */
final class Queues {

  private static final Map<String, String> MARKS =
      Map.of(
          "kueue.x-k8s.io/queue-name", "Kueue",
          "kueue.x-k8s.io/managed", "Kueue",
          "kueue.x-k8s.io/prebuilt-workload-name", "Kueue",
          "scheduling.volcano.sh/queue-name", "Volcano",
          "yunikorn.apache.org/queue", "YuniKorn",
          "kai.scheduler/queue", "KAI",
          "runai/queue", "Run:ai");

  private Queues() {}

  /** {@code Kueue (queue gpu-team)}, if one manages the object. */
  static Optional<String> of(ObjectTree object) {
    String manager = object.textOr("", "spec", "managedBy");
    if (!manager.isEmpty() && !manager.equals("kubernetes.io/job-controller")) {
      return Optional.of(manager);
    }
    return named(object.texts("metadata", "labels"))
        .or(() -> named(object.texts("metadata", "annotations")));
  }

  private static Optional<String> named(Map<String, String> marks) {
    return MARKS.entrySet().stream()
        .filter(mark -> !marks.getOrDefault(mark.getKey(), "").isEmpty())
        .map(mark -> mark.getValue() + " (queue " + marks.get(mark.getKey()) + ")")
        .sorted()
        .findFirst();
  }
}
