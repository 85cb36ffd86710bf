package dev.fallow.adapters.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.PublishedSeries;
import dev.fallow.adapters.prometheus.StubPrometheus.Asked;
import dev.fallow.adapters.prometheus.StubPrometheus.StubReply;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is asked of Prometheus, and what stays between reads. */
class PrometheusUsageSourceTest {

  private static final Instant AT = Instant.parse("2026-11-02T12:00:00.250Z");
  private static final Duration WINDOW = Duration.ofMinutes(30);
  private static final Map<String, String> GPU = Map.of("UUID", "GPU-1", "Hostname", "node-a");
  private static final String UTIL = "DCGM_FI_DEV_GPU_UTIL";

  private final List<PublishedSeries> published = new ArrayList<>();
  private StubReply fault;
  private final StubPrometheus stub =
      new StubPrometheus(
          asked -> fault == null ? StubReply.json(RangeSelector.answer(published, asked)) : fault);

  @AfterEach
  void close() {
    stub.close();
  }

  @Test
  void eachSignalIsOneQueryUnderAllItsNamesAndTheMainsReachAnHourFurtherBack() {
    try (PrometheusUsageSource source = source(PrometheusUsageSource.signalsOfUse(false))) {
      source.read(AT, WINDOW);
    }

    assertThat(stub.asked()).hasSize(Signal.values().length - 1);
    assertThat(queries())
        .contains(
            "{__name__=~\"DCGM_FI_DEV_GPU_UTIL|dcgm_gpu_utilization\"}[5400s]",
            "{__name__=~\"gpu_gfx_activity|amd_gpu_gfx_activity\"}[5400s]",
            "{__name__=~\"DCGM_FI_DEV_ENC_UTIL|dcgm_enc_utilization\"}[1800s]")
        .noneMatch(query -> query.contains("POWER"));
    assertThat(stub.asked())
        .allSatisfy(asked -> {
          assertThat(asked.method()).isEqualTo("POST");
          assertThat(asked.path()).isEqualTo("/api/v1/query");
          assertThat(asked.form()).containsEntry("time", "1793620800.250");
        });
  }

  @Test
  void powerIsAskedForOnlyWhenItMeansSomething() {
    try (PrometheusUsageSource source = source(PrometheusUsageSource.signalsOfUse(true))) {
      source.read(AT, WINDOW);
    }

    assertThat(queries()).anyMatch(query -> query.contains("POWER"));
  }

  @Test
  void aLongWindowIsAskedInPartsAndComesBackWhole() {
    published.add(every30Seconds(AT.minus(Duration.ofHours(15)), AT));
    try (PrometheusUsageSource source = source(Set.of(Signal.GPU_UTIL))) {
      Usage usage = source.read(AT, Duration.ofHours(14));

      // The window and two of them before it, six hours at a time.
      assertThat(queries()).hasSize(7);
      assertThat(usage.series()).hasSize(1);
      assertThat(usage.series().getFirst().samples().size())
          .isEqualTo(published.getFirst().samples().size());
    }
  }

  @Test
  void aWindowThatIsNotOfWholeSecondsIsAskedToTheMillisecond() {
    try (PrometheusUsageSource source = source(Set.of(Signal.ENC_UTIL))) {
      source.read(AT, Duration.ofMillis(90_500));
    }

    assertThat(queries()).singleElement().asString().endsWith("[90500ms]");
  }

  @Test
  void aWindowOfMoreDaysThanSamplesReachIsRefused() {
    try (PrometheusUsageSource source = source(Set.of(Signal.GPU_UTIL))) {
      assertThat(source.read(AT, Duration.ofDays(25))).isInstanceOf(Usage.Missing.class);
    }
  }

  @Test
  void aLaterReadAsksOnlyForWhatIsNewAndTwoMinutesMore() {
    published.add(every30Seconds(AT.minus(Duration.ofHours(2)), AT.plus(Duration.ofHours(2))));
    try (PrometheusUsageSource source = source(Set.of(Signal.GPU_UTIL, Signal.ENC_UTIL))) {
      source.read(AT, WINDOW);
      Usage later = source.read(AT.plusSeconds(180), WINDOW);

      assertThat(queries().subList(2, 4)).allMatch(query -> query.endsWith("[300s]"));
      assertSameAsReadAnew(later, AT.plusSeconds(180), WINDOW);
    }
  }

  @Test
  void manyLaterReadsStayTheSameAsReadsAnew() {
    published.add(every30Seconds(AT.minus(Duration.ofHours(2)), AT.plus(Duration.ofMinutes(20))));
    published.add(
        new PublishedSeries(
            UTIL,
            Map.of("UUID", "GPU-2", "Hostname", "node-b"),
            every30Seconds(AT.plusSeconds(400), AT.plus(Duration.ofHours(4))).samples()));
    try (PrometheusUsageSource source = source(Set.of(Signal.GPU_UTIL, Signal.ENC_UTIL))) {
      for (int minutes = 0; minutes < 150; minutes += 7) {
        Instant at = AT.plus(Duration.ofMinutes(minutes));
        assertSameAsReadAnew(source.read(at, WINDOW), at, WINDOW);
      }
    }
  }

