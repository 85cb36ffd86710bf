package dev.fallow.sim;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A workload of the simulated cluster: who owns its pods, what they hold, what they really do.
 *
 * @param gpus devices that each of its pods asks for
 * @param resource the extended resource it asks for them by
 * @param idleWindow a longer window that it asks for in its annotations
 * @param annotations on its root object, that window aside
 */
public record SimWorkload(
    OwnerKind kind,
    String namespace,
    String name,
    int gpus,
    String resource,
    List<Slot> slots,
    Activity activity,
    Life life,
    Optional<Duration> idleWindow,
    Map<String, String> annotations) {

  public SimWorkload {
    slots = List.copyOf(slots);
    annotations = Map.copyOf(annotations);
  }

  /** What one of its GPUs, counted over its pods, does at a moment. */
  Work work(int gpu, long millis) {
    Optional<PodLife> pod = life.at(millis);
    return pod.isPresent() && pod.get().canWork(millis) ? activity.at(gpu, millis) : Work.NOTHING;
  }

  /** The same workload after somebody has changed how it lives and what is written on it. */
  SimWorkload changed(Life newLife, Map<String, String> newAnnotations) {
    return new SimWorkload(
        kind,
        namespace,
        name,
        gpus,
        resource,
        slots,
        activity,
        newLife,
        idleWindow,
        newAnnotations);
  }

  /** {@code Deployment/ml/trainer}: its root as people and files name it. */
  @Override
  public String toString() {
    return kind.written() + "/" + namespace + "/" + name;
  }

  String podName(int ordinal, PodLife pod) {
    return kind.podName(name, ordinal, pod);
  }
}
