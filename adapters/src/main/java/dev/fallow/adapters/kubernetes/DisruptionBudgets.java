package dev.fallow.adapters.kubernetes;

import dev.fallow.core.autoscale.Selector;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.Workload;
import java.util.List;
import java.util.Optional;

/**
 * The PodDisruptionBudgets over a workload's pods. They bound evictions; scaling down is none, so
 * they hold nothing up and are only told of.
 */
final class DisruptionBudgets {

  private static final ResourceKind KIND =
      new ResourceKind("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", true);

  private static final Projection OF_BUDGETS =
      Projection.of("metadata.name", "metadata.namespace", "spec.selector");

  private static final int MOST_NAMED = 3;

  private final Neighbours neighbours;

  DisruptionBudgets(Neighbours neighbours) {
    this.neighbours = neighbours;
  }

  /** What there is to tell of those over a workload. */
  Optional<String> over(Workload workload) {
    List<String> names =
        neighbours.known(KIND, workload.namespace(), OF_BUDGETS).stream()
            .filter(budget -> covers(budget, workload))
            .map(budget -> budget.textOr("", "metadata", "name"))
            .toList();
    return names.isEmpty() ? Optional.empty() : Optional.of(sentence(names));
  }

  /** An empty selector chooses every pod, an absent one none. */
  private static boolean covers(ObjectTree budget, Workload workload) {
    if (!budget.has("spec", "selector")) {
      return false;
    }
    Selector selector = Selector.of(budget.tree("spec", "selector"));
    return workload.pods().stream()
        .filter(GpuPod::live)
        .anyMatch(pod -> selector.matches(pod.labels()));
  }

  private static String sentence(List<String> names) {
    return "PodDisruptionBudget "
        + String.join(", ", names.subList(0, Math.min(MOST_NAMED, names.size())))
        + (names.size() > MOST_NAMED ? " and " + (names.size() - MOST_NAMED) + " more" : "")
        + " bounds evictions, which this is none of";
  }
}
