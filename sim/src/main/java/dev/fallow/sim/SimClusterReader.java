package dev.fallow.sim;

import dev.fallow.core.fleet.ClusterReader;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectTree;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * The fleet's objects at the clock's instant, behind the port that the API server stands behind.
 */
public final class SimClusterReader implements ClusterReader {

  private final Supplier<SimulatedFleet> fleet;
  private final InstantSource clock;

  public SimClusterReader(SimulatedFleet fleet, InstantSource clock) {
    this(() -> fleet, clock);
  }

  SimClusterReader(Supplier<SimulatedFleet> fleet, InstantSource clock) {
    this.fleet = fleet;
    this.clock = clock;
  }

  @Override
  public ClusterState read() {
    return ClusterState.of(
        fleet.get().objects(clock.instant()).stream().map(ObjectTree::new).toList());
  }
}
