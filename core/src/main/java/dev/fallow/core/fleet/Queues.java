package dev.fallow.core.fleet;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

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

  /** Each kind's own controller, as some name it of themselves: nobody else's word. */
  private static final Set<String> OWN_CONTROLLERS =
      Set.of(
          "kubernetes.io/job-controller",
          "jobset.sigs.k8s.io/jobset-controller",
          "ray.io/kuberay-operator",
          "kubeflow.org/training-operator",
          "kubeflow.org/mpi-operator",
          "trainer.kubeflow.org/trainjob-controller");

  private Queues() {}

  /** {@code Kueue (queue gpu-team)}, if one manages the object. */
  static Optional<String> of(ObjectTree object) {
    Optional<String> manager =
        object.text("spec", "managedBy").or(() -> object.text("spec", "runPolicy", "managedBy"));
    if (manager.filter(name -> !name.isEmpty() && !OWN_CONTROLLERS.contains(name)).isPresent()) {
      return manager;
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
