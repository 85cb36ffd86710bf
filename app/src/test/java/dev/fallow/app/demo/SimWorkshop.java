package dev.fallow.app.demo;

import dev.fallow.app.prune.Journal;
import dev.fallow.app.prune.Pruner;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSource;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.Step;
import dev.fallow.sim.LabelForm;
import dev.fallow.sim.SimCluster;
import dev.fallow.sim.SimulatedFleet;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The simulated cluster with a clock that a test sets, and pruners on it. */
public final class SimWorkshop {

  private final SimCluster cluster;
  private final SimActuator actuator;
  private final Map<String, String> words =
      new HashMap<>(Map.of("run-mode", "scale-down", "max-share-per-namespace", "100%"));
  private volatile Instant now;
  private volatile boolean blind;

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

  public synchronized void pass(Duration time) {
    now = now.plus(time);
  }

  public Actuator actuator() {
    return actuator;
  }

  /** With settings besides or instead. */
  public SimWorkshop with(Map<String, String> settings) {
    words.putAll(settings);
    return this;
  }

  /** From now on no source of samples answers, or one does again. */
  public void metricsAreAway(boolean away) {
    blind = away;
  }

  /** A new one, as after a restart. */
  public Pruner pruner() {
    UsageSource usage = cluster.usage(LabelForm.HONOURED);
    return new Pruner(
        cluster.reader(),
        (at, window) -> blind ? new Usage.Missing("away", true) : usage.read(at, window),
        actuator,
        Journal.NONE,
        Settings.ofFile(words, "a test"),
        this::now,
        Pruner.Leadership.ALONE,
        Step.Observer.NONE);
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
