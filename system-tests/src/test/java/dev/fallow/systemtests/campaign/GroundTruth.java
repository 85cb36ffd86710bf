package dev.fallow.systemtests.campaign;

import java.util.List;
import java.util.Optional;

/** What is true of the workloads, whatever metrics or the product say of them. */
public record GroundTruth(List<TrueWorkload> workloads) {
  /**
   * One workload.
   *
   * @param object its root owner
   * @param title as people write it, such as {@code Deployment/ml/trainer}
   * @param switches the objects by which it can be paused: itself, or the autoscaler in front of it
   * @param pods all it has had
   * @param exempt when nobody may pause it, whatever its annotations say
   * @param pausable whether its kind may be paused at all under the settings of the run
   */
  public record TrueWorkload(
      ObjectRef object,
      String title,
      List<ObjectRef> switches,
      List<TruePod> pods,
      List<Span> exempt,
      boolean pausable) {}

  /** A pod from the start of its containers to its end. */
  public record TruePod(String name, Span life, List<TrueGpu> gpus) {}

  /** A GPU held by a pod, and when it truly worked. */
  public record TrueGpu(String id, List<Span> active) {}

  /** The workload that this object pauses. */
  public Optional<TrueWorkload> behind(ObjectRef object) {
    return workloads.stream()
        .filter(
            workload -> workload.object().equals(object) || workload.switches().contains(object))
        .findFirst();
  }
}
