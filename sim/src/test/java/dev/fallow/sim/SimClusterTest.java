package dev.fallow.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.ownership.OwnerResolver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SimClusterTest {

  private static final String IDLE = "Deployment/nlp/summarizer";

  private final SimulatedFleet fleet = SimulatedFleet.demo(1);
  private final AtomicReference<Instant> now = new AtomicReference<>(fleet.start());
  private final SimCluster cluster = new SimCluster(fleet, now::get);

  @Test
  void aPausedWorkloadHasNoPodsAndItsOwnersStandAtZero() {
    cluster.pause(IDLE);
    now.set(now.get().plusSeconds(1));
    ClusterState state = cluster.reader().read();
    assertThat(OwnerResolver.workloadsOf(state))
        .noneMatch(one -> one.root().toString().equals(IDLE));
    assertThat(state.owners())
        .filteredOn(owner -> owner.id().name().startsWith("summarizer"))
        .hasSize(2)
        .allSatisfy(owner -> assertThat(owner.replicas()).hasValue(0));
  }

  @Test
  void aWorkloadThatIsWokenIsYoungAndThenIdleAgain() {
    cluster.pause(IDLE);
    pass(Duration.ofMinutes(50));
    cluster.resume(IDLE);
    pass(Duration.ofMinutes(2));
    assertThat(found()).containsEntry(IDLE, "UNKNOWN RECENTLY_STARTED NONE");
    pass(Duration.ofMinutes(40));
    assertThat(found()).containsEntry(IDLE, "IDLE ALL_GPUS_IDLE PAUSE");
    assertThat(found()).isEqualTo(Verdicts.truth(cluster.fleet(), now.get()));
  }

  @Test
  void aWokenWorkloadHasTheSameReplicaSetAndOtherPods() {
    ClusterState before = cluster.reader().read();
    cluster.pause(IDLE);
    pass(Duration.ofMinutes(5));
    cluster.resume(IDLE);
    pass(Duration.ofMinutes(5));
    ClusterState after = cluster.reader().read();
    assertThat(owners(after)).isEqualTo(owners(before));
    assertThat(pods(after)).hasSize(2).doesNotContainAnyElementsOf(pods(before));
  }

  @Test
  void everyKindCanBePausedAndWokenAndTheTruthGoesAlong() {
    List<String> all = fleet.workloads().stream().map(SimWorkload::toString).toList();
    all.forEach(cluster::pause);
    pass(Duration.ofMinutes(3));
    assertThat(cluster.reader().read().pods()).isEmpty();
    all.forEach(cluster::resume);
    for (int minutes : List.of(1, 10, 31, 60)) {
      pass(Duration.ofMinutes(minutes));
      assertThat(found()).isEqualTo(Verdicts.truth(cluster.fleet(), now.get())).hasSize(all.size());
    }
  }

  @Test
  void aKeepThatIsWrittenBinds() {
    String until = now.get().plus(Duration.ofHours(8)).toString();
    cluster.annotate(IDLE, Map.of(Annotations.KEEP_UNTIL, until), Set.of());
    assertThat(found()).containsEntry(IDLE, "IDLE ACKNOWLEDGED KEEP");
    cluster.annotate(IDLE, Map.of(), Set.of(Annotations.KEEP_UNTIL));
    assertThat(found()).containsEntry(IDLE, "IDLE ALL_GPUS_IDLE PAUSE");
  }

  @Test
  void thePastIsNotChanged() {
    Map<String, String> before = Verdicts.truth(fleet, fleet.start());
    pass(Duration.ofMinutes(10));
    cluster.pause(IDLE);
    assertThat(Verdicts.truth(cluster.fleet(), fleet.start())).isEqualTo(before);
  }

  @Test
  void whatDoesNotExistCannotBePaused() {
    assertThatThrownBy(() -> cluster.pause("Deployment/nlp/nobody"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Deployment/nlp/nobody");
  }

  private void pass(Duration time) {
    now.set(now.get().plus(time));
  }

  private Map<String, String> found() {
    return Verdicts.found(
        cluster.reader().read(),
        cluster.usage(LabelForm.HONOURED).read(now.get(), Duration.ofMinutes(45)),
        now.get());
  }

  private static List<String> owners(ClusterState state) {
    return state.owners().stream()
        .map(OwnerObject::id)
        .filter(id -> !id.kind().equals("Pod") && id.name().startsWith("summarizer"))
        .map(id -> id + " " + id.uid())
        .toList();
  }

  private static List<String> pods(ClusterState state) {
    return state.pods().stream()
        .map(pod -> pod.id().name())
        .filter(name -> name.startsWith("summarizer"))
        .toList();
  }
}
