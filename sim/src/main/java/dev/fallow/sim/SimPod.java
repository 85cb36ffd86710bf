package dev.fallow.sim;

/** A pod as it stands at a moment. */
public record SimPod(SimWorkload workload, Slot slot, PodLife life) {

  public String name() {
    return workload.podName(slot.ordinal(), life);
  }

  public String namespace() {
    return workload.namespace();
  }

  String uid(long seed) {
    return Link.pod(name(), life.identity()).uid(seed, namespace());
  }
}