  @Test
  void aSampleThatCameLateIsFoundByTheNextRead() {
    published.add(PublishedSeries.of(UTIL, GPU).with(AT.toEpochMilli() - 60_000, 0));
    try (PrometheusUsageSource source = source(Set.of(Signal.GPU_UTIL))) {
      source.read(AT, WINDOW);
      published.set(0, published.getFirst().with(AT.toEpochMilli() - 30_000, 88));

      Usage later = source.read(AT.plusSeconds(60), WINDOW);

      assertThat(later.series().getFirst().samples().size()).isEqualTo(2);
    }
  }

  @Test
  void aSeriesThatEndedLeavesOnceItsLastSampleIsTooOld() {
    published.add(every30Seconds(AT.minusSeconds(600), AT));
    try (PrometheusUsageSource source = source(Set.of(Signal.GPU_UTIL))) {
      Instant at = AT;
      for (; at.isBefore(AT.plus(Duration.ofMinutes(88))); at = at.plusSeconds(240)) {
        assertThat(source.read(at, WINDOW).series()).as("at %s", at).hasSize(1);
      }
      assertThat(source.read(AT.plus(Duration.ofMinutes(91)), WINDOW).series()).isEmpty();
    }
  }

  @Test
  void anEarlierMomentALongerWindowAndAnHourReadAnew() {
    try (PrometheusUsageSource source = source(Set.of(Signal.ENC_UTIL))) {
      source.read(AT, WINDOW);
      source.read(AT.minusSeconds(1), WINDOW);
      source.read(AT.minusSeconds(1), Duration.ofMinutes(31));
      source.read(AT.plus(Duration.ofMinutes(50)), Duration.ofMinutes(31));
      source.read(AT.plus(Duration.ofMinutes(61)), Duration.ofMinutes(31));
    }

    assertThat(queries())
        .extracting(query -> query.substring(query.indexOf('[')))
        .containsExactly("[1800s]", "[1800s]", "[1860s]", "[1860s]", "[1860s]");
  }

  @Test
  void afterAFailureAndAfterAPartialAnswerEverythingIsReadAnew() {
    published.add(every30Seconds(AT.minus(Duration.ofHours(1)), AT.plusSeconds(600)));
    try (PrometheusUsageSource source = source(Set.of(Signal.ENC_UTIL))) {
      source.read(AT, WINDOW);
      fault = StubReply.of(503, "text/plain", "");
      assertThat(source.read(AT.plusSeconds(60), WINDOW)).isInstanceOf(Usage.Missing.class);
      fault =
          StubReply.json(
              "{\"status\":\"success\",\"warnings\":[\"w\"],"
                  + "\"data\":{\"resultType\":\"matrix\",\"result\":[]}}");
      assertThat(source.read(AT.plusSeconds(120), WINDOW)).isInstanceOf(Usage.Partial.class);
      fault = null;
      source.read(AT.plusSeconds(180), WINDOW);
    }

    assertThat(queries())
        .extracting(query -> query.substring(query.indexOf('[')))
        .containsExactly("[1800s]", "[180s]", "[1800s]", "[1800s]");
  }

  @Test
  void aFailureOfTheSecondQueryIsAFailureOfTheRead() {
    StubPrometheus half =
        new StubPrometheus(asked ->
            asked.query().contains("ENC")
                ? StubReply.of(500, "text/plain", "")
                : StubReply.json(RangeSelector.answer(published, asked)));
    published.add(every30Seconds(AT.minus(Duration.ofHours(1)), AT));
    try (half;
        PrometheusUsageSource source =
            new PrometheusUsageSource(
                PrometheusAccess.of(half.url()), Set.of(Signal.GPU_UTIL, Signal.ENC_UTIL))) {
      assertThat(source.read(AT, WINDOW)).isInstanceOf(Usage.Missing.class);
    }
  }

  @Test
  void anotherTransportCarriesTheSameQueries() {
    List<String> forms = new ArrayList<>();
    PrometheusTransport proxy = new CannedTransport(forms);
    try (PrometheusUsageSource source =
        new PrometheusUsageSource(proxy, Set.of(Signal.GPU_UTIL), ReadLimits.forThisProcess())) {
      assertThat(source.read(AT, WINDOW)).isEqualTo(new Usage.Complete(List.of()));
      assertThat(forms).singleElement().asString().startsWith("/api/v1/query?query=%7B__name__");
    }
  }

  private List<String> queries() {
    return stub.asked().stream().map(Asked::query).toList();
  }

  private PrometheusUsageSource source(Set<Signal> signals) {
    return new PrometheusUsageSource(PrometheusAccess.of(stub.url()), signals);
  }

  private void assertSameAsReadAnew(Usage later, Instant at, Duration window) {
    try (PrometheusUsageSource fresh = source(Set.of(Signal.GPU_UTIL, Signal.ENC_UTIL))) {
      Usage anew = fresh.read(at, window);
      assertThat(later).isInstanceOf(Usage.Complete.class);
      assertThat(SeenSamples.of(later)).isEqualTo(SeenSamples.of(anew));
    }
  }

  private static PublishedSeries every30Seconds(Instant from, Instant to) {
    List<PublishedSeries.Sample> samples = new ArrayList<>();
    for (long millis = from.toEpochMilli() + 30_000;
        millis <= to.toEpochMilli();
        millis += 30_000) {
      samples.add(new PublishedSeries.Sample(millis, millis / 30_000 % 3));
    }
    return new PublishedSeries(UTIL, GPU, samples);
  }
}
