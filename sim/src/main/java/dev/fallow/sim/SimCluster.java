package dev.fallow.sim;

import dev.fallow.core.fleet.ClusterReader;
import dev.fallow.core.idle.UsageSource;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A fleet that can be acted on: what is done to it is kept in a list, and the fleet is what follows
 * from that list. Safe for several threads.
 */
public final class SimCluster {

  private final SimulatedFleet untouched;
  private final InstantSource clock;
  private final List<Deed> deeds = new ArrayList<>();
  private volatile SimulatedFleet fleet;

  public SimCluster(SimulatedFleet fleet, InstantSource clock) {
    this.untouched = fleet;
    this.fleet = fleet;
    this.clock = clock;
  }

  /** The fleet as it is after all that was done so far. */
  public SimulatedFleet fleet() {
    return fleet;
  }

  public ClusterReader reader() {
    return new SimClusterReader(this::fleet, clock);
  }

  public UsageSource usage(LabelForm form) {
    return (at, window) -> new SimUsageSource(fleet, form).read(at, window);
  }

  /**
   * @param workload its root as it is written: {@code Deployment/ml/trainer}
   */
  public void pause(String workload) {
    take(new Deed.Pause(clock.instant(), workload));
  }

  public void resume(String workload) {
    take(new Deed.Resume(clock.instant(), workload));
  }

  public void annotate(String workload, Map<String, String> set, Set<String> removed) {
    take(new Deed.Annotate(clock.instant(), workload, set, removed));
  }

  private synchronized void take(Deed deed) {
    if (untouched.workloads().stream().noneMatch(one -> one.toString().equals(deed.workload()))) {
      throw new IllegalArgumentException("there is no " + deed.workload());
    }
    deeds.add(deed);
    fleet = untouched.after(deeds);
  }
}
