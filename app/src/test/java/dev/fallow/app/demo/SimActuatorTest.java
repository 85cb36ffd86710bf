package dev.fallow.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.prune.HandPause;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.ownership.OwnerResolver;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.RefusalReason;
import dev.fallow.sim.SimCluster;
import dev.fallow.sim.SimulatedFleet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The simulated cluster refuses what a real one does. */
class SimActuatorTest {

  private final SimulatedFleet fleet = SimulatedFleet.demo(7);
  private final SimCluster cluster = new SimCluster(fleet, fleet::start);
  private final SimActuator actuator = new SimActuator(cluster, fleet::start);
  private final List<Workload> workloads = OwnerResolver.workloadsOf(cluster.reader().read());

  private Outcome pause(Workload workload) {
    return actuator.pause(
        workload,
        new Intent("1", "a", fleet.start()),
        new PauseNote("a test", "idle", workload.gpus(), "", false),
        root -> Optional.empty());
  }

  private Workload first(String kind) {
    return workloads.stream()
        .filter(one -> one.root().kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private static void assertRefused(Outcome outcome, RefusalReason reason) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.refusal().reason()).isEqualTo(reason));
  }

  @Test
  void aBarePodCannotBePaused() {
    assertRefused(pause(first("Pod")), RefusalReason.NO_SCALABLE_OWNER);
  }

  private Outcome byHand(Workload workload) {
    return HandPause.of(
        actuator,
        workload,
        new Intent("2", "by-hand", fleet.start()),
        new PauseNote("alice", "by hand", workload.gpus(), "", false));
  }

  @Test
  void whatIsPausedIsNotPausedByHandOnceMore() {
    Workload deployment = first("Deployment");
    assertThat(byHand(deployment)).isInstanceOf(Outcome.Done.class);
    assertRefused(byHand(deployment), RefusalReason.PAUSED_ALREADY);
  }

  @Test
  void whatSomebodyKeepsIsNotPausedByHandBeforeTheKeepIsEnded() {
    Workload deployment = first("Deployment");
    cluster.annotate(
        deployment.root().toString(),
        Map.of(Annotations.KEEP_UNTIL, fleet.start().plusSeconds(3600).toString()),
        Set.of());
    assertRefused(byHand(deployment), RefusalReason.ACKNOWLEDGED);
  }

  @Test
  void aKeepThatCannotBeReadBindsByHandToo() {
    Workload deployment = first("Deployment");
    cluster.annotate(
        deployment.root().toString(), Map.of(Annotations.KEEP_UNTIL, "2026-12-24"), Set.of());
    Outcome outcome = byHand(deployment);
    assertRefused(outcome, RefusalReason.ACKNOWLEDGED);
    assertThat(outcome.sentence()).contains("keep-until", "cannot be read");
  }

  @Test
  void whatCannotBePausedCannotBeByHand() {
    assertRefused(byHand(first("Pod")), RefusalReason.NO_SCALABLE_OWNER);
  }

  @Test
  void whatWasNotPausedIsNotResumed() {
    Workload deployment = first("Deployment");
    assertRefused(actuator.resume(deployment.root()), RefusalReason.CHANGED_MEANWHILE);
    assertThat(pause(deployment)).isInstanceOf(Outcome.Done.class);
    assertThat(actuator.resume(deployment.root())).isInstanceOf(Outcome.Done.class);
    assertRefused(actuator.resume(deployment.root()), RefusalReason.CHANGED_MEANWHILE);
  }
}
