package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.app.RecordedConsole;
import dev.fallow.rig.Json;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigNode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the cluster's own autoscaler does with a workload that Fallow has paused. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class HpaPauseTest {

  /** Several looks of the autoscaler, which looks every two seconds here. */
  private static final Duration LOOKS = Duration.ofSeconds(8);

  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/ml/deployments";
  private static final String HPAS = "/apis/autoscaling/v2/namespaces/ml/horizontalpodautoscalers";

  private static MetricsStage stage;
  private static Path account;

  @BeforeAll
  static void start() {
    stage = new MetricsStage();
    stage.rig.admin().createNode(RigNode.named("gpus").gpus(32));
    account = ShippedAccount.in(stage.rig);
    stage.serve(stage.ourAccount(), stage.service, false, stage.numbers);
    stage.awaitAnsweredBy(stage.service);
  }

  @AfterAll
  static void stop() {
    if (stage != null) {
      stage.close();
    }
  }

  @Test
  void anAutoscalerLeavesAPauseAloneAndGoesOnAfterTheResume() {
    deployment("web");
    stage.numbers.loads.put("web", 150.0);
    autoscaler(
        "web",
        1,
        """
        {"type":"Pods","pods":{"metric":{"name":"gpu_utilization"},
         "target":{"type":"AverageValue","averageValue":"50"}}}\
        """);
    stage.awaitReplicas("web", 3);
    Json hpa = hpa("web").at("spec");
    // Without the pause this would ask for eight.
    pause("web");
    stage.numbers.loads.put("web", 400.0);

    awaitScaling("web", "False ScalingDisabled");
    staysAtZero("web");

    stage.numbers.loads.put("web", 150.0);
    resume("web");
    assertThat(replicas("web")).isEqualTo(3);
    stage.awaitReplicas("web", 3);
    awaitScaling("web", "True ValidMetricFound");
    stage.numbers.loads.put("web", 400.0);
    stage.awaitReplicas("web", 8);
    assertThat(hpa("web").at("spec").toString()).isEqualTo(hpa.toString());
    assertThat(hpa("web").at("metadata", "annotations").isMissing()).isTrue();
  }

  /** It scales to zero and from there; a zero that it did not choose it leaves alone. */
  @Test
  void oneThatMayScaleToZeroItselfLeavesAPauseAloneToo() {
    deployment("worker");
    stage.numbers.loads.put("queue_length", 0.0);
    autoscaler(
        "worker",
        0,
        """
        {"type":"External","external":{"metric":{"name":"queue_length"},
         "target":{"type":"AverageValue","averageValue":"100"}}}\
        """);
    stage.awaitReplicas("worker", 0);
    stage.numbers.loads.put("queue_length", 300.0);
    stage.awaitReplicas("worker", 3);
    pause("worker");
    stage.numbers.loads.put("queue_length", 500.0);

    awaitScaling("worker", "False ScalingDisabled");
    staysAtZero("worker");

    resume("worker");
    stage.awaitReplicas("worker", 5);
    stage.numbers.loads.put("queue_length", 0.0);
    stage.awaitReplicas("worker", 0);
  }

  private static void deployment(String name) {
    stage
        .rig
        .admin()
        .post(
            DEPLOYMENTS,
            """
            {"metadata":{"name":"%1$s"},"spec":{"replicas":1,
              "selector":{"matchLabels":{"app":"%1$s"}},
              "template":{"metadata":{"labels":{"app":"%1$s"}},"spec":{"containers":[{
                "name":"main","image":"none","resources":{"limits":{"nvidia.com/gpu":"1"}}}]}}}}
            """
                .formatted(name))
        .orThrow();
  }

  private static void autoscaler(String name, int least, String metric) {
    stage
        .rig
        .admin()
        .post(
            HPAS,
            """
            {"metadata":{"name":"%1$s"},
             "spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"%1$s"},
              "minReplicas":%2$d,"maxReplicas":10,
              "behavior":{"scaleDown":{"stabilizationWindowSeconds":0}},
              "metrics":[%3$s]}}
            """
                .formatted(name, least, metric))
        .orThrow();
  }

  private static void pause(String name) {
    run("pause", name);
    assertThat(deployment(name, "metadata", "annotations", "fallow.dev/before-pause").text())
        .isEqualTo("{\"hpa\":[\"%s\"],\"replicas\":3}".formatted(name));
  }

  private static void resume(String name) {
    run("resume", name);
  }

  private static void run(String what, String name) {
    RecordedConsole console =
        RecordedConsole.run(what, "deploy/" + name, "-n", "ml", "--kubeconfig", account.toString());
    assertThat(console.exitCode()).as(console.err()).isZero();
  }

  private static void staysAtZero(String name) {
    await().during(LOOKS).atMost(MetricsStage.SOON).until(() -> replicas(name) == 0);
  }

  private static void awaitScaling(String name, String wanted) {
    await()
        .atMost(MetricsStage.SOON)
        .untilAsserted(() ->
            assertThat(
                    hpa(name).at("status", "conditions").items().stream()
                        .filter(one -> one.at("type").text().equals("ScalingActive"))
                        .map(one -> one.at("status").text() + " " + one.at("reason").text()))
                .containsExactly(wanted));
  }

  private static long replicas(String name) {
    return deployment(name, "spec", "replicas").number();
  }

  private static Json deployment(String name, String... path) {
    return stage.rig.admin().get(DEPLOYMENTS + "/" + name).orThrow().json().at(path);
  }

  private static Json hpa(String name) {
    return stage.rig.admin().get(HPAS + "/" + name).orThrow().json();
  }
}
