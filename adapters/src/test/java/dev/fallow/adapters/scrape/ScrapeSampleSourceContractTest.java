package dev.fallow.adapters.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.adapters.ExpositionText;
import dev.fallow.adapters.PublishedSeries;
import dev.fallow.adapters.SampleSourceContract;
import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Feed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract by looking again and again at an exporter, and what is kept of it. */
class ScrapeSampleSourceContractTest extends SampleSourceContract {

  private static final Feed TEMP = Feed.of("DCGM_FI_DEV_GPU_TEMP").orElseThrow();

  private final StubExporter exporter = new StubExporter();
  private final SettableClock clock = new SettableClock(AT);
  private boolean ticking;

  @Override
  protected ScrapeUsageSource sourceOf(List<PublishedSeries> series) {
    ScrapeUsageSource source = fresh();
    TreeSet<Long> moments = new TreeSet<>(List.of(AT.toEpochMilli()));
    for (PublishedSeries one : series) {
      one.samples().forEach(sample -> moments.add(sample.millis()));
    }
    for (long moment : moments) {
      clock.at(Instant.ofEpochMilli(moment));
      exporter.answers(ExpositionText.at(moment, series));
      source.scrapeOnce();
    }
    // A look that a question causes is a little later than the question.
    ticking = true;
    return source;
  }

  private ScrapeUsageSource fresh() {
    return new ScrapeUsageSource(
        () -> List.of(exporter.byHand()),
        ScrapeSettings.remembering(Duration.ofMinutes(30)),
        () -> ticking ? clock.pass(Duration.ofMillis(1)).instant() : clock.instant());
  }

  @AfterEach
  void closeExporter() {
    exporter.close();
  }

  @Test
  void aFamilyThatNobodyAsksForIsNotKept() {
    try (ScrapeUsageSource source = fresh()) {
      exporter.answers("DCGM_FI_DEV_GPU_TEMP{UUID=\"GPU-1\",Hostname=\"n\"} 66\n");
      source.scrapeOnce();
      assertThat(source.sampleBytes()).isZero();

      source.read(TEMP, AT);
      assertThat(source.sampleBytes()).isPositive();

      clock.pass(Duration.ofMinutes(11));
      source.scrapeOnce();
      assertThat(source.sampleBytes()).isZero();
    }
  }

  @Test
  void whatIsAskedForIsKeptForSixMinutesAndNoLonger() {
    try (ScrapeUsageSource source = fresh()) {
      exporter.answers("DCGM_FI_DEV_GPU_TEMP{UUID=\"GPU-1\",Hostname=\"n\"} 66\n");
      source.scrapeOnce();
      for (int i = 0; i < 100; i++) {
        source.read(TEMP, clock.instant());
        clock.pass(Duration.ofSeconds(15));
        source.scrapeOnce();
      }

      assertThat(source.read(TEMP, clock.instant()).series())
          .singleElement()
          .satisfies(one -> assertThat(one.samples().size()).isBetween(23, 25));
    }
  }

  @Test
  void familiesThatShowNoUseDoNotReachTheVerdicts() {
    try (ScrapeUsageSource source = fresh()) {
      exporter.answers("DCGM_FI_DEV_GPU_TEMP{UUID=\"GPU-1\",Hostname=\"n\"} 66\n");
      source.scrapeOnce();
      source.read(TEMP, AT);

      assertThat(source.read(AT, Duration.ofMinutes(30)).series()).isEmpty();
    }
  }

  @Test
  void withoutAnyAnswerThereIsAFailureAndNotAnEmptyFleet() {
    try (ScrapeUsageSource source = fresh()) {
      assertThatThrownBy(() -> source.read(TEMP, AT)).isInstanceOf(Unavailable.class);

      exporter.answers(StubExporter.reply(500, "text/plain", new byte[0]));
      source.scrapeOnce();
      assertThatThrownBy(() -> source.read(TEMP, AT))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("500");
    }
  }

  @Test
  void aDemandForWhatNobodyShowsCostsNoLook() {
    try (ScrapeUsageSource source = fresh()) {
      exporter.answers("DCGM_FI_DEV_GPU_TEMP{UUID=\"GPU-1\",Hostname=\"n\"} 66\n");
      source.scrapeOnce();
      int before = exporter.asked();

      source.read(Feed.of("DCGM_FI_DEV_SM_CLOCK").orElseThrow(), AT);
      assertThat(exporter.asked()).isEqualTo(before);

      ticking = true;
      assertThat(source.read(TEMP, AT).series().getFirst().all())
          .containsAllEntriesOf(Map.of("UUID", "GPU-1", "job", "fallow-scrape"));
      assertThat(exporter.asked()).isEqualTo(before + 1);
    }
  }
}
