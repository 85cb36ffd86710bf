package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.adapters.kubernetes.ConnectionOptions;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.OneShotClusterReader;
import dev.fallow.adapters.kubernetes.WorkloadWriter;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.ownership.OwnerResolver;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.Step;
import dev.fallow.rig.AuditLevel;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.fault.ActiveFault;
import dev.fallow.rig.fault.FaultProxy;
import dev.fallow.rig.fault.ProxyFault;
import dev.fallow.rig.fault.Scope;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Others who write in the very moment of a pause, where what they write on is not what is switched:
 * a workload that KEDA scales, an InferenceService.
 */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class PauseRacesTest {

  private static final String KEEP =
      "{\"metadata\":{\"annotations\":{\"fallow.dev/keep-until\":\"2099-01-01T00:00:00Z\"}}}";

  private static final Intent INTENT = new Intent("0123456789abcdef", "1-test", Instant.now());

  private static Rig rig;
  private static LiveFleet fleet;
  private static KubernetesConnection changes;

  @BeforeAll
  static void start() {
    rig = Rig.builder().withCrds().audit(AuditLevel.METADATA).start();
    Path account = ShippedAccount.in(rig);
    fleet = new LiveFleet(rig);
    changes =
        KubernetesConnection.openForChanges(
            new ConnectionOptions(Optional.of(account), Optional.empty(), "test", Map.of()));
  }

  @AfterAll
  static void stop() {
    if (changes != null) {
      changes.close();
    }
    if (rig != null) {
      rig.close();
    }
  }

  @Test
  void aKeepInTheMomentOfThePauseOfWhatKedaScalesBinds() {
    Workload workload = scaled("keda-kept");
    assertThat(pauseWhile(workload, Step.BEFORE_WRITE, () -> patchRoot("keda-kept", KEEP)))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(annotations(scaler("keda-kept")).keys()).isEmpty();
  }

  @Test
  void anExemptionInTheMomentOfThePauseOfWhatKedaScalesBinds() {
    Workload workload = scaled("keda-exempt");
    String exempt = "{\"metadata\":{\"annotations\":{\"fallow.dev/exempt\":\"demo today\"}}}";
    assertThat(pauseWhile(workload, Step.BEFORE_WRITE, () -> patchRoot("keda-exempt", exempt)))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(annotations(scaler("keda-exempt")).keys()).isEmpty();
  }

  @Test
  void aPersonWhoScalesUpInTheMomentOfThePauseOfWhatKedaScalesIsRight() {
    Workload workload = scaled("keda-up");
    assertThat(
            pauseWhile(
                workload,
                Step.BEFORE_WRITE,
                () -> patchRoot("keda-up", "{\"spec\":{\"replicas\":5}}")))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(annotations(scaler("keda-up")).keys()).isEmpty();
  }

  @Test
  void thePauseOfWhatKedaScalesHoldsWhenKedaFollowsAtOnce() {
    Workload workload = scaled("keda-quick");
    assertThat(
            pauseWhile(
                workload,
                Step.AFTER_WRITE,
                () -> patchRoot("keda-quick", "{\"spec\":{\"replicas\":0}}")))
        .isInstanceOf(Outcome.Done.class);
    assertThat(annotations(scaler("keda-quick")).keys())
        .contains("autoscaling.keda.sh/paused-replicas", "fallow.dev/before-pause")
        .doesNotContain("fallow.dev/intent");
    assertThat(annotations(root("keda-quick")).keys()).isEmpty();
  }

  /** The new leader has seen both announcements, and takes both back. */
  @Test
  void theLateWriteOfAnOldLeaderMeetsWhatItsSuccessorDid() {
    Workload workload = scaled("keda-late");
    long[] version = new long[1];
    Outcome outcome =
        pauseWhile(
            workload,
            Step.BEFORE_WRITE,
            () -> {
              writer().withdraw(idOf(scaler("keda-late")));
              writer().withdraw(workload.root());
              version[0] = version(scaler("keda-late"));
            });
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    assertThat(version(scaler("keda-late"))).as("nothing was written since").isEqualTo(version[0]);
  }

  /** The new leader looked before the old one came to what scales the workload. */
  @Test
  void aLateWriteWhoseIntentWasTakenBackIsTakenBackToo() {
    Workload workload = scaled("keda-gone");
    assertThat(pauseWhile(workload, Step.BEFORE_WRITE, () -> writer().withdraw(workload.root())))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(annotations(scaler("keda-gone")).keys()).isEmpty();
  }

  @Test
  void anInferenceServiceWhoseRecordWasTakenAwayIsNotLeftStopped() {
    Workload workload = service("kserve-late");
    assertThat(
            pauseWhile(
                workload,
                Step.BEFORE_WRITE,
                () -> writer().noteUndone(workload.root(), Optional.empty())))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(annotations(get(servicePath("kserve-late"))).keys()).isEmpty();
  }

  @Test
  void noRecordIsWrittenOfAPauseWhoseIntentWasTakenBack() {
    Workload workload = service("kserve-fenced");
    assertThat(pauseWhile(workload, Step.BEFORE_STATE, () -> writer().withdraw(workload.root())))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(annotations(get(statePath("kserve-fenced"))).keys()).isEmpty();
    assertThat(annotations(get(servicePath("kserve-fenced"))).keys()).isEmpty();
  }

  @Test
  void aKeepInTheMomentOfThePauseOfAnInferenceServiceBinds() {
    Workload workload = service("kserve-kept");
    assertThat(
            pauseWhile(
                workload,
                Step.BEFORE_WRITE,
                () -> rig.admin().patch(statePath("kserve-kept"), KEEP).orThrow()))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(annotations(get(servicePath("kserve-kept"))).keys()).isEmpty();
    assertThat(annotations(get(statePath("kserve-kept"))).keys())
        .containsExactly("fallow.dev/keep-until");
  }

  /** It was made, and somebody ended it: both are to be told, and the second is to be respected. */
  @Test
  void aPauseThatAPersonEndsBeforeItIsTakenBackIsRecordedAsMade() {
    Workload workload = service("kserve-ended");
    Outcome outcome =
        pauseWhile(
            workload,
            Step.AFTER_WRITE,
            () -> {
              rig.admin().patch(statePath("kserve-ended"), KEEP).orThrow();
              rig.admin()
                  .patch(
                      servicePath("kserve-ended"),
                      "{\"metadata\":{\"annotations\":{\"serving.kserve.io/stop\":null}}}")
                  .orThrow();
            });
    assertThat(outcome).isInstanceOf(Outcome.Done.class);
    assertThat(annotations(get(servicePath("kserve-ended"))).keys()).isEmpty();
    assertThat(annotations(get(statePath("kserve-ended"))).keys())
        .as("what tells who repairs that it was undone")
        .contains("fallow.dev/before-pause", "fallow.dev/keep-until")
        .doesNotContain("fallow.dev/intent");
  }

  @Test
  void aPauseOfWhatIsDeletedAtOnceIsRecordedAsMade() {
    Workload workload = service("kserve-deleted");
    Outcome outcome =
        pauseWhile(
            workload,
            Step.AFTER_WRITE,
            () -> {
              rig.admin().delete(statePath("kserve-deleted")).orThrow();
              rig.admin().delete(servicePath("kserve-deleted")).orThrow();
            });
    assertThat(outcome).isInstanceOf(Outcome.Done.class);
  }

  @Test
  void anIdleWindowThatIsWrittenAfterTheDecisionCallsThePauseOff() {
    fleet.pod(fleet.deployment("window", "it", 2), LiveFleet::idle);
    Workload workload = only("window");
    String window = "{\"metadata\":{\"annotations\":{\"fallow.dev/idle-window\":\"24h\"}}}";
    Outcome outcome = pauseWhile(workload, Step.AFTER_INTENT, () -> patchRoot("window", window));
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    assertThat(outcome.sentence()).contains("idle-window");
    assertThat(root("window").at("spec", "replicas").number()).isEqualTo(2);
  }

  @Test
  void aResumeThatMeetsAnothersWriteIsTriedAgain() {
    fleet.pod(fleet.deployment("met", "it", 2), LiveFleet::idle);
    Workload workload = only("met");
    assertThat(pause(writer(), workload)).isInstanceOf(Outcome.Done.class);
    rig.kubectl("create", "serviceaccount", "waker", "-n", "met");
    rig.kubectl(
        "create",
        "clusterrolebinding",
        "waker",
        "--clusterrole=cluster-admin",
        "--serviceaccount=met:waker");
    try (FaultProxy proxy = FaultProxy.inFrontOf(rig);
        KubernetesConnection through =
            KubernetesConnection.openForChanges(
                new ConnectionOptions(
                    Optional.of(rig.kubeconfigForServiceAccount("met", "waker", proxy.url())),
                    Optional.empty(),
                    "test",
                    Map.of()))) {
      ActiveFault conflicts =
          proxy.start(new ProxyFault.Answer(409), Scope.of("PATCH", "/deployments/it").first(2));
      Outcome outcome =
          new WorkloadWriter(through, Clock.systemUTC(), Step.Observer.NONE)
              .resume(workload.root());
      assertThat(outcome).isInstanceOf(Outcome.Done.class);
      assertThat(conflicts.effects()).isEqualTo(2);
    }
    assertThat(root("met").at("spec", "replicas").number()).isEqualTo(2);
  }

  @Test
  void aLockThatReplacedOurStopOfANotebookStays() {
    fleet.namespace("locked");
    String path = "/apis/kubeflow.org/v1/namespaces/locked/notebooks";
    fleet.pod(
        fleet.create(
            path,
            """
            {"apiVersion":"kubeflow.org/v1","kind":"Notebook","metadata":{"name":"it"},
             "spec":{"template":{"spec":{"containers":[{"name":"main","image":"none"}]}}}}
            """),
        LiveFleet::idle);
    Workload workload = only("locked");
    assertThat(pauseWhile(workload, Step.BEFORE_WRITE, () -> {})).isInstanceOf(Outcome.Done.class);
    rig.admin()
        .patch(
            path + "/it",
            "{\"metadata\":{\"annotations\":{\"kubeflow-resource-stopped\":\"odh-notebook-controller-lock\"}}}")
        .orThrow();
    Outcome outcome = writer().resume(workload.root());
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    assertThat(outcome.sentence()).contains("odh-notebook-controller-lock");
    assertThat(annotations(get(path + "/it")).at("kubeflow-resource-stopped").text())
        .isEqualTo("odh-notebook-controller-lock");
  }

  /** With the event that tells of it, six: what the daemon may ask for each action. */
  @Test
  void aPauseTakesNoMoreThanFiveRequestsWhereverItIsWritten() {
    WorkloadWriter writer = writer();
    pause(writer, scaled("keda-first"));
    pause(writer, service("kserve-first"));
    for (Workload workload : List.of(scaled("keda-few"), service("kserve-few"))) {
      assertThat(writer.announce(workload, INTENT)).isInstanceOf(Outcome.Done.class);
      AuditLog log = rig.audit().fromHere();
      assertThat(pauseAnnounced(writer, workload)).isInstanceOf(Outcome.Done.class);
      rig.admin().get("/version").orThrow();
      await().until(() -> requests(log).contains("get /version"));
      assertThat(requests(log)).hasSizeLessThanOrEqualTo(5 + 1);
    }
  }

  private static List<String> requests(AuditLog log) {
    return log.entries().stream()
        .filter(entry -> !entry.user().startsWith("system:"))
        .map(entry -> entry.verb() + " " + entry.uri())
        .toList();
  }

  private static Workload scaled(String namespace) {
    fleet.pod(fleet.deployment(namespace, "it", 2), LiveFleet::idle);
    fleet.create(
        "/apis/keda.sh/v1alpha1/namespaces/" + namespace + "/scaledobjects",
        """
        {"apiVersion":"keda.sh/v1alpha1","kind":"ScaledObject","metadata":{"name":"scaler"},
         "spec":{"scaleTargetRef":{"name":"it"},"triggers":[{"type":"cpu","metadata":{"value":"50"}}]}}
        """);
    return only(namespace);
  }

  private static Workload service(String namespace) {
    fleet.namespace(namespace);
    fleet.pod(
        fleet.create(
            "/apis/serving.kserve.io/v1beta1/namespaces/" + namespace + "/inferenceservices",
            """
            {"apiVersion":"serving.kserve.io/v1beta1","kind":"InferenceService","metadata":{"name":"it"},
             "spec":{"predictor":{"containers":[{"name":"main","image":"none"}]}}}
            """),
        LiveFleet::idle);
    return only(namespace);
  }

  private static Workload only(String namespace) {
    return OwnerResolver.workloadsOf(
            new OneShotClusterReader(changes, Optional.of(namespace)).read())
        .getFirst();
  }

  /** Announces a pause and makes it, while somebody acts at one step of it. */
  private static Outcome pauseWhile(Workload workload, Step moment, Runnable act) {
    WorkloadWriter writer =
        new WorkloadWriter(
            changes,
            Clock.systemUTC(),
            (step, kind) -> {
              if (step == moment) {
                act.run();
              }
            });
    return pause(writer, workload);
  }

  private static Outcome pause(WorkloadWriter writer, Workload workload) {
    assertThat(writer.announce(workload, INTENT)).isInstanceOf(Outcome.Done.class);
    return pauseAnnounced(writer, workload);
  }

  private static Outcome pauseAnnounced(WorkloadWriter writer, Workload workload) {
    return writer.pause(
        workload,
        INTENT,
        new PauseNote("fallow", "Paused.", 1, "", false),
        root -> Optional.empty());
  }

  private static WorkloadWriter writer() {
    return new WorkloadWriter(changes, Clock.systemUTC(), Step.Observer.NONE);
  }

  private static void patchRoot(String namespace, String patch) {
    rig.admin().patch(rootPath(namespace), patch).orThrow();
  }

  private static Json root(String namespace) {
    return get(rootPath(namespace));
  }

  private static Json scaler(String namespace) {
    return get("/apis/keda.sh/v1alpha1/namespaces/" + namespace + "/scaledobjects/scaler");
  }

  private static String rootPath(String namespace) {
    return "/apis/apps/v1/namespaces/" + namespace + "/deployments/it";
  }

  private static String servicePath(String namespace) {
    return "/apis/serving.kserve.io/v1beta1/namespaces/" + namespace + "/inferenceservices/it";
  }

  private static String statePath(String namespace) {
    return "/apis/fallow.dev/v1/namespaces/" + namespace + "/workloadstates/inferenceservice-it";
  }

  private static Json get(String path) {
    return rig.admin().get(path).orThrow().json();
  }

  private static Json annotations(Json object) {
    return object.at("metadata", "annotations");
  }

  private static long version(Json object) {
    return object.at("metadata", "resourceVersion").number();
  }

  private static ObjectId idOf(Json scaler) {
    return new ObjectId(
        "keda.sh",
        "ScaledObject",
        scaler.at("metadata", "namespace").text(),
        scaler.at("metadata", "name").text(),
        scaler.at("metadata", "uid").text());
  }
}
