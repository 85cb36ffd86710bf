package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.kubernetes.ConnectionOptions;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.OneShotClusterReader;
import dev.fallow.adapters.kubernetes.WorkloadWriter;
import dev.fallow.app.RecordedConsole;
import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.ownership.OwnerResolver;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.Step;
import dev.fallow.rig.ApiClient;
import dev.fallow.rig.ApiResponse;
import dev.fallow.rig.AuditEntry;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Every kind that can be paused, paused and brought back on a real API server. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PauseKindsTest {

  private static final String CONTAINERS =
      "\"containers\":[{\"name\":\"main\",\"image\":\"none\"}]";
  private static final String TEMPLATE =
      "{\"metadata\":{\"labels\":{\"app\":\"x\"}},\"spec\":{" + CONTAINERS + "}}";
  private static final String ONCE =
      "{\"metadata\":{\"labels\":{\"app\":\"x\"}},\"spec\":{\"restartPolicy\":\"Never\","
          + CONTAINERS
          + "}}";
  private static final String SELECTOR = "\"selector\":{\"matchLabels\":{\"app\":\"x\"}}";

  /**
   * @param spec as a user would write it; a second object of the kind goes without what may be left
   *     out
   */
  private record Kind(String name, String apiVersion, String kind, String plural, String spec) {

    String collection() {
      return (apiVersion.contains("/") ? "/apis/" : "/api/")
          + apiVersion
          + "/namespaces/zoo/"
          + plural;
    }

    String path() {
      return collection() + "/" + name;
    }

    String json() {
      return "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\",\"annotations\":{\"note\":\"mine\"}},\"spec\":%s}"
          .formatted(apiVersion, kind, name, spec);
    }
  }

  private static final List<Kind> KINDS =
      List.of(
          new Kind(
              "web",
              "apps/v1",
              "Deployment",
              "deployments",
              "{\"replicas\":3," + SELECTOR + ",\"template\":" + TEMPLATE + "}"),
          new Kind(
              "bare-rs",
              "apps/v1",
              "ReplicaSet",
              "replicasets",
              "{\"replicas\":2," + SELECTOR + ",\"template\":" + TEMPLATE + "}"),
          new Kind(
              "db",
              "apps/v1",
              "StatefulSet",
              "statefulsets",
              "{\"replicas\":2,\"serviceName\":\"db\","
                  + SELECTOR
                  + ",\"template\":"
                  + TEMPLATE
                  + "}"),
          new Kind(
              "old",
              "v1",
              "ReplicationController",
              "replicationcontrollers",
              "{\"replicas\":2,\"selector\":{\"app\":\"x\"},\"template\":" + TEMPLATE + "}"),
          new Kind(
              "nb",
              "kubeflow.org/v1",
              "Notebook",
              "notebooks",
              "{\"template\":{\"spec\":{" + CONTAINERS + "}}}"),
          new Kind(
              "llm",
              "serving.kserve.io/v1beta1",
              "InferenceService",
              "inferenceservices",
              "{\"predictor\":{" + CONTAINERS + "}}"),
          new Kind(
              "group",
              "leaderworkerset.x-k8s.io/v1",
              "LeaderWorkerSet",
              "leaderworkersets",
              "{\"replicas\":2,\"rolloutStrategy\":{\"type\":\"RollingUpdate\"},\"leaderWorkerTemplate\":{\"size\":2,\"workerTemplate\":"
                  + TEMPLATE
                  + "}}"),
          new Kind("job", "batch/v1", "Job", "jobs", "{\"template\":" + ONCE + "}"),
          new Kind(
              "jobset",
              "jobset.x-k8s.io/v1alpha2",
              "JobSet",
              "jobsets",
              "{\"replicatedJobs\":[{\"name\":\"w\",\"template\":{\"spec\":{\"template\":"
                  + ONCE
                  + "}}}]}"),
          new Kind(
              "ray",
              "ray.io/v1",
              "RayCluster",
              "rayclusters",
              "{\"headGroupSpec\":{\"rayStartParams\":{},\"template\":" + TEMPLATE + "}}"),
          trainingJob("torch", "PyTorchJob", "pytorchReplicaSpecs", "Master"),
          trainingJob("tensor", "TFJob", "tfReplicaSpecs", "Worker"),
          trainingJob("mpi", "MPIJob", "mpiReplicaSpecs", "Worker"),
          trainingJob("trees", "XGBoostJob", "xgbReplicaSpecs", "Master"),
          trainingJob("paddle", "PaddleJob", "paddleReplicaSpecs", "Worker"),
          trainingJob("jax", "JAXJob", "jaxReplicaSpecs", "Worker"),
          new Kind(
              "train",
              "trainer.kubeflow.org/v1alpha1",
              "TrainJob",
              "trainjobs",
              "{\"runtimeRef\":{\"name\":\"torch-distributed\"}}"),
          new Kind("geese", "example.com/v1", "Flock", "flocks", "{\"birds\":{\"count\":7}}"),
          new Kind(
              "canary",
              "argoproj.io/v1alpha1",
              "Rollout",
              "rollouts",
              "{\"replicas\":4," + SELECTOR + ",\"template\":" + TEMPLATE + "}"));

  /** Of Kubeflow's training operator. */
  private static Kind trainingJob(String name, String kind, String replicas, String role) {
    return new Kind(
        name,
        "kubeflow.org/v1",
        kind,
        TestKinds.plural(kind),
        "{\"%s\":{\"%s\":{\"replicas\":1,\"template\":%s}}}".formatted(replicas, role, TEMPLATE));
  }

  @TempDir static Path folder;

  private static Rig rig;
  private static Path account;
  private static RigPrometheus prometheus;
  private static final Map<String, Json> before = new TreeMap<>();

  @BeforeAll
  static void start() throws Exception {
    rig = Rig.builder().withCrds().start();
    account = ShippedAccount.withMoreKindsIn(rig);
    define("flocks", "Flock", ".spec.birds.count");
    allow("flocks", "birds", "count");
    LiveFleet fleet = new LiveFleet(rig);
    fleet.namespace("zoo");
    for (Kind kind : KINDS) {
      fleet.pod(fleet.create(kind.collection(), kind.json()), LiveFleet::idle);
    }
    awaitRightTo("/apis/example.com/v1/namespaces/zoo/flocks/geese", "birds", "count");
    // No KServe runs here: this is what one says once it has stopped a service.
    rig.admin()
        .patch(
            "/apis/serving.kserve.io/v1beta1/namespaces/zoo/inferenceservices/llm/status",
            "{\"status\":{\"conditions\":[{\"type\":\"Stopped\",\"status\":\"True\"}]}}")
        .orThrow();
    Json keda = fleet.deployment("zoo", "scaled", 2);
    fleet.pod(keda, LiveFleet::idle);
    fleet.create(
        "/apis/keda.sh/v1alpha1/namespaces/zoo/scaledobjects",
        """
        {"apiVersion":"keda.sh/v1alpha1","kind":"ScaledObject","metadata":{"name":"scaler",
          "annotations":{"autoscaling.keda.sh/paused-replicas":"7"}},
         "spec":{"scaleTargetRef":{"name":"scaled"},"triggers":[{"type":"cpu","metadata":{"value":"50"}}]}}
        """);
    fleet.pod(
        fleet.create(
            "/apis/leaderworkerset.x-k8s.io/v1/namespaces/zoo/leaderworkersets",
            KINDS.stream()
                .filter(kind -> kind.name().equals("group"))
                .findFirst()
                .orElseThrow()
                .json()
                .replace("\"group\"", "\"scaled-group\"")),
        LiveFleet::idle);
    fleet.create(
        "/apis/keda.sh/v1alpha1/namespaces/zoo/scaledobjects",
        """
        {"apiVersion":"keda.sh/v1alpha1","kind":"ScaledObject","metadata":{"name":"group-scaler","annotations":{"note":"mine"}},
         "spec":{"scaleTargetRef":{"apiVersion":"leaderworkerset.x-k8s.io/v1","kind":"LeaderWorkerSet","name":"scaled-group"},
          "triggers":[{"type":"cpu","metadata":{"value":"50"}}]}}
        """);
    fleet.create(
        "/apis/policy/v1/namespaces/zoo/poddisruptionbudgets",
        """
        {"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"always-one"},
         "spec":{"minAvailable":1,"selector":{"matchExpressions":[{"key":"app","operator":"In","values":["web"]}]}}}
        """);
    fleet.create(
        "/apis/autoscaling/v2/namespaces/zoo/horizontalpodautoscalers",
        """
        {"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web-scaler"},
         "spec":{"minReplicas":2,"maxReplicas":9,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}}}
        """);
    prometheus = RigPrometheus.builder().backfill(fleet.samples(folder)).start();
    for (Kind kind : KINDS) {
      before.put(kind.path(), rig.admin().get(kind.path()).orThrow().json());
    }
    for (String scaler : List.of(SCALER, GROUP_SCALER)) {
      before.put(scaler, rig.admin().get(scaler).orThrow().json());
    }
  }

  /** A kind that nobody knows, and that keeps its replicas where it likes. */
  private static void define(String plural, String kind, String replicasPath) {
    rig.admin()
        .post(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"%s.example.com"},
             "spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"%s","plural":"%1$s"},
              "versions":[{"name":"v1","served":true,"storage":true,
               "subresources":{"status":{},"scale":{"specReplicasPath":"%s","statusReplicasPath":".status.count"}},
               "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}
            """
                .formatted(plural, kind, replicasPath))
        .orThrow();
    rig.kubectl("wait", "--for=condition=Established", "crd/" + plural + ".example.com");
  }

  /** As docs/pruning.md tells whoever pauses kinds that keep their replicas elsewhere. */
  private static void allow(String plural, String part, String field) throws IOException {
    rig.kubectl(
        "create",
        "clusterrole",
        plural,
        "--verb=get,list,watch,patch",
        "--resource=" + plural + ".example.com");
    rig.kubectl(
        "create",
        "clusterrolebinding",
        plural,
        "--clusterrole=" + plural,
        "--serviceaccount=" + ShippedAccount.NAMESPACE + ":fallow");
    String policy = Files.readString(root().resolve("deploy/base/policy.yaml"));
    Path changed =
        Files.writeString(
            folder.resolve("policy.yaml"),
            policy
                .replace("'suspend', 'runPolicy']", "'suspend', 'runPolicy', '%s']".formatted(part))
                .replace(
                    "  validations:\n",
                    """
                      - name: part
                        expression: "has(object.spec) && has(object.spec.%1$s) ? object.spec.%1$s : {}"
                      - name: oldPart
                        expression: "has(oldObject.spec) && has(oldObject.spec.%1$s) ? oldObject.spec.%1$s : {}"
                      validations:
                      - message: fallow may change nothing of %1$s but %2$s
                        expression: >-
                          variables.part.all(k, k == '%2$s' ||
                          (k in variables.oldPart && variables.part[k] == variables.oldPart[k])) &&
                          variables.oldPart.all(k, k == '%2$s' || k in variables.part)
                    """
                        .formatted(part, field)));
    rig.kubectl("apply", "-f", changed.toString());
  }

  /** Tried without being done. */
  private static void awaitRightTo(String path, String part, String field) {
    ApiClient ours = rig.serviceAccountClient(ShippedAccount.NAMESPACE, "fallow");
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(() -> {
          ApiResponse reply =
              ours.patch(
                  path + "?dryRun=All", "{\"spec\":{\"%s\":{\"%s\":1}}}".formatted(part, field));
          assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        });
  }

  private static final String SCALER = "/apis/keda.sh/v1alpha1/namespaces/zoo/scaledobjects/scaler";
  private static final String GROUP_SCALER =
      "/apis/keda.sh/v1alpha1/namespaces/zoo/scaledobjects/group-scaler";

  /** What those two scale. */
  private static final List<String> SCALED =
      List.of("deploy/scaled", "leaderworkersets/scaled-group");

  @AfterAll
  static void stop() {
    if (rig != null) {
      rig.close();
    }
    if (prometheus != null) {
      prometheus.close();
    }
  }

  @Test
  @Order(1)
  void everyKindIsPausedInOneRun() {
    RecordedConsole console = prune("-e", "drsinljJypo*");
    assertThat(console.exitCode()).as(console.err() + console.out()).isZero();
    Json report = Json.parse(console.out().strip());
    assertThat(report.at("items").items())
        .hasSize(KINDS.size() + 2)
        .allSatisfy(
            item -> assertThat(item.at("result").text()).as(item.toString()).isEqualTo("paused"));
    assertThat(field("apps/v1", "deployments", "web", "spec", "replicas").number()).isZero();
    assertThat(field("apps/v1", "statefulsets", "db", "spec", "replicas").number()).isZero();
    assertThat(field("argoproj.io/v1alpha1", "rollouts", "canary", "spec", "replicas").number())
        .isZero();
    assertThat(field("example.com/v1", "flocks", "geese", "spec", "birds", "count").number())
        .isZero();
    assertThat(
            field(
                    "apps/v1",
                    "deployments",
                    "web",
                    "metadata",
                    "annotations",
                    "fallow.dev/before-pause")
                .text())
        .contains("\"hpa\":[\"web-scaler\"]");
    assertThat(field("batch/v1", "jobs", "job", "spec", "suspend").text()).isEqualTo("true");
    assertThat(
            field("kubeflow.org/v1", "pytorchjobs", "torch", "spec", "runPolicy", "suspend").text())
        .isEqualTo("true");
    assertThat(
            field(
                    "kubeflow.org/v1",
                    "notebooks",
                    "nb",
                    "metadata",
                    "annotations",
                    "kubeflow-resource-stopped")
                .text())
        .isNotEmpty();
    assertThat(
            field(
                    "serving.kserve.io/v1beta1",
                    "inferenceservices",
                    "llm",
                    "metadata",
                    "annotations")
                .keys())
        .containsExactlyInAnyOrder("note", "serving.kserve.io/stop");
    for (String scaler : List.of(SCALER, GROUP_SCALER)) {
      assertThat(
              rig.admin()
                  .get(scaler)
                  .json()
                  .at("metadata", "annotations", "autoscaling.keda.sh/paused-replicas")
                  .text())
          .isEqualTo("0");
    }
    assertThat(field("apps/v1", "deployments", "scaled", "spec", "replicas").number()).isEqualTo(2);
    assertThat(
            field(
                    "leaderworkerset.x-k8s.io/v1",
                    "leaderworkersets",
                    "scaled-group",
                    "spec",
                    "replicas")
                .number())
        .isEqualTo(2);
  }

  @Test
  @Order(2)
  void aSecondRunLeavesTheRecordsOfTheFirst() {
    String stored = scalerRecord();
    RecordedConsole console = prune("-e", "drsinljJypo*");
    assertThat(console.exitCode()).as(console.err()).isZero();
    assertThat(console.out()).doesNotContain("\"result\":\"paused\"");
    assertThat(scalerRecord()).isEqualTo(stored).contains("7");
    assertThat(
            field(
                    "example.com/v1",
                    "flocks",
                    "geese",
                    "metadata",
                    "annotations",
                    "fallow.dev/before-pause")
                .text())
        .contains("7");
  }

  private static String scalerRecord() {
    return rig.admin()
        .get(SCALER)
        .json()
        .at("metadata", "annotations", "fallow.dev/before-pause")
        .text();
  }

  @Test
  @Order(2)
  void aPodDisruptionBudgetIsToldAndHoldsNothingUp() {
    assertThat(reasonOf("deployments", "web"))
        .contains("PodDisruptionBudget always-one bounds evictions");
    assertThat(reasonOf("statefulsets", "db")).doesNotContain("PodDisruptionBudget");
  }

  private static String reasonOf(String plural, String name) {
    return field("apps/v1", plural, name, "metadata", "annotations", "fallow.dev/pause-reason")
        .text();
  }

  @Test
  @Order(2)
  void theEventStandsOnTheWorkload() {
    assertThat(rig.kubectl("describe", "deployment/web", "-n", "zoo"))
        .contains("Paused")
        .contains("fallow");
  }

  @Test
  @Order(3)
  void theKubectlCommandOnTheObjectResumesIt() {
    runTheCommandIn(reasonOf("statefulsets", "db"));
    assertEqualsBefore("/apis/apps/v1/namespaces/zoo/statefulsets/db");
  }

  @Test
  @Order(4)
  void everyKindIsBroughtBackExactly() {
    for (Kind kind : KINDS) {
      if (!kind.name().equals("db")) {
        resume(kind.plural() + "/" + kind.name());
      }
      assertEqualsBefore(kind.path());
    }
    SCALED.forEach(PauseKindsTest::resume);
    assertEqualsBefore(SCALER);
    assertEqualsBefore(GROUP_SCALER);
  }

  @Test
  @Order(5)
  void theKubectlCommandOfEveryKindBringsItBackExactly() {
    ConnectionOptions options =
        new ConnectionOptions(Optional.of(account), Optional.empty(), "test", System.getenv());
    try (KubernetesConnection connection = KubernetesConnection.openForChanges(options)) {
      List<Workload> workloads =
          OwnerResolver.workloadsOf(
              new OneShotClusterReader(connection, Optional.of("zoo")).read());
      assertThat(workloads).hasSize(before.size());
      WorkloadWriter writer = new WorkloadWriter(connection, Clock.systemUTC(), (step, kind) -> {});
      Intent intent = new Intent("i3", "1-test", Instant.now());
      PauseNote note = new PauseNote("fallow", "Paused.", 1, "", false);
      for (Workload workload : workloads) {
        assertThat(writer.announce(workload, intent)).isInstanceOf(Outcome.Done.class);
        assertThat(writer.pause(workload, intent, note, root -> Optional.empty()))
            .isInstanceOf(Outcome.Done.class);
      }
    }
    for (String path : before.keySet()) {
      // Of an InferenceService it stands on what is kept beside it.
      String marked =
          path.replaceFirst(
              ".*/inferenceservices/",
              "/apis/fallow.dev/v1/namespaces/zoo/workloadstates/inferenceservice-");
      runTheCommandIn(
          rig.admin()
              .get(marked)
              .orThrow()
              .json()
              .at("metadata", "annotations", "fallow.dev/pause-reason")
              .text());
      assertEqualsBefore(path);
    }
  }

  /** With the event about it a pause takes one more. What is listed is listed for all of them. */
  @Test
  @Order(6)
  void toPauseOneTakesFiveRequestsAtMost() {
    ConnectionOptions options =
        new ConnectionOptions(Optional.of(account), Optional.empty(), "test", System.getenv());
    try (KubernetesConnection connection = KubernetesConnection.openForChanges(options)) {
      List<Workload> workloads =
          OwnerResolver.workloadsOf(
              new OneShotClusterReader(connection, Optional.of("zoo")).read());
      assertThat(workloads).hasSize(KINDS.size() + 2);
      WorkloadWriter writer = new WorkloadWriter(connection, Clock.systemUTC(), (step, kind) -> {});
      Intent intent = new Intent("i2", "1-test", Instant.now());
      PauseNote note = new PauseNote("fallow", "Paused.", 1, "", false);
      AuditLog log = rig.audit().fromHere();
      Map<String, Instant> announced = new TreeMap<>();
      Map<String, Instant> paused = new TreeMap<>();
      for (Workload workload : workloads) {
        announced.put(workload.root().toString(), Instant.now());
        assertThat(writer.announce(workload, intent)).isInstanceOf(Outcome.Done.class);
        paused.put(workload.root().toString(), Instant.now());
        assertThat(writer.pause(workload, intent, note, root -> Optional.empty()))
            .isInstanceOf(Outcome.Done.class);
      }
      Instant end = Instant.now();
      // Nothing that it asks afterwards is counted; once this is in the log, all else is too.
      writer.marks(workloads.getLast().root());
      List<AuditEntry> asked =
          Awaitility.await()
              .atMost(Duration.ofMinutes(1))
              .until(
                  () -> log.entries(entry -> entry.userAgent().equals("fallow/test")),
                  entries -> entries.getLast().at().isAfter(end));
      assertThat(asked.stream().filter(entry -> entry.verb().equals("list"))).hasSizeBetween(1, 6);
      List<AuditEntry> each = asked.stream().filter(entry -> !entry.verb().equals("list")).toList();
      paused.forEach((workload, from) -> {
        assertThat(between(each, announced.get(workload), from))
            .as(workload + " announced")
            .hasSizeBetween(1, 3);
        Instant next =
            announced.values().stream().filter(from::isBefore).min(Instant::compareTo).orElse(end);
        assertThat(between(each, from, next)).as(workload + " paused").hasSizeBetween(2, 5);
      });
    }
    KINDS.forEach(kind -> resume(kind.plural() + "/" + kind.name()));
    SCALED.forEach(PauseKindsTest::resume);
  }

  @Test
  @Order(8)
  void anInferenceServiceThatDoesNotStopIsLetGoAndNotTriedAgain() {
    LiveFleet fleet = new LiveFleet(rig);
    fleet.namespace("deaf");
    fleet.pod(
        fleet.create(
            "/apis/serving.kserve.io/v1beta1/namespaces/deaf/inferenceservices",
            "{\"apiVersion\":\"serving.kserve.io/v1beta1\",\"kind\":\"InferenceService\",\"metadata\":{\"name\":\"old\"},\"spec\":{\"predictor\":{"
                + CONTAINERS
                + "}}}"),
        LiveFleet::idle);
    try (RigPrometheus more = RigPrometheus.builder().backfill(fleet.samples(folder)).start()) {
      RecordedConsole console = prune("-n", "deaf", "--prometheus-url", more.url().toString());
      assertThat(console.out()).contains("left alone: CONTESTED");
      String path = "/apis/serving.kserve.io/v1beta1/namespaces/deaf/inferenceservices/old";
      assertThat(rig.admin().get(path).json().at("metadata", "annotations").keys()).isEmpty();
      assertThat(prune("-n", "deaf", "--prometheus-url", more.url().toString()).out())
          .contains("\"reason\":\"CONTESTED\"");
    }
  }

  @Test
  @Order(7)
  void whatWasResumedIsLeftAloneForAWindow() {
    RecordedConsole console = prune("-e", "drsinljJypo*");
    assertThat(console.exitCode()).as(console.err()).isZero();
    assertThat(console.out()).contains("RESUMED_LATELY");
    assertThat(field("apps/v1", "deployments", "web", "spec", "replicas").number()).isEqualTo(3);
  }

  /** Its keep stands beside it, so the write that pauses does not meet it. */
  @Test
  @Order(9)
  void aKeepInTheMomentOfThePauseOfAnInferenceServiceBinds() {
    LiveFleet fleet = new LiveFleet(rig);
    fleet.namespace("race");
    fleet.pod(
        fleet.create(
            "/apis/serving.kserve.io/v1beta1/namespaces/race/inferenceservices",
            "{\"apiVersion\":\"serving.kserve.io/v1beta1\",\"kind\":\"InferenceService\",\"metadata\":{\"name\":\"quick\"},\"spec\":{\"predictor\":{"
                + CONTAINERS
                + "}}}"),
        LiveFleet::idle);
    ConnectionOptions options =
        new ConnectionOptions(Optional.of(account), Optional.empty(), "test", System.getenv());
    try (KubernetesConnection connection = KubernetesConnection.openForChanges(options)) {
      Workload workload =
          OwnerResolver.workloadsOf(
                  new OneShotClusterReader(connection, Optional.of("race")).read())
              .getFirst();
      String state = "/apis/fallow.dev/v1/namespaces/race/workloadstates/inferenceservice-quick";
      Step.Observer person =
          (step, kind) -> {
            if (step == Step.BEFORE_WRITE) {
              rig.admin()
                  .patch(
                      state,
                      "{\"metadata\":{\"annotations\":{\"fallow.dev/keep-until\":\"%s\"}}}"
                          .formatted(Instant.now().plusSeconds(3600)))
                  .orThrow();
            }
          };
      WorkloadWriter writer = new WorkloadWriter(connection, Clock.systemUTC(), person);
      Intent intent = new Intent("i1", "1-test", Instant.now());
      assertThat(writer.announce(workload, intent)).isInstanceOf(Outcome.Done.class);
      assertThat(
              writer.pause(
                  workload,
                  intent,
                  new PauseNote("fallow", "Paused.", 1, "", false),
                  root -> Optional.empty()))
          .isInstanceOf(Outcome.Refused.class);
      String path = "/apis/serving.kserve.io/v1beta1/namespaces/race/inferenceservices/quick";
      assertThat(rig.admin().get(path).json().at("metadata", "annotations").keys()).isEmpty();
      assertThat(rig.admin().get(state).json().at("metadata", "annotations").keys())
          .containsExactly("fallow.dev/keep-until");

      // A person may write one on the workload itself, and ending it ends both.
      rig.admin()
          .patch(
              path,
              "{\"metadata\":{\"annotations\":{\"fallow.dev/keep-until\":\"2099-01-01T00:00:00Z\"}}}")
          .orThrow();
      assertThat(writer.note(workload.root(), Keep.cleared())).isInstanceOf(Outcome.Done.class);
      assertThat(rig.admin().get(path).json().at("metadata", "annotations").keys()).isEmpty();
      assertThat(rig.admin().get(state).json().at("metadata", "annotations").keys()).isEmpty();
    }
  }

  /** As a person would who copies it into a shell. */
  private static void runTheCommandIn(String reason) {
    String command = reason.substring(reason.indexOf("kubectl "));
    String patch = command.substring(command.indexOf('\'') + 1, command.lastIndexOf('\''));
    List<String> words =
        new ArrayList<>(List.of(command.substring(0, command.indexOf('\'')).strip().split(" ")));
    words.removeFirst();
    words.add(patch);
    rig.kubectl(words.toArray(String[]::new));
  }

  /** It can be scaled, says its definition; on these objects there is nothing to bring back. */
  @Test
  @Order(10)
  void whatHasNoNumberWhereItsDefinitionSaysIsNamedAndLeftAsItWas() {
    LiveFleet fleet = new LiveFleet(rig);
    fleet.namespace("aviary");
    String flocks = "/apis/example.com/v1/namespaces/aviary/flocks";
    Map<String, Json> made = new TreeMap<>();
    Map.of("absent", "{\"colour\":\"grey\"}", "half", "{\"birds\":{\"colour\":\"grey\"}}")
        .forEach((name, spec) ->
            made.put(
                name,
                fleet.create(
                    flocks,
                    "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Flock\",\"metadata\":{\"name\":\"%s\"},\"spec\":%s}"
                        .formatted(name, spec))));
    made.values().forEach(flock -> fleet.pod(flock, LiveFleet::idle));
    try (RigPrometheus more = RigPrometheus.builder().backfill(fleet.samples(folder)).start()) {
      RecordedConsole console =
          prune("-n", "aviary", "-e", "*", "--prometheus-url", more.url().toString());
      assertThat(Json.parse(console.out().strip()).at("items").items())
          .as(console.err() + console.out())
          .hasSize(2)
          .allSatisfy(item -> {
            assertThat(item.at("result").text()).isEqualTo("left alone: NO_SCALABLE_OWNER");
            assertThat(item.at("outcome").text()).endsWith("has no number at spec.birds.count");
          });
    }
    made.forEach((name, flock) -> {
      Json now = rig.admin().get(flocks + "/" + name).orThrow().json();
      assertThat(now.at("spec").toString()).isEqualTo(flock.at("spec").toString());
      assertThat(now.at("metadata", "annotations").keys()).isEmpty();
    });
  }

  private static List<String> between(List<AuditEntry> entries, Instant from, Instant to) {
    return entries.stream()
        .filter(entry -> entry.at().isAfter(from) && entry.at().isBefore(to))
        .map(entry -> entry.verb() + " " + entry.uri())
        .toList();
  }

  private static void resume(String name) {
    RecordedConsole console =
        RecordedConsole.run("resume", name, "-n", "zoo", "--kubeconfig", account.toString());
    assertThat(console.exitCode()).as(name + ": " + console.err()).isZero();
  }

  /** Specification, labels and annotations, absent where they were absent. */
  private static void assertEqualsBefore(String path) {
    Json now = rig.admin().get(path).orThrow().json();
    assertThat(now.at("spec").toString())
        .as(path)
        .isEqualTo(before.get(path).at("spec").toString());
    for (String part : List.of("labels", "annotations")) {
      assertThat(now.at("metadata", part).toString())
          .as(path + " " + part)
          .isEqualTo(before.get(path).at("metadata", part).toString());
    }
  }

  private static Json field(String apiVersion, String plural, String name, String... path) {
    String root = apiVersion.contains("/") ? "/apis/" : "/api/";
    return rig.admin()
        .get(root + apiVersion + "/namespaces/zoo/" + plural + "/" + name)
        .orThrow()
        .json()
        .at(path);
  }

  private static RecordedConsole prune(String... words) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "prune",
                "-r",
                "scale-down",
                "-o",
                "json",
                "--max-share-per-namespace",
                "100%",
                "--max-pauses-per-cycle",
                "40",
                "--kubeconfig",
                account.toString(),
                "--ledger",
                "none"));
    all.addAll(List.of(words));
    if (!all.contains("--prometheus-url")) {
      all.addAll(List.of("--prometheus-url", prometheus.url().toString()));
    }
    return RecordedConsole.run(all);
  }

  private static Path root() {
    return Path.of(System.getProperty("fallow.root", "."));
  }
}
