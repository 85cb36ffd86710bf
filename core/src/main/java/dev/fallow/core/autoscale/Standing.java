package dev.fallow.core.autoscale;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.idle.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Whether a pod's use says something about the load on its workload. */
public enum Standing {
  READY,

  /** It was Ready and is not now; it still works, or ought to. */
  UNREADY,

  /** It has not been Ready since its GPU container started, or its owner says it needs longer. */
  WARMING,

  /** It runs nowhere yet. */
  PENDING,

  /** It has finished, or is on its way out. */
  GONE;

  /**
   * @param owners every object above the pod, the nearest first
   */
  static Standing of(GpuPod pod, List<OwnerObject> owners, Instant at) {
    if (!pod.live()) {
      return GONE;
    }
    if (pod.phase() != GpuPod.Phase.RUNNING || pod.node().isEmpty()) {
      return PENDING;
    }
    if (pod.readySince().isEmpty() && neverReady(pod)) {
      return WARMING;
    }
    boolean longer =
        warmup(pod, owners)
            .flatMap(warmup -> begun(pod).map(start -> start.plus(warmup).isAfter(at)))
            .orElse(false);
    if (longer) {
      return WARMING;
    }
    return pod.readySince().isPresent() ? READY : UNREADY;
  }

  /**
   * The time of its owner's wish, where it can be read: the pod's own, else the nearest owner's.
   */
  static Optional<Duration> warmup(GpuPod pod, List<OwnerObject> owners) {
    String own = pod.annotations().get(Annotations.WARMUP);
    if (own != null) {
      return Durations.parse(own);
    }
    return owners.stream()
        .filter(owner -> owner.annotations().containsKey(Annotations.WARMUP))
        .findFirst()
        .flatMap(
            owner -> Durations.parse(owner.annotations().getOrDefault(Annotations.WARMUP, "")));
  }

  /** Kubernetes calls a pod not Ready from its beginning; one that was Ready falls later. */
  private static boolean neverReady(GpuPod pod) {
    return pod.unreadySince().isEmpty()
        || begun(pod).map(start -> !pod.unreadySince().get().isAfter(start)).orElse(true);
  }

  private static Optional<Instant> begun(GpuPod pod) {
    return pod.started().or(pod::created);
  }
}
