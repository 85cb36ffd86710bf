package dev.fallow.core.autoscale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.autoscale.MetricName.Across;
import dev.fallow.core.autoscale.MetricName.Kind;
import dev.fallow.core.autoscale.MetricName.Over;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricNameTest {

  @ParameterizedTest
  @CsvSource({
    "gpu_utilization_avg_2m, gpu_utilization, MEAN, MEAN, 120",
    "gpu_utilization_avg_90s, gpu_utilization, MEAN, MEAN, 90",
    "gpu_power_watts_max_5m, gpu_power_watts, MAX, MAX, 300",
    "gpu_utilization_min_1m, gpu_utilization, MIN, MIN, 60",
    "gpu_memory_used_percent_p95_5m, gpu_memory_used_percent, MEAN, QUANTILE, 300",
    "DCGM_FI_DEV_GPU_UTIL_avg_30s, DCGM_FI_DEV_GPU_UTIL, MEAN, MEAN, 30",
  })
  void anEndingAsksForATimeAndAWayToCount(
      String name, String base, Across across, Kind kind, long seconds) {
    MetricName read = MetricName.ended(name).orElseThrow();

    assertThat(read.base()).isEqualTo(base);
    assertThat(read.across()).isEqualTo(across);
    assertThat(read.over())
        .isInstanceOfSatisfying(
            Over.Span.class,
            span -> {
              assertThat(span.kind()).isEqualTo(kind);
              assertThat(span.length()).isEqualTo(Duration.ofSeconds(seconds));
            });
  }

  @ParameterizedTest
  @CsvSource({"gpu_utilization_max, MAX", "gpu_utilization_min, MIN", "gpu_utilization_avg, MEAN"})
  void aWordAloneAsksOnlyHowDevicesBecomeOne(String name, Across across) {
    assertThat(MetricName.ended(name))
        .contains(new MetricName("gpu_utilization", across, Over.LATEST));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpu_utilization",
        "gpu_utilization_avg_1s",
        "gpu_utilization_avg_6m",
        "gpu_utilization_avg_1h",
        "gpu_utilization_p0_5m",
        "gpu_utilization_p100_5m",
        "gpu_utilization_avg_5d",
        "gpu_utilization_avg_99999m",
        "_avg_2m",
        ""
      })
  void whatIsNotAnEndingIsNotUnderstoodAsOne(String name) {
    assertThat(MetricName.ended(name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a\"} or up{x=\"", "a|b", "", "1a", "a/b", "ä", "a\nb", "a.b"})
  void whatCannotBeAFamilyIsNeverAskedFor(String name) {
    assertThat(Feed.of(name)).isEmpty();
    assertThat(Question.of(name, Selector.ANY)).isEmpty();
  }

  @Test
  void anOldNameComesByTheFeedOfThePresentOne() {
    assertThat(Feed.of("dcgm_gpu_utilization")).isEqualTo(Feed.of("DCGM_FI_DEV_GPU_UTIL"));
    assertThat(Feed.of("vllm:num_requests_waiting").orElseThrow().names())
        .containsExactly("vllm:num_requests_waiting");
  }

  @Test
  void theRecipesNameIsTheDeploymentsWithUnderscores() {
    assertThat(MetricName.ofWorkload("cuda-test")).isEqualTo("cuda_test_gpu_avg");
  }
}
