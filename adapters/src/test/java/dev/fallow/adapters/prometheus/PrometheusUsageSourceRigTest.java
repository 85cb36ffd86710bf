package dev.fallow.adapters.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.OpenMetricsText;
import dev.fallow.adapters.PublishedSeries;
import dev.fallow.adapters.UsageSourceContract;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSource;
import dev.fallow.rig.RigPrometheus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a real Prometheus, and what only a real one can show. */
@Tag("rig")
class PrometheusUsageSourceRigTest extends UsageSourceContract {

  private static final String UTIL = "DCGM_FI_DEV_GPU_UTIL";

  @TempDir Path folder;

  private RigPrometheus prometheus;

  @Override
  protected UsageSource sourceOf(List<PublishedSeries> series, Instant at, Duration window)
      throws Exception {
    prometheus = started(series);
    return source();
  }

  private RigPrometheus started(List<PublishedSeries> series, String... flags) throws IOException {
    RigPrometheus.Builder builder = RigPrometheus.builder();
    if (!series.isEmpty()) {
      Path samples = folder.resolve("samples.om");
      builder.backfill(Files.writeString(samples, OpenMetricsText.of(series)));
    }
    List.of(flags).forEach(builder::flag);
    return builder.start();
  }

  private PrometheusUsageSource source() {
    return new PrometheusUsageSource(
        PrometheusAccess.of(prometheus.url().toString()), PrometheusUsageSource.signalsOfUse(true));
  }

  @AfterEach
  void stopPrometheus() {
    prometheus.close();
  }

  @Test
  void laterReadsShowWhatAReadAnewWouldShow() throws Exception {
    long until = AT.toEpochMilli();
    PublishedSeries series =
        every30Seconds(UTIL, gpu("GPU-1"), until - Duration.ofHours(3).toMillis(), until);
    prometheus = started(List.of(series));
    try (PrometheusUsageSource going = source()) {
      for (int minutes = 60; minutes >= 0; minutes -= 7) {
        Instant at = AT.minus(Duration.ofMinutes(minutes));
        Usage later = going.read(at, WINDOW);
        try (PrometheusUsageSource fresh = source()) {
          Usage anew = fresh.read(at, WINDOW);
          assertThat(SeenSamples.of(later)).isEqualTo(SeenSamples.of(anew)).isNotEmpty();
        }
      }
    }
  }

  @Test
  void aWindowOfDaysIsReadThoughPrometheusLoadsFewSamplesAtOnce() throws Exception {
    long until = AT.toEpochMilli();
    PublishedSeries series =
        every30Seconds(UTIL, gpu("GPU-1"), until - Duration.ofHours(30).toMillis(), until);
    prometheus = started(List.of(series), "--query.max-samples=300");
    try (PrometheusUsageSource source = source()) {
      Usage usage = source.read(AT, Duration.ofHours(29));

      assertThat(usage).isInstanceOf(Usage.Complete.class);
      assertThat(SeenSamples.of(usage).values().iterator().next()).hasSize(series.samples().size());
    }
  }

  @Test
  void aQueryThatStaysTooLargeIsRefusedInTheServersWords() throws Exception {
    long until = AT.toEpochMilli();
    PublishedSeries series =
        every30Seconds(UTIL, gpu("GPU-1"), until - Duration.ofHours(1).toMillis(), until);
    prometheus = started(List.of(series), "--query.max-samples=2");
    try (PrometheusUsageSource source = source()) {
      assertThat(source.read(AT, WINDOW))
          .isInstanceOfSatisfying(
              Usage.Missing.class,
              missing -> assertThat(missing.failure()).contains("422", "too many samples"));
    }
  }
}
