package dev.fallow.systemtests.autoscale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

import dev.fallow.rig.ApiClient;
import dev.fallow.rig.ApiResponse;
import dev.fallow.rig.AuditEntry;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.Json;
import dev.fallow.rig.RigException;
import dev.fallow.rig.RigFailureReport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/**
 * Nothing but {@code fallow serve --only metrics} and plain HPAs, all {@link Scenarios} at once;
 * the cluster's own autoscaler follows at its usual pace. A faster one would look again before what
 * it did can show. That is mostly waiting, so other tests go on beside it; its own steps follow
 * each other.
 */
@Tag("rig")
@Execution(CONCURRENT)
@ExtendWith(RigFailureReport.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ServedAutoscalingTest {

  private static final Duration LIMIT = Duration.ofSeconds(240);
  private static final String CUSTOM = "/apis/custom.metrics.k8s.io/v1beta2/namespaces/ml";

  /** Two looks of an autoscaler, and what it takes to be late. */
  private static final Duration TWO_LOOKS = Duration.ofSeconds(32);

  @TempDir static Path folder;

  private static final Map<String, Scenario> SCENARIOS = new TreeMap<>();
  private static AutoscaleStage stage;
  private static AuditLog atWork;

  @BeforeAll
  static void start() {
    stage = AutoscaleStage.withPrometheus(folder);
    Scenarios.all().forEach(one -> SCENARIOS.put(one.name(), one));
  }

  @AfterAll
  static void stop() {
    if (stage != null) {
      stage.close();
    }
  }

  private static String example(String file) {
    return AutoscaleStage.root().resolve("deploy/examples/gpu-hpa").resolve(file).toString();
  }

  private static Scenario scenario(String name) {
    Scenario one = SCENARIOS.get(name);
    assertThat(one).as(name).isNotNull();
    return one;
  }

  private static List<String> astray(Map<String, Integer> wanted) {
    Map<Scenario, Integer> all = new LinkedHashMap<>();
    wanted.forEach((name, replicas) -> all.put(scenario(name), replicas));
    return stage.astray(all);
  }

  /** Waits until all have what they should have, and goes on to have it for two looks. */
  private static void awaitAll(Map<String, Integer> wanted) {
    await().atMost(LIMIT).untilAsserted(() -> assertThat(astray(wanted)).isEmpty());
    await()
        .during(TWO_LOOKS)
        .atMost(TWO_LOOKS.plusSeconds(20))
        .untilAsserted(() -> assertThat(astray(wanted)).isEmpty());
  }

  /** The first step of the example: exporters come to the nodes that are named. */
  @Test
  @Order(1)
  @Execution(SAME_THREAD)
  void exportersComeToTheNodesThatAreNamed() {
    stage.rig.kubectl("label", "node", "n1", "accelerator=nvidia-gpu");
    stage.rig.kubectl("apply", "-f", example("dcgm-exporter.yaml"));
    await()
        .atMost(LIMIT)
        .untilAsserted(() ->
            assertThat(
                    stage.rig.kubectl(
                        "get",
                        "pods",
                        "-n",
                        "gpu-monitoring",
                        "-l",
                        "app=dcgm-exporter",
                        "-o",
                        "wide"))
                .contains("Running")
                .contains("n1"));
  }

  @Test
  @Order(2)
  @Execution(SAME_THREAD)
  void plainAutoscalersReachWhatTheFormulaSays() {
    SCENARIOS.values().forEach(stage::deploy);
    deployWhatOperatorsOwn();
    stage.rig.kubectl("expose", "deployment", "of-a-service", "-n", "ml", "--port=80");
    // The public walkthrough, as its files have it.
    stage.measure(Scenario.of("cuda-test", 1, 2, 10), 10);
    stage.rig.kubectl("apply", "-n", "ml", "-f", example("cuda-test.yaml"));
    await()
        .atMost(LIMIT)
        .until(() ->
            SCENARIOS.values().stream()
                .allMatch(one -> stage.pods(one).size() == one.from() && stage.allRunning(one)));
    // Of these three one warms up for longer than this takes.
    stage.rig.kubectl(
        "annotate",
        "pod",
        "-n",
        "ml",
        stage.pods(scenario("one-warming")).getFirst().at("metadata", "name").text(),
        "fallow.dev/warmup=12h");
    await().atMost(LIMIT).until(stage::answers);
    await()
        .atMost(LIMIT)
        .ignoreException(RigException.class)
        .untilAsserted(() ->
            assertThat(stage.rig.kubectl("get", "--raw", "/apis/custom.metrics.k8s.io/v1beta1"))
                .contains("deployments.apps/cuda_test_gpu_avg"));
    SCENARIOS.values().forEach(stage::autoscale);
    stage.rig.kubectl("apply", "-n", "ml", "-f", example("hpa.yaml"));

    Map<String, Integer> wanted = new TreeMap<>();
    SCENARIOS.values().forEach(one -> wanted.put(one.name(), one.to()));
    awaitAll(wanted);
    assertThat(wanted).hasSizeGreaterThanOrEqualTo(38);
    await()
        .atMost(LIMIT)
        .ignoreException(RigException.class)
        .untilAsserted(() -> {
          assertThat(
                  stage.rig.kubectl(
                      "get", "--raw", CUSTOM + "/deployments.apps/cuda-test/cuda_test_gpu_avg"))
              .contains("\"value\":\"5\"");
          assertThat(stage.rig.kubectl("get", "hpa", "cuda-test", "-n", "ml")).contains(" 5/5 ");
        });
    // They hold because there is no number, and not because nobody looked.
    for (String name : List.of("all-warming", "all-not-a-number", "all-blank", "nothing-seen")) {
      assertThat(stage.condition(scenario(name), "ScalingActive")).as(name).isEqualTo("False");
    }
    for (String name : List.of("tolerated-above", "tolerated-below", "one-warming")) {
      assertThat(stage.condition(scenario(name), "ScalingActive")).as(name).isEqualTo("True");
    }
    atWork = stage.rig.audit().fromHere();
  }

  /** What other projects' controllers would make of their objects, made by hand. */
  private static void ownedByAnOperator(Scenario scenario, String collection, String owner) {
    Json made = stage.api().post(collection, owner).orThrow().json();
    stage.deploy(scenario);
    stage
        .api()
        .patch(
            scenario.path(),
            "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":%s,\"kind\":%s,\"name\":%s,\"uid\":%s,\"controller\":true}]}}"
                .formatted(
                    made.at("apiVersion"),
                    made.at("kind"),
                    made.at("metadata", "name"),
                    made.at("metadata", "uid")))
        .orThrow();
  }

  private static void deployWhatOperatorsOwn() {
    ownedByAnOperator(
        Scenario.of("model-predictor", 2, 2, 60),
        "/apis/serving.kserve.io/v1beta1/namespaces/ml/inferenceservices",
        """
        {"apiVersion":"serving.kserve.io/v1beta1","kind":"InferenceService","metadata":{"name":"model"},
         "spec":{"predictor":{}}}
        """);
    ownedByAnOperator(
        Scenario.of("group-leaders", 3, 3, 60).as("StatefulSet"),
        "/apis/leaderworkerset.x-k8s.io/v1/namespaces/ml/leaderworkersets",
        """
        {"apiVersion":"leaderworkerset.x-k8s.io/v1","kind":"LeaderWorkerSet","metadata":{"name":"group"},
         "spec":{"leaderWorkerTemplate":{"workerTemplate":{"spec":
          {"containers":[{"name":"main","image":"none"}]}}}}}
        """);
  }

  @Test
  @Order(3)
  @Execution(SAME_THREAD)
  void everyPathIsAnsweredInEachVersionToThoseWhoMayAsk() {
    ApiClient nobody = stage.rig.serviceAccountClient("ml", "default");
    for (String version : List.of("v1beta1", "v1beta2")) {
      String root = "/apis/custom.metrics.k8s.io/" + version + "/";
      Asked.ofObjects().forEach(asked -> awaitAnswer(root, asked, "describedObject"));
      for (Asked asked : Asked.ofObjects()) {
        String path = root + asked.path();
        assertRefusal(nobody.get(path), 403, "Forbidden", path);
        String unknown = path.replaceFirst("(gpu_util|DCGM)\\w+", "nowhere");
        assertRefusal(stage.api().get(unknown), 404, "NotFound", unknown);
      }
      String none = root + "namespaces/ml/deployments.apps/nobody/gpu_utilization";
      assertRefusal(stage.api().get(none), 404, "NotFound", none);
    }
    String root = "/apis/external.metrics.k8s.io/v1beta1/";
    for (Asked asked : Asked.external()) {
      awaitAnswer(root, asked, "metricLabels");
      assertRefusal(nobody.get(root + asked.path()), 403, "Forbidden", asked.path());
    }
    String unknown = root + "namespaces/ml/nowhere";
    assertRefusal(stage.api().get(unknown), 404, "NotFound", unknown);
  }

  private static void awaitAnswer(String root, Asked asked, String subject) {
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> {
          ApiResponse answer = stage.api().get(root + asked.path());
          assertThat(answer.status()).as(asked.path() + answer.body()).isEqualTo(200);
          assertThat(answer.json().at("items").items())
              .as(asked.path())
              .hasSize(asked.values())
              .allSatisfy(item -> {
                assertThat(item.at("value").text()).as(asked.path()).isEqualTo(asked.value());
                assertThat(item.at(subject, "kind").text()).isEqualTo(asked.kind());
              });
        });
  }

  /** As clients of Kubernetes read a refusal. */
  private static void assertRefusal(ApiResponse answer, int code, String reason, String path) {
    assertThat(answer.status()).as(path + answer.body()).isEqualTo(code);
    Json status = answer.json();
    assertThat(status.at("kind").text()).isEqualTo("Status");
    assertThat(status.at("apiVersion").text()).isEqualTo("v1");
    assertThat(status.at("status").text()).isEqualTo("Failure");
    assertThat(status.at("reason").text()).isEqualTo(reason);
    assertThat(status.at("code").number()).isEqualTo(code);
    assertThat(status.at("message").text()).isNotEmpty();
  }

  /** The same numbers, for whoever looks at a page instead of asking an API. */
  @Test
  @Order(3)
  @Execution(SAME_THREAD)
  void theExporterOfUsePublishesTheSame() {
    await()
        .atMost(LIMIT)
        .untilAsserted(() ->
            assertThat(stage.published())
                .containsPattern(
                    "gpu_workload_utilization_percent\\{agg=\"avg\",namespace=\"ml\",workload=\"up\",workload_kind=\"Deployment\"}"
                        + " 40\\.0")
                .containsPattern(
                    "gpu_inuse_utilization_percent\\{name=\"[^\"]*\",scope=\"cluster\"} \\d")
                .containsPattern("(?m)^avg_GPU_utilization 30\\.0")
                .containsPattern("cuda_test_gpu_avg\\{[^}]*} 5\\.0"));
  }

  @Test
  @Order(4)
  @Execution(SAME_THREAD)
  void theyFollowWhatChanges() {
    // The exporter does not see this one any more; the work it has would ask for eight.
    Scenario unseen = scenario("a-familys-own-name");
    stage.measure(unseen.exposing(Exposed.nothing()), 800);
    Map<String, Double> loads =
        Map.of(
            "up", 200.0,
            "down", 40.0,
            "instances", 80.0,
            "shared-cards", 200.0,
            "of-a-deployment", 50.0,
            "external", 200.0,
            "requests-waiting", 10.0,
            "to-zero", 10.0);
    loads.forEach((name, load) -> stage.measure(scenario(name), load));
    awaitAll(
        Map.of(
            "up", 5,
            "down", 1,
            "instances", 2,
            "shared-cards", 5,
            "of-a-deployment", 1,
            "external", 4,
            "requests-waiting", 2,
            "to-zero", 2));
    await().atMost(LIMIT).until(() -> stage.condition(unseen, "ScalingActive").equals("False"));
    assertThat(stage.replicas(unseen)).isEqualTo(3);
  }

  /** A number of the pod that had this name before is nobody's, though it is seconds old. */
  @Test
  @Order(5)
  @Execution(SAME_THREAD)
  void aNewPodOfAnOldNameHasNoNumberOfTheOldOne() {
    Scenario reused = scenario("same-name-again");
    String number = CUSTOM + "/pods/same-name-again-0/gpu_utilization";
    assertThat(stage.api().get(number).status()).isEqualTo(200);
    String before = stage.pods(reused).getFirst().at("metadata", "uid").text();
    stage.measure(reused.exposing(Exposed.nothing()), 0);
    stage.rig.kubectl("delete", "pod", "-n", "ml", "same-name-again-0", "--now");
    await()
        .atMost(LIMIT)
        .until(() ->
            stage.pods(reused).size() == 2
                && stage.allRunning(reused)
                && !stage.pods(reused).getFirst().at("metadata", "uid").text().equals(before));
    Instant since = Instant.now();
    await().atMost(LIMIT).until(() -> stage.api().get(number).status() == 404);
    assertThat(Duration.between(since, Instant.now()))
        .as("before the old sample is stale")
        .isLessThan(Duration.ofSeconds(40));
    await().atMost(LIMIT).until(() -> stage.condition(reused, "ScalingActive").equals("False"));
    assertThat(stage.replicas(reused)).isEqualTo(2);
  }

  /** Answers come from memory: however long it serves, nothing is listed anew. */
  @Test
  @Order(6)
  @Execution(SAME_THREAD)
  void theApiServerIsNotAskedForListsToAnswer() {
    List<AuditEntry> lists =
        atWork.entries(entry ->
            entry.user().equals("system:serviceaccount:fallow-system:fallow-metrics")
                && entry.verb().equals("list"));
    assertThat(lists).extracting(AuditEntry::uri).isEmpty();
  }

  @Test
  @Order(7)
  @Execution(SAME_THREAD)
  void whileNothingIsMeasuredNothingIsScaledAndAfterwardsItIs() {
    Map<String, Integer> before = replicas();
    stage.prometheus().process().kill();
    List<String> changed = List.of("up", "of-a-deployment", "external", "to-zero");
    changed.forEach(name -> stage.measure(scenario(name), 80));
    awaitNothingKnown();
    assertThat(astray(before)).isEmpty();
    assertThat(stage.api().get(CUSTOM + "/pods/*/gpu_utilization").status()).isEqualTo(503);

    stage.prometheus().process().start();
    awaitAll(Map.of("up", 2, "of-a-deployment", 2, "external", 2, "to-zero", 8));
  }

  /** Prometheus goes on to answer; of the exporter it has nothing new. */
  @Test
  @Order(8)
  @Execution(SAME_THREAD)
  void whileTheExporterIsLostNothingIsScaledAndAfterwardsItIs() {
    Map<String, Integer> before = replicas();
    stage.stopExporter();
    Map<String, Double> loads =
        Map.of("up", 200.0, "of-a-deployment", 200.0, "external", 50.0, "to-zero", 10.0);
    loads.forEach((name, load) -> stage.measure(scenario(name), load));
    awaitNothingKnown();
    await()
        .during(TWO_LOOKS)
        .atMost(TWO_LOOKS.plusSeconds(20))
        .untilAsserted(() -> assertThat(astray(before)).isEmpty());
    assertThat(stage.prometheus().query("up", Instant.now()))
        .extracting(one -> one.at("value").items().getLast().text())
        .containsExactly("0");

    stage.startExporter();
    awaitAll(Map.of("up", 5, "of-a-deployment", 4, "external", 1, "to-zero", 2));
  }

  private static Map<String, Integer> replicas() {
    Map<String, Integer> now = new TreeMap<>();
    SCENARIOS.keySet().forEach(name -> now.put(name, (int) stage.replicas(scenario(name))));
    return now;
  }

  private static void awaitNothingKnown() {
    await()
        .atMost(LIMIT)
        .untilAsserted(() ->
            assertThat(
                    SCENARIOS.values().stream()
                        .filter(one -> !stage.condition(one, "ScalingActive").equals("False")))
                .isEmpty());
  }
}
