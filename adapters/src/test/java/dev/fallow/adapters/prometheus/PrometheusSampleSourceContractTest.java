package dev.fallow.adapters.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.adapters.PublishedSeries;
import dev.fallow.adapters.SampleSourceContract;
import dev.fallow.adapters.prometheus.StubPrometheus.Asked;
import dev.fallow.adapters.prometheus.StubPrometheus.StubReply;
import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.SampleSource;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract over HTTP without a Prometheus, and what is asked over the wire. */
class PrometheusSampleSourceContractTest extends SampleSourceContract {

  private StubPrometheus stub;

  @Override
  protected SampleSource sourceOf(List<PublishedSeries> series) {
    return sourceOf((Asked asked) -> answer(series, asked));
  }

  private SampleSource sourceOf(Function<Asked, StubReply> replies) {
    stub = new StubPrometheus(replies);
    return new PrometheusSampleSource(PrometheusAccess.of(stub.url()));
  }

  private static StubReply answer(List<PublishedSeries> series, Asked asked) {
    return asked.path().startsWith("/api/v1/label/__name__/values")
        ? StubReply.json(
            series.stream()
                .map(one -> "\"" + one.metric() + "\"")
                .distinct()
                .collect(Collectors.joining(",", "{\"status\":\"success\",\"data\":[", "]}")))
        : StubReply.json(RangeSelector.answer(series, asked));
  }

  @AfterEach
  void closeStub() {
    stub.close();
  }

  @Test
  void aFeedIsOneQuery() {
    SampleSource source = sourceOf(List.of());

    source.read(Feed.of("dcgm_gpu_utilization").orElseThrow(), AT);

    assertThat(stub.asked())
        .singleElement()
        .satisfies(asked ->
            assertThat(asked.query())
                .isEqualTo("{__name__=~\"DCGM_FI_DEV_GPU_UTIL|dcgm_gpu_utilization\"}[360s]"));
  }

  @Test
  void namesAreAskedForByThemselvesAndNeverAsSeries() {
    SampleSource source = sourceOf(List.of());

    source.names(AT);

    assertThat(stub.asked())
        .singleElement()
        .satisfies(asked -> {
          assertThat(asked.method()).isEqualTo("GET");
          assertThat(asked.path()).startsWith("/api/v1/label/__name__/values?match%5B%5D=");
        });
  }

  @Test
  void anAnswerThatIsNoneIsAFailureAndNotAnEmptyFleet() {
    for (String body : List.of("", "[]", "{}", "{\"status\":\"error\",\"error\":\"no\"}")) {
      SampleSource source = sourceOf(asked -> StubReply.json(body));
      Feed feed = Feed.of("DCGM_FI_DEV_GPU_UTIL").orElseThrow();

      assertThatThrownBy(() -> source.read(feed, AT)).as(body).isInstanceOf(Unavailable.class);
      assertThatThrownBy(() -> source.names(AT)).as(body).isInstanceOf(Unavailable.class);
      stub.close();
    }
  }

  /** Whose series are missing from it nobody knows, so what is left would pass for the whole. */
  @Test
  void aPartOfWhatPodsTellIsNoAnswerAndAPartOfTheDevicesIsCalledOne() {
    SampleSource source =
        sourceOf(asked ->
            StubReply.json(
                "{\"status\":\"success\",\"warnings\":[\"no store for a\"],"
                    + "\"data\":{\"resultType\":\"matrix\",\"result\":[]}}"));

    assertThatThrownBy(() -> source.read(Feed.of("vllm:num_requests_waiting").orElseThrow(), AT))
        .isInstanceOfSatisfying(
            Unavailable.class, away -> assertThat(away.getMessage()).contains("no store for a"));
    assertThat(source.read(Feed.of("DCGM_FI_DEV_GPU_UTIL").orElseThrow(), AT).whole()).isFalse();
  }

  @Test
  void anAnswerWithoutAWarningIsWhole() {
    assertThat(sourceOf(List.of()).read(Feed.FB_USED, AT).whole()).isTrue();
  }
}
