package dev.fallow.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.prune.Journal;
import dev.fallow.app.prune.Pruner;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSeries;
import dev.fallow.core.idle.UsageSource;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.Step;
import dev.fallow.sim.LabelForm;
import dev.fallow.sim.SimCluster;
import dev.fallow.sim.SimulatedFleet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Metrics that show nothing but zeros, for longer than samples are read back. */
class LastingFaultTest {

  private final SimulatedFleet fleet = SimulatedFleet.demo(7);
  private final Instant fault = fleet.start();
  private Instant end = Instant.MAX;
  private Instant now = fault;
  private final SimCluster cluster = new SimCluster(fleet, () -> now);

  private Pruner restarted() {
    return new Pruner(
        cluster.reader(),
        zeros(cluster.usage(LabelForm.HONOURED)),
        new SimActuator(cluster, () -> now),
        Journal.NONE,
        Settings.ofFile(Map.of("run-mode", "scale-down"), "a test"),
        () -> now,
        Pruner.Leadership.ALONE,
        Step.Observer.NONE);
  }

  private UsageSource zeros(UsageSource truth) {
    return (at, window) -> {
      List<UsageSeries> series = new ArrayList<>();
      for (UsageSeries one : truth.read(at, window).series()) {
        Samples.Builder built = new Samples.Builder(at.minus(Duration.ofDays(2)));
        for (int i = 0; i < one.samples().size(); i++) {
          long millis = one.samples().millis(i);
          boolean broken =
              millis > fault.toEpochMilli() && Instant.ofEpochMilli(millis).isBefore(end);
          built.add(millis, broken ? 0 : one.samples().value(i));
        }
        series.add(new UsageSeries(one.labels(), built.build(), one.all()));
      }
      return new Usage.Complete(series);
    };
  }

  private List<Decision> cycleAt(Pruner pruner, Duration afterTheFault) {
    now = fault.plus(afterTheFault);
    return pruner.cycle().inspection().decisions();
  }

  private long marked() {
    return cluster.fleet().workloads().stream()
        .filter(one -> one.annotations().containsKey(Annotations.DOUBTED_SINCE))
        .count();
  }

  @Test
  void aDayOfZerosPausesNothingWhoeverLeads() {
    Pruner pruner = restarted();
    for (int minutes = 33; minutes <= 25 * 60; minutes += 29) {
      List<Decision> decisions = cycleAt(pruner, Duration.ofMinutes(minutes));
      assertThat(decisions).as("after %d min", minutes).noneMatch(this::pauses);
      pruner = restarted();
    }
  }

  @Test
  void theFleetIsBelievedAgainAfterANormalWindow() {
    Pruner pruner = restarted();
    cycleAt(pruner, Duration.ofMinutes(35));
    assertThat(marked()).isPositive();
    end = fault.plus(Duration.ofHours(5));
    assertThat(cycleAt(pruner, Duration.ofMinutes(5 * 60 + 20))).noneMatch(this::pauses);
    assertThat(marked()).isPositive();
    cycleAt(pruner, Duration.ofMinutes(6 * 60 + 40));
    assertThat(marked()).isZero();
    assertThat(cycleAt(pruner, Duration.ofMinutes(6 * 60 + 43))).anyMatch(this::pauses);
  }

  private boolean pauses(Decision decision) {
    return decision.action() == Action.PAUSE;
  }
}
