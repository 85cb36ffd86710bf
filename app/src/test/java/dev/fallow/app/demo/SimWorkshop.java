package dev.fallow.app.demo;

import dev.fallow.app.prune.Journal;
import dev.fallow.app.prune.Pruner;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.prune.Actuator;
import dev.fallow.sim.SimCluster;
import dev.fallow.sim.SimulatedFleet;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The simulated cluster with a clock that a test sets, and pruners on it. */
public final class SimWorkshop {

  private final SimCluster cluster;
  private final SimActuator actuator;
  private volatile Instant now;

  public SimWorkshop(long seed) {
    this(SimulatedFleet.demo(seed));
  }

  public SimWorkshop(SimulatedFleet fleet) {
    this.now = fleet.start();
    this.cluster = new SimCluster(fleet, this::now);
    this.actuator = new SimActuator(cluster, this::now);
  }

  public Instant now() {
    return now;
  }

  public void pass(Duration time) {
    now = now.plus(time);
  }

  public Actuator actuator() {
    return actuator;
  }

  /** A new one, as after a restart. */
  public Pruner pruner() {
    return DemoPruner.on(
        cluster,
        actuator,
        Journal.NONE,
        Settings.ofFile(
            Map.of("run-mode", "scale-down", "max-share-per-namespace", "100%"), "a test"),
        this::now);
  }

  public ObjectId id(String workload) {
    return cluster.reader().read().owners().stream()
        .map(OwnerObject::id)
        .filter(one -> one.toString().equals(workload))
        .findFirst()
        .orElseThrow();
  }

  public Optional<String> annotation(String workload, String key) {
    return cluster.fleet().workloads().stream()
        .filter(one -> one.toString().equals(workload))
        .findFirst()
        .map(one -> one.annotations().get(key));
  }
}
