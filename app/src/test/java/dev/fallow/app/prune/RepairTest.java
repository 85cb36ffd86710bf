package dev.fallow.app.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.Inspection;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.StateBeside;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.PruneMemory;
import dev.fallow.core.prune.Undone;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class RepairTest {

  private static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");
  private static final String ID = "0123456789abcdef";
  private static final String INTENT = "{\"id\":\"" + ID + "\",\"epoch\":\"1-x\"}";

  private Predicate<String> pruned = any -> true;
  private final List<String> done = new ArrayList<>();
  private final List<Deed> told = new ArrayList<>();

  @Test
  void aRecordWhoseStopMayStillArriveStays() {
    Map<String, String> marks = paused("2026-11-02T11:59:50Z");
    marks.put("fallow.dev/intent", INTENT);
    repair(service(Map.of()), state(marks));
    assertThat(done).isEmpty();
  }

  @Test
  void aRecordWhoseStopWillNotArriveAnyMoreIsTakenOff() {
    Map<String, String> marks = paused("2026-11-02T11:59:00Z");
    marks.put("fallow.dev/intent", INTENT);
    repair(service(Map.of()), state(marks));
    assertThat(done).containsExactly("undone InferenceService/ml/it nobody");
  }

  @Test
  void aKeepThatWhoeverPausedItDidNotLiveToSeeBindsAtWhatKedaScales() {
    repair(
        object(
            "apps/v1",
            "Deployment",
            Map.of("fallow.dev/intent", INTENT, "fallow.dev/keep-until", "2026-11-02T13:00:00Z"),
            Map.of("replicas", 1L)),
        scaler(stopped()));
    assertThat(done)
        .containsExactlyInAnyOrder(
            "resume ScaledObject.keda.sh/ml/it", "withdraw Deployment/ml/it");
    assertThat(told).extracting(Deed::verb).containsExactly(Deed.Verb.UNDONE);
  }

  @Test
  void whatAnotherInstanceDoesElsewhereIsItsOwn() {
    ObjectTree announced =
        object(
            "apps/v1", "Deployment", Map.of("fallow.dev/intent", INTENT), Map.of("replicas", 1L));
    pruned = "ours"::equals;
    repair(announced);
    assertThat(done).isEmpty();
    pruned = "ml"::equals;
    repair(announced);
    assertThat(done).containsExactly("withdraw Deployment/ml/it");
  }

  @Test
  void aKeepOfWhatWasPausedBeforeDoesNotWakeIt() {
    repair(
        object(
            "apps/v1",
            "Deployment",
            Map.of("fallow.dev/keep-until", "2026-11-02T13:00:00Z"),
            Map.of("replicas", 1L)),
        scaler(stopped()));
    assertThat(done).isEmpty();
  }

  @Test
  void aStopThatWasTakenOffByNobodyWhoCanBeNamedIsCounted() {
    Map<String, String> marks = paused("2026-11-02T11:00:00Z");
    marks.put("fallow.dev/undone", "1 somebody 2026-11-02T10:00:00Z");
    repair(object("kubeflow.org/v1", "Notebook", marks, Map.of()));
    assertThat(done).containsExactly("undone Notebook/ml/it 2 somebody 2026-11-02T12:00:00Z");
  }

  @Test
  void whoChangedThePauseAtWhatKedaScalesIsNamed() {
    Map<String, Object> scaler = new HashMap<>(scaler(paused("2026-11-02T11:00:00Z")).fields());
    Map<String, Object> metadata = new HashMap<>(new ObjectTree(scaler).tree("metadata").fields());
    metadata.put(
        "managedFields",
        List.of(
            Map.of(
                "manager",
                "argocd-controller",
                "time",
                "2026-11-02T11:30:00Z",
                "fieldsV1",
                Map.of(
                    "f:metadata",
                    Map.of(
                        "f:annotations",
                        Map.of("f:autoscaling.keda.sh/paused-replicas", Map.of()))))));
    scaler.put("metadata", metadata);
    repair(new ObjectTree(scaler));
    assertThat(done)
        .containsExactly(
            "undone ScaledObject.keda.sh/ml/it 1 argocd-controller 2026-11-02T11:30:00Z");
  }

  @Test
  void whatNobodyCanBeNamedForIsForgottenAfterADay() {
    repair(
        object(
            "kubeflow.org/v1",
            "Notebook",
            Map.of("fallow.dev/undone", "2 somebody 2026-11-01T13:00:00Z"),
            Map.of()));
    assertThat(done).isEmpty();
    repair(
        object(
            "kubeflow.org/v1",
            "Notebook",
            Map.of("fallow.dev/undone", "2 somebody 2026-11-01T11:00:00Z"),
            Map.of()));
    assertThat(done).containsExactly("undone Notebook/ml/it nobody");
  }

  @Test
  void aStopThatIsGivenUpIsToldAsUndone() {
    Map<String, String> stop = Map.of("serving.kserve.io/stop", "true");
    repair(
        service(stop),
        state(paused("2026-11-02T11:00:00Z")),
        pod("serving.kserve.io/v1beta1", "InferenceService"));
    assertThat(done).contains("resume InferenceService/ml/it");
    assertThat(told)
        .singleElement()
        .satisfies(deed -> {
          assertThat(deed.verb()).isEqualTo(Deed.Verb.UNDONE);
          assertThat(deed.actionId()).isEqualTo(ID);
          assertThat(deed.by()).isEqualTo(Deed.OURSELVES);
        });
  }

  @Test
  void aKindThatKeepsItsReplicasElsewhereCountsAsPausedUntilItsPodsAreBack() {
    ObjectTree flock =
        object(
            "example.com/v1",
            "Flock",
            paused("2026-11-02T11:00:00Z"),
            Map.of("birds", Map.of("count", 0L)));
    repair(flock);
    assertThat(done).isEmpty();
    repair(flock, pod("example.com/v1", "Flock"));
    assertThat(done).singleElement().asString().startsWith("undone Flock.example.com/ml/it");
  }

  private void repair(ObjectTree... objects) {
    ClusterState all = ClusterState.of(List.of(objects));
    // A live reader shows what is kept beside an object only with that object.
    ClusterState cluster =
        new ClusterState(
            all.pods(),
            all.nodes(),
            all.owners().stream()
                .filter(owner -> !owner.id().is(StateBeside.GROUP, StateBeside.KIND))
                .toList(),
            all.namespaces(),
            all.exporters(),
            all.notes());
    Inspection inspection =
        Inspection.of(
            cluster,
            (at, window) -> new Usage.Missing("away"),
            AT,
            Settings.of(Map.of(), Map.of(), Map.of(), ""));
    new Repair(new Hands(), new Diary(), IdleRule.DEFAULT, pruned)
        .after(new Look(inspection, System.nanoTime()), List.of());
  }

  private static Map<String, String> paused(String at) {
    return new HashMap<>(
        Map.of(
            "fallow.dev/paused-at", at,
            "fallow.dev/before-pause", "{}",
            "fallow.dev/action-id", ID));
  }

  private static Map<String, String> stopped() {
    Map<String, String> marks = paused("2026-11-02T11:59:00Z");
    marks.put("autoscaling.keda.sh/paused-replicas", "0");
    return marks;
  }

  private static ObjectTree service(Map<String, String> annotations) {
    return object("serving.kserve.io/v1beta1", "InferenceService", annotations, Map.of());
  }

  private static ObjectTree state(Map<String, String> annotations) {
    return object(
        "fallow.dev/v1",
        "WorkloadState",
        annotations,
        Map.of("workload", Map.of("uid", "InferenceService-1")));
  }

  private static ObjectTree scaler(Map<String, String> annotations) {
    return object(
        "keda.sh/v1alpha1",
        "ScaledObject",
        annotations,
        Map.of("scaleTargetRef", Map.of("name", "it")));
  }

  private static ObjectTree object(
      String apiVersion, String kind, Map<String, String> annotations, Map<String, Object> spec) {
    return new ObjectTree(
        Map.of(
            "apiVersion",
            apiVersion,
            "kind",
            kind,
            "metadata",
            Map.of("namespace", "ml", "name", "it", "uid", kind + "-1", "annotations", annotations),
            "spec",
            spec));
  }

  private static ObjectTree pod(String ownerVersion, String ownerKind) {
    Map<String, Object> owner =
        Map.of(
            "apiVersion",
            ownerVersion,
            "kind",
            ownerKind,
            "name",
            "it",
            "uid",
            ownerKind + "-1",
            "controller",
            true);
    return new ObjectTree(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Pod",
            "metadata",
            Map.of(
                "namespace", "ml", "name", "it-1", "uid", "p1", "ownerReferences", List.of(owner)),
            "spec",
            Map.of(
                "nodeName",
                "n1",
                "containers",
                List.of(
                    Map.of(
                        "name",
                        "main",
                        "resources",
                        Map.of("limits", Map.of("nvidia.com/gpu", "1"))))),
            "status",
            Map.of("phase", "Running")));
  }

  /** Does nothing and says that it is done. */
  private final class Hands implements Actuator {
    @Override
    public Optional<List<Map<String, String>>> marks(ObjectId workload) {
      return Optional.empty();
    }

    @Override
    public Outcome announce(Workload workload, Intent intent) {
      throw new AssertionError("a repair announces nothing");
    }

    @Override
    public Outcome pause(Workload workload, Intent intent, PauseNote note, LastWord lastWord) {
      throw new AssertionError("a repair pauses nothing");
    }

    @Override
    public Outcome resume(ObjectId workload) {
      return did("resume " + workload);
    }

    @Override
    public boolean saysItStopped(ObjectId workload) {
      return false;
    }

    @Override
    public Outcome note(ObjectId workload, Map<String, Optional<String>> notes) {
      return did("note " + workload);
    }

    @Override
    public Outcome withdraw(ObjectId workload) {
      return did("withdraw " + workload);
    }

    @Override
    public Outcome noteUndone(ObjectId workload, Optional<Undone> undone) {
      return did("undone " + workload + " " + undone.map(Undone::toString).orElse("nobody"));
    }

    private Outcome did(String what) {
      done.add(what);
      return new Outcome.Done(what);
    }
  }

  private final class Diary implements Journal {

    @Override
    public void record(Deed deed) {
      told.add(deed);
    }

    @Override
    public void begin(Deed deed) {}

    @Override
    public void settle(Set<String> standing, Instant at) {}

    @Override
    public void recover(OwnerObject paused, Instant at) {}

    @Override
    public PruneMemory pausesSince(Instant since) {
      return PruneMemory.NOTHING;
    }
  }
}
