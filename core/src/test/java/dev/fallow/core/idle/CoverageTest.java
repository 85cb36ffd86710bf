package dev.fallow.core.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

class CoverageTest {

  private static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");
  private static final Window WINDOW = Window.endingAt(AT, Duration.ofMinutes(30));

  /** A look every 30 s over ninety minutes, where the seconds ago allow it. */
  private static UsageSeries series(String instance, LongPredicate seen) {
    Samples.Builder samples = new Samples.Builder(AT.minus(Duration.ofHours(2)));
    for (long ago = 5400; ago >= 0; ago -= 30) {
      if (seen.test(ago)) {
        samples.add(AT.minusSeconds(ago).toEpochMilli(), 0);
      }
    }
    return new UsageSeries(
        SeriesLabels.ofAny("DCGM_FI_DEV_GPU_UTIL", Map.of("UUID", "GPU-1", "instance", instance)),
        samples.build());
  }

  private static Optional<Duration> known(List<UsageSeries> proof) {
    return Coverage.of(proof, Signal.GPU_UTIL, WINDOW)
        .unbrokenSince(proof, Signal.GPU_UTIL, WINDOW)
        .map(since -> Duration.between(Instant.ofEpochMilli(since), AT));
  }

  @Test
  void whatWasSeenAllAlongIsKnownFromTheFirstLook() {
    assertThat(known(List.of(series("a", ago -> true)))).contains(Duration.ofMinutes(90));
  }

  @Test
  void ofTheTimeBeforeALongLookAwayNothingIsKnown() {
    UsageSeries blind = series("a", ago -> ago <= 2400 || ago >= 4800);
    assertThat(known(List.of(blind))).contains(Duration.ofMinutes(40));
  }

  @Test
  void anotherWhoLookedMeanwhileFillsTheGap() {
    UsageSeries one = series("a", ago -> ago <= 2400 || ago >= 4800);
    UsageSeries other = series("b", ago -> ago >= 2400 && ago <= 4800);
    assertThat(known(List.of(one, other))).contains(Duration.ofMinutes(90));
    assertThat(known(List.of(other, one))).contains(Duration.ofMinutes(90));
  }

  @Test
  void whatNobodyLookedAtIsNotKnown() {
    assertThat(known(List.of())).isEmpty();
  }
}
