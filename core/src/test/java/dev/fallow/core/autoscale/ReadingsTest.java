package dev.fallow.core.autoscale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.autoscale.Readings.Seen;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.UsageSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadingsTest {

  private static final Instant SPOKE = Instant.parse("2026-11-02T12:00:00Z");

  private static UsageSeries told() {
    Map<String, String> labels = Map.of("namespace", "ml", "pod", "web-a");
    Samples.Builder samples = new Samples.Builder(SPOKE);
    samples.add(SPOKE.toEpochMilli(), 3);
    return new UsageSeries(
        SeriesLabels.ofAny("vllm:num_requests_waiting", labels), samples.build(), labels);
  }

  /** What is left after a look every minute, of which none shows the pod. */
  private static Seen after(int minutes, boolean whole) {
    Seen seen = new Seen(SPOKE, List.of(told()));
    for (int i = 1; i <= minutes; i++) {
      seen =
          new Seen(SPOKE.plus(Duration.ofMinutes(i)), List.of(), whole)
              .remembering(seen, pod -> true);
    }
    return seen;
  }

  @Test
  void aPodThatTellsNothingAnyMoreIsMissedForAQuarterOfAnHour() {
    assertThat(after(14, true).series()).hasSize(1);
    assertThat(after(15, true).series()).isEmpty();
  }

  @Test
  void whatOnlyPartsOfTheSourceDoNotTellIsMissedForAsLongAsThatLasts() {
    assertThat(after(60, false).series()).hasSize(1);
  }
}
