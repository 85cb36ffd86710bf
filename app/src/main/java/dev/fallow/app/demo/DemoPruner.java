package dev.fallow.app.demo;

import dev.fallow.app.prune.Journal;
import dev.fallow.app.prune.Pruner;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.Step;
import dev.fallow.sim.LabelForm;
import dev.fallow.sim.SimCluster;
import java.time.InstantSource;

/** The pruner on the simulated cluster. */
final class DemoPruner {

  private DemoPruner() {}

  static Pruner on(
      SimCluster cluster,
      Actuator actuator,
      Journal journal,
      Settings settings,
      InstantSource clock) {
    return new Pruner(
        cluster.reader(),
        cluster.usage(LabelForm.HONOURED),
        actuator,
        journal,
        settings,
        clock,
        Pruner.Leadership.ALONE,
        Step.Observer.NONE);
  }
}
