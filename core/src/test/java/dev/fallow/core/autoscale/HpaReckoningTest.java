package dev.fallow.core.autoscale;

import static dev.fallow.core.autoscale.Scene.UTIL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HpaReckoningTest {

  private static final Map<String, Object> WEB =
      Map.of("apiVersion", "apps/v1", "kind", "Deployment", "name", "web");

  private static Hpa hpa(int min, int max, Map<?, ?>... metrics) {
    return Hpa.of(
        new ObjectTree(
            Map.of(
                "metadata", Map.of("name", "web", "namespace", "ml"),
                "spec",
                    Map.of(
                        "scaleTargetRef", WEB,
                        "minReplicas", min,
                        "maxReplicas", max,
                        "metrics", List.of(metrics)))));
  }

  private static Hpa disabled(Hpa hpa) {
    Hpa told =
        Hpa.of(
            new ObjectTree(
                Map.of(
                    "status",
                    Map.of(
                        "conditions",
                        List.of(
                            Map.of("type", "AbleToScale", "status", "True"),
                            Map.of(
                                "type",
                                "ScalingActive",
                                "status",
                                "False",
                                "reason",
                                "ScalingDisabled"))))));
    return new Hpa(
        hpa.namespace(),
        hpa.name(),
        hpa.scales(),
        hpa.minReplicas(),
        hpa.maxReplicas(),
        hpa.current(),
        told.disabled(),
        hpa.tolerance(),
        hpa.metrics());
  }

  private static Map<?, ?> pods(String metric, String target) {
    return Map.of(
        "type",
        "Pods",
        "pods",
        Map.of(
            "metric", Map.of("name", metric),
            "target", Map.of("type", "AverageValue", "averageValue", target)));
  }

  private static Map<?, ?> object(String metric, String type, String target) {
    String key = type.equals("Value") ? "value" : "averageValue";
    return Map.of(
        "type",
        "Object",
        "object",
        Map.of(
            "metric", Map.of("name", metric),
            "describedObject", WEB,
            "target", Map.of("type", type, key, target)));
  }

  private static Map<?, ?> external(String metric, String workload, String target) {
    return external(metric, workload, "Value", target);
  }

  private static Map<?, ?> external(String metric, String workload, String type, String target) {
    String key = type.equals("Value") ? "value" : "averageValue";
    return Map.of(
        "type",
        "External",
        "external",
        Map.of(
            "metric",
                Map.of(
                    "name",
                    metric,
                    "selector",
                    Map.of("matchLabels", Map.of("workload", workload))),
            "target", Map.of("type", type, key, target)));
  }

  private static ReadBook busy() {
    return new Scene()
        .ready("web", "web-a", "web-b")
        .card(UTIL, "GPU-1", "n1", "web-a", 80)
        .card(UTIL, "GPU-2", "n1", "web-b", 100)
        .book();
  }

  @Test
  void aMetricOfPodsIsReckonedPodByPod() {
    HpaReckoning reckoning = HpaReckoning.of(hpa(1, 10, pods("gpu_utilization", "60")), busy());

    assertThat(reckoning.replicas()).hasValue(3);
    assertThat(reckoning.metrics().getFirst().pods()).hasSize(2);
  }

  @Test
  void anObjectsAndAnExternalMetricGiveTheSameHere() {
    assertThat(
            HpaReckoning.of(hpa(1, 10, object("gpu_utilization", "Value", "60")), busy())
                .replicas())
        .hasValue(3);
    assertThat(HpaReckoning.of(hpa(1, 10, object("web_gpu_avg", "Value", "5")), busy()).replicas())
        .as("the public recipe's target runs to the maximum")
        .hasValue(10);
    assertThat(
            HpaReckoning.of(hpa(1, 10, external("gpu_utilization", "web", "60")), busy())
                .replicas())
        .hasValue(3);
  }

  @Test
  void aWarmingPodIsNamedAndCountsAsTheHpaCountsIt() {
    ReadBook book =
        new Scene()
            .ready("web", "web-a", "web-b")
            .pod("web", "web-c")
            .unready(Duration.ofHours(2))
            .there()
            .card(UTIL, "GPU-1", "n1", "web-a", 90)
            .card(UTIL, "GPU-2", "n1", "web-b", 90)
            .card(UTIL, "GPU-3", "n1", "web-c", 0)
            .book();

    HpaReckoning reckoning = HpaReckoning.of(hpa(1, 10, pods("gpu_utilization", "60")), book);

    assertThat(reckoning.replicas()).hasValue(3);
    assertThat(reckoning.metrics().getFirst().pods())
        .filteredOn(PodNumber.Without.class::isInstance)
        .singleElement()
        .satisfies(one ->
            assertThat(((PodNumber.Without) one).cause()).isEqualTo(PodNumber.Cause.WARMING));
  }

  @Test
  void withoutNumbersItHoldsAndSaysWhy() {
    HpaReckoning reckoning =
        HpaReckoning.of(
            hpa(1, 10, pods("gpu_utilization", "60"), object("gpu_utilization", "Value", "60")),
            new Scene().ready("web", "web-a").book());

    assertThat(reckoning.replicas()).isEmpty();
    assertThat(reckoning.metrics())
        .extracting(HpaReckoning.OfMetric::why)
        .noneMatch(String::isEmpty);
  }

  /** As Kubernetes does; by minReplicas 0 it would have gone to sleep by itself. */
  @Test
  void whatIsSwitchedOffByZeroReplicasIsLeftAlone() {
    Map<String, String> gateway = Map.of("namespace", "ml", "pod", "gateway", "workload", "web");
    Scene queue =
        new Scene()
            .withoutGpu("gateway", true)
            .series("gateway_queue", gateway, Scene.every15s(50));
    Map<?, ?> waiting = external("gateway_queue", "web", "AverageValue", "5");

    for (Scene off : List.of(queue, queue.scaledTo("web", 0))) {
      HpaReckoning held = HpaReckoning.of(hpa(1, 10, waiting), off.book());
      assertThat(held.replicas()).isEmpty();
      assertThat(held.metrics().getFirst().why()).contains("Deployment/ml/web has 0 replicas");
      assertThat(held.metrics().getFirst().value()).isPresent();
    }
    assertThat(HpaReckoning.of(hpa(0, 10, waiting), queue.book()).replicas()).hasValue(10);
    Hpa disabled = HpaReckoningTest.disabled(hpa(0, 10, waiting));
    assertThat(HpaReckoning.of(disabled, queue.book()).replicas())
        .as("the zero is not its own, and it says so")
        .isEmpty();
    assertThat(HpaReckoning.of(disabled, queue.scaledTo("web", 1).book()).replicas())
        .as("it has not looked since")
        .hasValue(10);
    assertThat(HpaReckoning.of(hpa(1, 10, waiting), queue.scaledTo("web", 1).book()).replicas())
        .as("no pod of it runs yet, and its status has not been written")
        .hasValue(10);
  }

  @ParameterizedTest
  @CsvSource({
    "95, never scales up",
    "60, says whether a kernel ran",
  })
  void whatWillNotWorkIsSaid(String target, String finding) {
    assertThat(HpaLint.of(hpa(1, 10, pods("gpu_utilization", target))))
        .anyMatch(said -> said.contains(finding));
  }

  /** Ratios are taken for percentages, and what is full ends below the target. */
  @ParameterizedTest
  @CsvSource({
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE, 60, at most 0.9",
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE_avg_2m, 60, at most 0.9",
    "vllm:kv_cache_usage_perc, 80, at most 0.9",
    "cache_hit_ratio, 80, at most 0.9",
    "DCGM_FI_DEV_MEM_COPY_UTIL, 95, at most 90",
    "gpu_gfx_activity, 95, at most 90",
  })
  void aTargetThatCannotBeReachedIsSaidOfFamiliesUnderTheirOwnNames(
      String metric, String target, String cure) {
    assertThat(HpaLint.of(hpa(1, 10, pods(metric, target))))
        .singleElement()
        .satisfies(said -> assertThat(said).contains("never scales up", cure));
  }

  @ParameterizedTest
  @CsvSource({
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE, 600m",
    "vllm:kv_cache_usage_perc, 800m",
    "DCGM_FI_DEV_POWER_USAGE, 500",
    "DCGM_FI_DEV_MEM_COPY_UTIL_sum, 300",
    "DCGM_FI_DEV_FB_USED, 60000",
  })
  void aTargetThatCanBeReachedIsNotComplainedOf(String metric, String target) {
    assertThat(HpaLint.of(hpa(1, 10, pods(metric, target)))).isEmpty();
  }

  /** 20 that wait make 4 of 1 pod, 16 of 4, and more at each look. */
  @ParameterizedTest
  @CsvSource({
    "vllm:num_requests_waiting, External, Value, true",
    "vllm:num_requests_waiting, External, AverageValue, false",
    "vllm:num_requests_waiting, Object, Value, false",
    "vllm:num_requests_waiting_sum, Object, Value, true",
    "gpu_utilization_sum, Object, AverageValue, false",
    "gpu_engine_active_percent_sum, Object, Value, true",
    "gpu_engine_active_percent, External, Value, false",
    "gpu_engine_active_percent_sum, External, Value, true",
    "vllm:kv_cache_usage_perc, External, Value, false",
    "vllm:time_to_first_token_seconds, External, Value, false",
    "gateway_queue_max, External, Value, false",
    "avg_GPU_utilization, External, Value, false",
    "web_gpu_avg, Object, Value, false",
  })
  void aTotalIsToBeSharedOutAmongThePods(String metric, String source, String type, boolean found) {
    Map<?, ?> written =
        source.equals("Object")
            ? object(metric, type, "600m")
            : external(metric, "web", type, "600m");
    assertThat(HpaLint.of(hpa(1, 10, written)).stream().anyMatch(one -> one.contains("is a total")))
        .isEqualTo(found);
  }

  /** The autoscaler knows Ready and nothing of a warm-up. */
  @Test
  void withATargetOfTheTypeValueAWarmingPodThatIsReadyCounts() {
    ReadBook book =
        new Scene()
            .ready("web", "web-a", "web-b")
            .pod("web", "web-c")
            .annotated("fallow.dev/warmup", "12h")
            .there()
            .pod("web", "web-d")
            .annotated("fallow.dev/warmup", "12h")
            .there()
            .card(UTIL, "GPU-1", "n1", "web-a", 90)
            .card(UTIL, "GPU-2", "n1", "web-b", 90)
            .card(UTIL, "GPU-3", "n1", "web-c", 0)
            .card(UTIL, "GPU-4", "n1", "web-d", 0)
            .book();

    assertThat(
            HpaReckoning.of(hpa(1, 10, object("gpu_utilization", "Value", "60")), book).replicas())
        .hasValue(6);
  }

  @Test
  void cpuMayAskForMoreAndHoldsNothingUp() {
    Map<?, ?> cpu =
        Map.of(
            "type",
            "Resource",
            "resource",
            Map.of(
                "name", "cpu", "target", Map.of("type", "Utilization", "averageUtilization", 50)));
    HpaReckoning down = HpaReckoning.of(hpa(1, 10, cpu, pods("gpu_utilization", "200")), busy());

    assertThat(down.isPartOnly()).isTrue();
    assertThat(down.replicas()).hasValue(1);
    assertThat(HpaReckoning.of(hpa(1, 10, pods("gpu_utilization", "60")), busy()).isPartOnly())
        .isFalse();
  }

  @Test
  void theOldAverageIsAMean() {
    assertThat(HpaLint.of(hpa(1, 3, object("avg_GPU_utilization", "AverageValue", "60"))))
        .singleElement()
        .satisfies(said -> assertThat(said).contains("use the type Value"));
  }

  @Test
  void wrongTypesAndBoundsAreSaid() {
    assertThat(HpaLint.of(hpa(3, 3, pods("gpu_engine_active_percent", "60"))))
        .singleElement()
        .satisfies(said -> assertThat(said).contains("minReplicas and maxReplicas"));
    assertThat(HpaLint.of(hpa(1, 3, object("gpu_engine_active_percent", "AverageValue", "60"))))
        .singleElement()
        .satisfies(said -> assertThat(said).contains("use the type Value"));
    assertThat(HpaLint.of(hpa(1, 3, pods("gpu_engine_active_percent", "nonsense"))))
        .singleElement()
        .satisfies(said -> assertThat(said).contains("no target"));
    assertThat(HpaLint.of(hpa(1, 3, pods("vllm:num_requests_waiting", "500")))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "60, 60000",
    "1500m, 1500",
    "0.5, 500",
    "2k, 2000000",
    "1Ki, 1024000",
    "1e3, 1000000",
    "1u, 1",
    "-5, -5000"
  })
  void quantitiesAreReadAsKubernetesWritesThem(String text, long milli) {
    assertThat(Quantity.milli(text)).hasValue(milli);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "5x", "1 2", "99999999999999999", "9E", "--1", "1e99", "NaN"})
  void whatIsNoQuantityIsNone(String text) {
    assertThat(Quantity.milli(text)).isEqualTo(OptionalLong.empty());
  }
}
