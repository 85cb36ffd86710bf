package dev.fallow.adapters.scrape;

import dev.fallow.adapters.ExpositionText;
import dev.fallow.adapters.PublishedSeries;
import dev.fallow.adapters.UsageSourceContract;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.UsageSource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;

/** The contract by looking again and again at an exporter that shows one moment after another. */
class ScrapeUsageSourceContractTest extends UsageSourceContract {

  private final StubExporter exporter = new StubExporter();

  @Override
  protected UsageSource sourceOf(List<PublishedSeries> series, Instant at, Duration window) {
    SettableClock clock = new SettableClock(at);
    ScrapeUsageSource source =
        new ScrapeUsageSource(
            () -> List.of(exporter.byHand()), ScrapeSettings.remembering(window), clock);
    TreeSet<Long> moments = new TreeSet<>(List.of(at.toEpochMilli()));
    for (PublishedSeries one : series) {
      one.samples().forEach(sample -> moments.add(sample.millis()));
    }
    for (long moment : moments) {
      clock.at(Instant.ofEpochMilli(moment));
      exporter.answers(ExpositionText.at(moment, series));
      source.scrapeOnce();
    }
    return source;
  }

  /** A target given by hand: job and instance are ours, the rest stays. */
  @Override
  protected SeriesLabels labelsOf(PublishedSeries series) {
    Map<String, String> labels = new HashMap<>(series.labels());
    String job = labels.put("job", "fallow-scrape");
    if (job != null) {
      labels.put("exported_job", job);
    }
    labels.put("instance", "127.0.0.1:" + exporter.url().getPort());
    return SeriesLabels.of(series.metric(), labels).orElseThrow();
  }

  @AfterEach
  void closeExporter() {
    exporter.close();
  }
}
