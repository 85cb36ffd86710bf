package dev.fallow.sim;

import dev.fallow.core.fleet.GpuPod.Phase;

/**
 * A pod's life as it stands at a moment, in whole seconds (the API server's precision) given as
 * epoch milliseconds; {@link #NOT_YET} for what has not come.
 *
 * @param generation which revision of the workload it belongs to
 * @param incarnation how often the workload had been paused and woken before it came
 * @param bound whether it has a node
 * @param started the latest start of its container
 * @param ready since when it serves, which is when its work begins
 * @param ended when its container ended for good
 * @param crashed when its container last ended only to be started again; not yet, while it runs
 */
public record PodLife(
    int generation,
    int incarnation,
    boolean bound,
    long created,
    long started,
    long ready,
    long ended,
    long crashed,
    int restarts) {

  public static final long NOT_YET = Long.MAX_VALUE;

  /** Tells it from the pods before and after it in the same place, which may share its name. */
  int identity() {
    return 1009 * generation + incarnation;
  }

  public Phase phase(long at) {
    if (started > at) {
      return Phase.PENDING;
    }
    return ended <= at ? Phase.SUCCEEDED : Phase.RUNNING;
  }

  public boolean live(long at) {
    return phase(at) != Phase.SUCCEEDED;
  }

  /** Whether the kubelet counts its devices as taken. */
  public boolean holdsDevices(long at) {
    return bound && created < at && at <= ended;
  }

  public boolean canWork(long at) {
    return ready <= at && at <= ended;
  }

  /** From when on its stillness may mean something. */
  public long clockStart(long at) {
    return ready <= at ? Math.max(started, ready) : started;
  }
}
