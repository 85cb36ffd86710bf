package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.app.RecordedConsole;
import dev.fallow.app.autoscale.MetricsServer;
import dev.fallow.core.autoscale.ApiRegistration.Place;
import dev.fallow.rig.RigFailureReport;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The metrics APIs behind a real API server, read by the cluster's own autoscaler; another server
 * had them before.
 */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MetricsApiTest {

  private static MetricsStage stage;

  @BeforeAll
  static void start() {
    stage = new MetricsStage();
  }

  @AfterAll
  static void stop() {
    if (stage != null) {
      stage.close();
    }
  }

  /** Another server has the APIs, and is neither robbed nor forgotten. */
  @Test
  @Order(1)
  void anothersApisAreTakenOnlyWhenToldAndTheirNamesStayAnswered() {
    Place other = stage.reachable("monitoring", "old-adapter");
    MadeUpNumbers old = new MadeUpNumbers(stage.rig, Set.of("http_requests", "gpu_utilization"));
    old.loads.put("web", 700.0);
    old.loads.put("http_requests", 12.0);
    stage.deployment("web", 2);
    // It has put itself there once, as by a manifest, and does not see to it any more.
    MetricsServer former = stage.serve(stage.rig.kubeconfig(), other, false, old);
    stage.awaitAnsweredBy(other);

    MetricsServer refused = stage.serve(stage.ourAccount(), stage.service, false, stage.numbers);
    RecordedConsole doctor =
        RecordedConsole.run(
            "doctor",
            "--kubeconfig",
            stage.rig.kubeconfig().toString(),
            "--metrics-apis",
            "custom",
            "--metrics-service",
            stage.service.toString(),
            "--prometheus-url",
            "http://127.0.0.1:1");
    assertThat(doctor.out())
        .contains(
            "mend autoscaling: v1beta2.custom.metrics.k8s.io is answered by the Service " + other)
        .contains("--take-over-metrics-apis")
        .contains("ok   autoscaling: v1beta1.external.metrics.k8s.io is answered by the Service");
    // It looks after its registrations twice a second, and has had every chance to take one.
    await()
        .during(Duration.ofSeconds(3))
        .atMost(MetricsStage.SOON)
        .until(() ->
            MetricsStage.APIS.stream()
                .map(api -> stage.apiService(api, "spec", "service", "name").text())
                .allMatch("old-adapter"::equals));
    refused.close();

    stage.numbers.loads.put("web", 50.0);
    stage.serve(stage.ourAccount(), stage.service, true, stage.numbers);
    stage.awaitAnsweredBy(stage.service);
    assertThat(
            stage
                .apiService(
                    MetricsStage.APIS.getFirst(),
                    "metadata",
                    "annotations",
                    "fallow.dev/former-owner")
                .text())
        .contains("old-adapter");
    // Ours under its own name, theirs under theirs; and a name of ours that is not measured is
    // not asked of them, though they would have a number for it.
    assertThat(stage.raw(MetricsStage.PODS)).contains("\"value\":\"25\"").doesNotContain("\"350\"");
    assertThat(stage.raw(MetricsStage.CUSTOM + "/namespaces/ml/pods/*/http_requests"))
        .contains("\"value\":\"350\"");
    assertThat(stage.raw("/apis/external.metrics.k8s.io/v1beta1/namespaces/ml/http_requests"))
        .contains("\"value\":\"12\"");
    stage.numbers.loads.remove("web");
    assertThat(
            stage
                .rig
                .admin()
                .get(MetricsStage.CUSTOM + "/namespaces/ml/deployments.apps/web/gpu_utilization")
                .status())
        .isEqualTo(404);
    assertThat(
            stage.rig.admin().get(MetricsStage.CUSTOM + "/namespaces/ml/pods/*/nowhere").status())
        .isEqualTo(404);
    former.close();
    assertThat(
            stage
                .rig
                .admin()
                .get(MetricsStage.CUSTOM + "/namespaces/ml/pods/*/http_requests")
                .status())
        .isEqualTo(503);
  }

  @Test
  @Order(2)
  void aRegistrationThatSomebodyDeletesIsMadeAgain() {
    for (String api : MetricsStage.APIS) {
      stage.rig.kubectl("delete", "apiservice", api);
    }
    stage.awaitAnsweredBy(stage.service);
    assertThat(stage.raw("/apis/custom.metrics.k8s.io"))
        .contains("\"preferredVersion\":{\"groupVersion\":\"custom.metrics.k8s.io/v1beta2\"");
  }

  @Test
  @Order(3)
  void discoveryGoesThroughTheApiServer() {
    for (String version : List.of("v1beta1", "v1beta2")) {
      assertThat(stage.raw("/apis/custom.metrics.k8s.io/" + version))
          .contains("\"name\":\"pods/gpu_utilization\"", "\"kind\":\"MetricValueList\"");
    }
    assertThat(stage.raw("/apis/external.metrics.k8s.io/v1beta1")).contains("\"queue_length\"");
    // kubectl leaves out names with a slash, so of these APIs it shows one.
    assertThat(stage.rig.kubectl("api-resources", "--api-group=external.metrics.k8s.io"))
        .contains("queue_length", "ExternalMetricValueList");
  }

  private static void autoscaler(String name, String metric) {
    stage
        .rig
        .admin()
        .post(
            "/apis/autoscaling/v2/namespaces/ml/horizontalpodautoscalers",
            """
            {"metadata":{"name":"%1$s"},
             "spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"%1$s"},
              "minReplicas":1,"maxReplicas":10,
              "behavior":{"scaleDown":{"stabilizationWindowSeconds":0}},
              "metrics":[%2$s]}}\
            """
                .formatted(name, metric))
        .orThrow();
  }

  private static String condition(String autoscaler, String type) {
    return stage
        .rig
        .admin()
        .get("/apis/autoscaling/v2/namespaces/ml/horizontalpodautoscalers/" + autoscaler)
        .orThrow()
        .json()
        .at("status", "conditions")
        .items()
        .stream()
        .filter(one -> one.at("type").text().equals(type))
        .map(one -> one.at("status").text())
        .findFirst()
        .orElse("none");
  }

  @Test
  @Order(7)
  void theClustersAutoscalerFollowsEveryKindOfMetricAndHoldsWithoutOne() {
    stage.numbers.loads.put("by-pods", 200.0);
    stage.numbers.loads.put("by-object", 150.0);
    stage.numbers.loads.put("queue_length", 500.0);
    stage.deployment("by-pods", 2);
    stage.deployment("by-object", 1);
    stage.deployment("by-external", 1);
    autoscaler(
        "by-pods",
        """
        {"type":"Pods","pods":{"metric":{"name":"gpu_utilization"},
         "target":{"type":"AverageValue","averageValue":"50"}}}\
        """);
    autoscaler(
        "by-object",
        """
        {"type":"Object","object":{"metric":{"name":"deployment_utilization"},
         "describedObject":{"apiVersion":"apps/v1","kind":"Deployment","name":"by-object"},
         "target":{"type":"Value","value":"50"}}}\
        """);
    autoscaler(
        "by-external",
        """
        {"type":"External","external":{"metric":{"name":"queue_length"},
         "target":{"type":"AverageValue","averageValue":"100"}}}\
        """);
    // ceil(2 × 100 / 50), ceil(1 × 150 / 50), ceil(500 / 100); then the load is as it should be.
    stage.awaitReplicas("by-pods", 4);
    stage.awaitReplicas("by-object", 3);
    stage.awaitReplicas("by-external", 5);

    stage.numbers.away = true;
    for (String name : List.of("by-pods", "by-object", "by-external")) {
      await()
          .atMost(MetricsStage.SOON)
          .until(() -> condition(name, "ScalingActive").equals("False"));
    }
    stage.numbers.loads.put("by-pods", 50.0);
    stage.numbers.loads.put("by-object", 50.0);
    stage.numbers.loads.put("queue_length", 200.0);
    stage.awaitReplicas("by-pods", 4);
    stage.awaitReplicas("by-object", 3);
    stage.awaitReplicas("by-external", 5);

    stage.numbers.away = false;
    stage.awaitReplicas("by-pods", 1);
    stage.awaitReplicas("by-object", 1);
    stage.awaitReplicas("by-external", 2);
    assertThat(stage.rig.kubectl("get", "hpa", "-n", "ml")).contains("by-pods", "50/50", "100/100");
  }

  /** It was taken over in the first test; whoever then takes it back twice has it. */
  @Test
  @Order(8)
  void whoTakesAnApiBackTwiceIsNotFought() {
    String api = "v1beta1.external.metrics.k8s.io";
    String theirs =
        "{\"spec\":{\"service\":{\"namespace\":\"monitoring\",\"name\":\"old-adapter\"}}}";
    String path = "/apis/apiregistration.k8s.io/v1/apiservices/" + api;
    stage.rig.admin().patch(path, theirs).orThrow();
    await()
        .atMost(MetricsStage.SOON)
        .until(
            () -> stage.apiService(api, "spec", "service", "name").text().equals("fallow-metrics"));
    stage.rig.admin().patch(path, theirs).orThrow();
    await()
        .during(Duration.ofSeconds(3))
        .atMost(MetricsStage.SOON)
        .until(() -> stage.apiService(api, "spec", "service", "name").text().equals("old-adapter"));
    assertThat(stage.apiService(MetricsStage.APIS.getFirst(), "spec", "service", "name").text())
        .isEqualTo("fallow-metrics");
  }
}
