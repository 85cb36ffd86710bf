package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fallow.app.RecordedConsole;
import dev.fallow.rig.ApiClient;
import dev.fallow.rig.ApiResponse;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import dev.fallow.systemtests.faults.FallowProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The shipped manifests are enough for pruning, and for nothing else. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class LeastPrivilegeTest {

  private static final String TRAINER = "/apis/apps/v1/namespaces/ml/deployments/trainer";
  private static final String SERVER = "/apis/apps/v1/namespaces/other/deployments/server";

  private static final Predicate<String> NOBODYS_BUSINESS =
      Pattern.compile(
              "\\w+ (secrets|configmaps|serviceaccounts|(cluster)?roles|.*/(proxy|exec|attach|portforward|token|log|ephemeralcontainers))\\..*")
          .asMatchPredicate();

  @TempDir static Path folder;

  private static Rig rig;
  private static RigPrometheus prometheus;
  private static ApiClient ours;
  private static Path account;
  private static Path viewer;

  @BeforeAll
  static void start() {
    rig = Rig.builder().withCrds().user("alice").start();
    Path deploy = Path.of(System.getProperty("fallow.root", ".")).resolve("deploy");
    account = ShippedAccount.in(rig);
    viewer = ShippedAccount.ofViewerIn(rig);
    rig.kubectl("apply", "-k", deploy.resolve("exporter").toString());
    LiveFleet fleet = new LiveFleet(rig);
    fleet.pod(fleet.deployment("ml", "trainer", 2), LiveFleet::idle);
    fleet.pod(fleet.deployment("other", "server", 2), LiveFleet::busy);
    prometheus = RigPrometheus.builder().backfill(fleet.samples(folder)).start();
    ours = rig.serviceAccountClient("fallow-system", "fallow");
  }

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
  void theShippedAccountPausesAndResumes() {
    RecordedConsole paused = prune();
    assertThat(paused.exitCode()).as(paused.err()).isZero();
    assertThat(paused.err()).contains("1 paused").doesNotContain("cannot be");
    assertThat(trainer("spec", "replicas").number()).isZero();
    RecordedConsole resumed =
        RecordedConsole.run(
            "resume", "deploy/trainer", "-n", "ml", "--kubeconfig", account.toString());
    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    assertThat(trainer("spec", "replicas").number()).isEqualTo(2);
  }

  @Test
  void anImageALabelAFinalizerAndSomebodysAnnotationAreNotOurs() {
    for (String change :
        List.of(
            "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"evil\"}]}}}}",
            "{\"spec\":{\"paused\":true}}",
            "{\"spec\":{\"replicas\":1,\"minReadySeconds\":5}}",
            "{\"metadata\":{\"labels\":{\"team\":\"blue\"}}}",
            "{\"metadata\":{\"finalizers\":[\"fallow.dev/x\"]}}",
            "{\"metadata\":{\"annotations\":{\"somebody\":\"else\"}}}")) {
      ApiResponse reply = patch(TRAINER, change);
      assertThat(reply.status()).as(change).isEqualTo(422);
      assertThat(reply.body()).contains("fallow may change no");
    }
  }

  @Test
  void whatThePolicyLeavesIsPossible() {
    assertThat(
            patch(TRAINER, "{\"metadata\":{\"annotations\":{\"fallow.dev/probe\":\"x\"}}}")
                .status())
        .isEqualTo(200);
    assertThat(
            patch(TRAINER, "{\"metadata\":{\"annotations\":{\"fallow.dev/probe\":null}}}").status())
        .isEqualTo(200);
  }

  /** On a workload that is busy, so that no other test meets it kept. */
  @Test
  void gpuPrunersKeepIsTakenOffAndNeverWritten() {
    String written =
        "{\"metadata\":{\"annotations\":{\"gpu-pruner.io/ack-until\":\"%s\",\"gpu-pruner.io/ack-by\":\"alice\"}}}";
    assertThat(patch(SERVER, written.formatted("2030-01-01T00:00:00Z")).status()).isEqualTo(422);
    rig.admin().patch(SERVER, written.formatted("2030-01-01T00:00:00Z")).orThrow();
    assertThat(patch(SERVER, written.formatted("2040-01-01T00:00:00Z")).status()).isEqualTo(422);
    RecordedConsole ended =
        RecordedConsole.run(
            "keep", "deploy/server", "--clear", "-n", "other", "--kubeconfig", account.toString());
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    Json annotations = rig.admin().get(SERVER).orThrow().json().at("metadata", "annotations");
    assertThat(annotations.toString()).doesNotContain("gpu-pruner.io");
  }

  /** No controller adds roles together here, so she has by name what the role edit would have. */
  @Test
  void anEditorKeepsAnInferenceService() {
    rig.admin()
        .post(
            "/apis/serving.kserve.io/v1beta1/namespaces/other/inferenceservices",
            """
            {"apiVersion":"serving.kserve.io/v1beta1","kind":"InferenceService","metadata":{"name":"llm"},
             "spec":{"predictor":{"containers":[{"name":"main","image":"none"}]}}}
            """)
        .orThrow();
    List<String> keep =
        List.of(
            "keep",
            "inferenceservice/llm",
            "-n",
            "other",
            "--kubeconfig",
            rig.kubeconfigFor("alice").toString());
    rig.kubectl(
        "create",
        "role",
        "serving",
        "-n",
        "other",
        "--verb=get,patch",
        "--resource=inferenceservices.serving.kserve.io");
    rig.kubectl(
        "create", "rolebinding", "serving", "-n", "other", "--role=serving", "--user=alice");
    assertThat(RecordedConsole.run(keep).exitCode()).as("her record may not be read").isEqualTo(3);
    rig.kubectl(
        "create",
        "rolebinding",
        "states",
        "-n",
        "other",
        "--clusterrole=fallow-workloadstates-edit",
        "--user=alice");
    // The API server takes a moment to know a new binding.
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> {
          RecordedConsole kept = RecordedConsole.run(keep);
          assertThat(kept.exitCode()).as(kept.err()).isZero();
        });
    assertThat(
            rig.admin()
                .get("/apis/fallow.dev/v1/namespaces/other/workloadstates/inferenceservice-llm")
                .orThrow()
                .json()
                .at("metadata", "annotations")
                .keys())
        .contains("fallow.dev/keep-until");
    List<String> clear = new ArrayList<>(keep);
    clear.add("--clear");
    RecordedConsole ended = RecordedConsole.run(clear);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
  }

  @Test
  void othersAreNotBoundByThePolicy() {
    assertThat(
            rig.admin().patch(TRAINER, "{\"metadata\":{\"labels\":{\"by\":\"admin\"}}}").status())
        .isEqualTo(200);
  }

  @Test
  void deletingAndReadingSecretsIsForbidden() {
    assertThat(ours.delete(TRAINER).status()).isEqualTo(403);
    assertThat(ours.get("/api/v1/secrets").status()).isEqualTo(403);
    for (String namespace : List.of("ml", "fallow-system", "kube-system")) {
      assertThat(ours.get("/api/v1/namespaces/" + namespace + "/secrets/any").status())
          .as("a secret by its name in " + namespace)
          .isEqualTo(403);
    }
    assertThat(ours.get("/api/v1/namespaces/ml/configmaps").status()).isEqualTo(403);
  }

  /** What its account may do in a namespace, without asking who it is itself. */
  private static Set<String> rights(String namespace) {
    return rights(ours, namespace);
  }

  private static Set<String> rights(ApiClient account, String namespace) {
    Set<String> allowed = new TreeSet<>();
    Json rules =
        account
            .post(
                "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SelfSubjectRulesReview\",\"spec\":{\"namespace\":\"%s\"}}"
                    .formatted(namespace))
            .orThrow()
            .json();
    assertThat(rules.at("status", "incomplete").text()).isEqualTo("false");
    for (Json rule : rules.at("status", "resourceRules").items()) {
      for (Json verb : rule.at("verbs").items()) {
        for (Json resource : rule.at("resources").items()) {
          for (Json group : rule.at("apiGroups").items()) {
            if (!group.text().startsWith("authorization.k8s.io")
                && !group.text().startsWith("authentication.k8s.io")) {
              allowed.add(verb.text() + " " + resource.text() + "." + group.text());
            }
          }
        }
      }
    }
    return allowed;
  }

  /** Every verb on every resource that the API server has. */
  @Test
  void theWholeMatrixOfRightsIsWhatTheManifestsSay() {
    Set<String> everywhere = rights("ml");
    assertThat(rights("kube-system")).isEqualTo(everywhere);
    assertThat(everywhere)
        .noneMatch(right -> right.contains("*"))
        .allMatch(right -> right.matches("(get|list|watch|patch|create) .*"))
        .noneMatch(NOBODYS_BUSINESS);
    assertThat(everywhere)
        .filteredOn(right -> right.startsWith("patch"))
        .containsExactlyInAnyOrder(
            "patch deployments.apps",
            "patch replicasets.apps",
            "patch statefulsets.apps",
            "patch notebooks.kubeflow.org",
            "patch inferenceservices.serving.kserve.io",
            "patch scaledobjects.keda.sh",
            "patch workloadstates.fallow.dev");
    assertThat(everywhere)
        .filteredOn(right -> right.startsWith("create"))
        .containsExactlyInAnyOrder("create events.", "create workloadstates.fallow.dev");

    for (String kind : List.of("services", "configurations", "revisions")) {
      assertThat(everywhere)
          .as("what stands between a pod and a serverless InferenceService")
          .contains(
              "get " + kind + ".serving.knative.dev", "list " + kind + ".serving.knative.dev");
    }

    Set<String> athome = new TreeSet<>(rights("fallow-system"));
    athome.removeAll(everywhere);
    assertThat(athome)
        .isNotEmpty()
        .allMatch(right -> right.endsWith(" leases.coordination.k8s.io"));
  }

  /** Bound to somebody else here, so that the account's own rights stay what the base gives. */
  @Test
  void theFurtherKindsAddThePatchOfThemselvesAndNothingElse() throws IOException {
    ApiClient more = boundTo("pruner-more", "deploy/base/pruner-more.yaml", "ml");
    rig.kubectl(
        "create",
        "clusterrolebinding",
        "more",
        "--clusterrole=fallow-pruner-more",
        "--serviceaccount=ml:pruner-more");
    awaitRight(more, "ml", "patch jobs.batch");
    Set<String> rights = rights(more, "other");
    assertThat(rights)
        .filteredOn(right -> !right.matches("(get|list|watch) .*"))
        .containsExactlyInAnyOrder(
            "patch leaderworkersets.leaderworkerset.x-k8s.io",
            "patch jobs.batch",
            "patch jobsets.jobset.x-k8s.io",
            "patch rayclusters.ray.io",
            "patch pytorchjobs.kubeflow.org",
            "patch tfjobs.kubeflow.org",
            "patch mpijobs.kubeflow.org",
            "patch xgboostjobs.kubeflow.org",
            "patch paddlejobs.kubeflow.org",
            "patch jaxjobs.kubeflow.org",
            "patch trainjobs.trainer.kubeflow.org",
            "patch rollouts.argoproj.io",
            "patch replicationcontrollers.");
    assertThat(rights).noneMatch(right -> right.contains("*")).noneMatch(NOBODYS_BUSINESS);
    assertThat(more.delete("/apis/batch/v1/namespaces/other/jobs/any").status()).isEqualTo(403);
  }

  @Test
  void whoLooksAtOneNamespaceReadsThatOneAndChangesNothing() throws IOException {
    ApiClient teammate = boundTo("teammate", "deploy/rbac/namespace-viewer.yaml", "ml");
    rig.kubectl(
        "create",
        "rolebinding",
        "teammate",
        "-n",
        "ml",
        "--role=fallow-viewer",
        "--serviceaccount=ml:teammate");
    awaitRight(teammate, "ml", "list pods.");
    assertThat(rights(teammate, "ml"))
        .allMatch(right -> right.matches("(get|list) .*"))
        .noneMatch(right -> right.contains("*"))
        .noneMatch(NOBODYS_BUSINESS);
    assertThat(rights(teammate, "other")).isEmpty();
  }

  /** An account of its own, and the role of a shipped file without the file's binding. */
  private static ApiClient boundTo(String account, String file, String namespace)
      throws IOException {
    String role = Files.readString(Path.of(System.getProperty("fallow.root", ".")).resolve(file));
    Path alone = Files.writeString(folder.resolve(account + ".yaml"), role.split("\n---\n", 2)[0]);
    rig.kubectl("apply", "-f", alone.toString());
    rig.kubectl("create", "serviceaccount", account, "-n", namespace);
    return rig.serviceAccountClient(namespace, account);
  }

  /** The API server takes a moment to know a new binding. */
  private static void awaitRight(ApiClient account, String namespace, String right) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> rights(account, namespace).contains(right));
  }

  @Test
  void theExportersAccountMayReadWhoHoldsWhatAndNothingElse() {
    ApiClient exporter = rig.serviceAccountClient("fallow-system", "fallow-exporter");
    for (String namespace : List.of("ml", "kube-system", "fallow-system")) {
      assertThat(rights(exporter, namespace))
          .contains("list pods.", "watch replicasets.apps")
          .allMatch(right -> right.matches("(get|list|watch) .*"))
          .noneMatch(right -> right.contains("*"))
          .noneMatch(right ->
              right.matches(
                  "\\w+ (secrets|configmaps|events|serviceaccounts|(cluster)?roles|.*/.*)\\..*"));
    }
    RecordedConsole looked =
        RecordedConsole.run(
            "list",
            "--kubeconfig",
            rig.kubeconfigForServiceAccount("fallow-system", "fallow-exporter").toString(),
            "--prometheus-url",
            prometheus.url().toString());
    assertThat(looked.exitCode()).as(looked.err()).isZero();
    assertThat(looked.err()).doesNotContain("cannot be");
  }

  /** The pods have two hours of history: of a whole day that is less than 6 of 48 moments. */
  @Test
  void aViewerIsProposedAnAutoscalerThatTheApiServerTakes() throws IOException {
    RecordedConsole proposed = suggest("--history", "2h");
    assertThat(proposed.exitCode()).as(proposed.err()).isZero();
    assertThat(proposed.out()).contains("# Proposed by fallow hpa suggest for", "target 64:");
    Path manifest = Files.writeString(folder.resolve("hpa.yaml"), proposed.out());
    Json taken =
        Json.parse(
            rig.kubectl("apply", "--dry-run=server", "-o", "json", "-f", manifest.toString()));
    assertThat(taken.at("metadata", "namespace").text()).isEqualTo("other");
    assertThat(taken.at("spec", "scaleTargetRef").toString())
        .isEqualTo("{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"server\"}");
    Json pods = taken.at("spec", "metrics").items().getFirst().at("pods");
    assertThat(pods.at("metric", "name").text()).isEqualTo("gpu_utilization");
    assertThat(pods.at("target", "averageValue").text()).isEqualTo("64");

    RecordedConsole tooShort = suggest("--history", "24h");
    assertThat(tooShort.exitCode()).isEqualTo(1);
    assertThat(tooShort.out()).isEmpty();
    assertThat(tooShort.err()).contains("of 48 moments only", "shorter --history");
  }

  private static RecordedConsole suggest(String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "hpa",
                "suggest",
                "deploy/server",
                "-n",
                "other",
                "--kubeconfig",
                viewer.toString(),
                "--prometheus-url",
                prometheus.url().toString()));
    words.addAll(List.of(more));
    return RecordedConsole.run(words);
  }

  @Test
  void theExportersAccountIsEnoughToPublishWhatPrometheusKnows() {
    assertThatHalfOfTheFleetIsInUse("--prometheus-url", prometheus.url().toString());
  }

  @Test
  void theExportersAccountIsEnoughToFindExportersAndPublishWhatTheyTell() throws SocketException {
    Optional<InetAddress> address = TextExporter.outerAddress();
    assumeTrue(
        address.isPresent(),
        "an EndpointSlice may not hold a loopback address, and this machine has no other");
    rig.kubectl("create", "namespace", "gpu-operator");
    try (TextExporter idle = new TextExporter(address.get());
        TextExporter busy = new TextExporter(address.get())) {
      idle.shows("node-trainer-0", 0, "ml", "trainer-0", 0)
          .foundIn(rig, "dcgm-1", "node-trainer-0");
      busy.shows("node-server-1", 0, "other", "server-1", 0.8)
          .foundIn(rig, "dcgm-2", "node-server-1");
      assertThatHalfOfTheFleetIsInUse("--source", "scrape", "--scrape-interval", "1s");
    }
  }

  /** One GPU does nothing, the other is at 80. */
  private static void assertThatHalfOfTheFleetIsInUse(String... source) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "serve",
                "--only",
                "exporter",
                "--kubeconfig",
                rig.kubeconfigForServiceAccount("fallow-system", "fallow-exporter").toString()));
    words.addAll(List.of(source));
    try (FallowProcess exporter = FallowProcess.daemon(folder, "exporter", Map.of(), words)) {
      exporter.awaitUp();
      Awaitility.await()
          .atMost(java.time.Duration.ofMinutes(1))
          .untilAsserted(() ->
              assertThat(exporter.page("/metrics"))
                  .containsPattern(
                      "gpu_inuse_utilization_percent\\{name=\"[^\"]*\",scope=\"cluster\"} 40\\.0")
                  .containsPattern(
                      "gpu_workload_utilization_percent\\{agg=\"avg\",namespace=\"other\",workload=\"server\",workload_kind=\"Deployment\"}"
                          + " 80\\.0"));
    }
  }

  private static ApiResponse patch(String path, String json) {
    return ours.patch(path, json);
  }

  private static Json trainer(String... path) {
    return rig.admin().get(TRAINER).orThrow().json().at(path);
  }

  private static RecordedConsole prune() {
    List<String> all =
        new ArrayList<>(
            List.of(
                "prune",
                "-r",
                "scale-down",
                "--kubeconfig",
                account.toString(),
                "--prometheus-url",
                prometheus.url().toString()));
    return RecordedConsole.run(all);
  }
}
