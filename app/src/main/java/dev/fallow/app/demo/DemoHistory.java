package dev.fallow.app.demo;

import dev.fallow.app.prune.ActionId;
import dev.fallow.app.prune.Books;
import dev.fallow.app.prune.Deed;
import dev.fallow.app.prune.GpuHours;
import dev.fallow.app.prune.Pruner;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.Step;
import dev.fallow.sim.SimCluster;
import dev.fallow.sim.SimulatedFleet;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * The week before the demonstration: the same fleet, pruned every hour, with people who bring back
 * what they need. It fills the ledger and leaves no other trace.
 */
final class DemoHistory {

  private static final Duration STEP = Duration.ofHours(1);

  private final SimulatedFleet fleet;
  private final Settings settings;
  private final Ledger ledger;
  private Instant now;

  private record Sleeper(Deed pause, Instant until) {}

  DemoHistory(SimulatedFleet fleet, Settings settings, Ledger ledger) {
    this.fleet = fleet;
    this.settings = settings;
    this.ledger = ledger;
    this.now = fleet.start();
  }

  /** Writes the week down, unless it is told to stop. */
  void write(BooleanSupplier stopped) {
    InstantSource clock = () -> now;
    SimCluster cluster = new SimCluster(fleet, clock);
    SimActuator actuator = new SimActuator(cluster, clock);
    Books books = new Books(Optional.of(ledger), Books.Events.NONE, Step.Observer.NONE);
    GpuHours hours = new GpuHours(ledger, STEP);
    Pruner pruner = DemoPruner.on(cluster, actuator, books, settings, clock);
    SplittableRandom dice = new SplittableRandom(fleet.seed());
    List<Sleeper> asleep = new ArrayList<>();
    Instant end = fleet.start();
    for (now = end.minus(Duration.ofDays(7)); !now.isAfter(end); now = now.plus(STEP)) {
      if (stopped.getAsBoolean()) {
        return;
      }
      wake(asleep, actuator, books);
      Pruner.Report report = pruner.cycle();
      hours.count(report.inspection());
      report.deeds().stream()
          .filter(deed -> deed.verb() == Deed.Verb.PAUSE && deed.done())
          .forEach(deed -> asleep.add(new Sleeper(deed, now.plus(nap(dice)))));
    }
  }

  /** Most sleep through the night; some are missed at once. */
  private static Duration nap(SplittableRandom dice) {
    return Duration.ofMinutes(dice.nextInt(8) == 0 ? 30 : 240 + dice.nextInt(1200));
  }

  private void wake(List<Sleeper> asleep, SimActuator actuator, Books books) {
    for (Sleeper sleeper : List.copyOf(asleep)) {
      if (sleeper.until().isBefore(now)) {
        asleep.remove(sleeper);
        Outcome outcome = actuator.resume(sleeper.pause().workload());
        String team = sleeper.pause().workload().namespace() + " team";
        books.record(
            new Deed(
                Deed.Verb.RESUME,
                ActionId.of(sleeper.pause().workload().uid(), now),
                now,
                sleeper.pause().workload(),
                sleeper.pause().gpus(),
                sleeper.pause().dollarsPerHour(),
                "resumed by " + team,
                team,
                outcome));
      }
    }
  }
}
