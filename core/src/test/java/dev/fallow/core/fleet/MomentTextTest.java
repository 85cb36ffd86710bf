package dev.fallow.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Moments are read in the form that the API server writes and in every other of RFC 3339. */
class MomentTextTest {

  @Test
  void everyMomentIsReadBackAsItWasWritten() {
    Random random = new Random(4);
    for (int i = 0; i < 10_000; i++) {
      Instant moment = Instant.ofEpochSecond(random.nextLong(-62_167_219_200L, 253_402_300_800L));
      assertThat(ObjectTree.parseInstant(moment.toString())).contains(moment);
      Instant finer = moment.plus(random.nextInt(1_000_000), ChronoUnit.MICROS);
      assertThat(ObjectTree.parseInstant(finer.toString())).contains(finer);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-02T12:00:00+02:00, 2026-11-02T10:00:00Z",
    "2026-11-02T12:00:00.25Z, 2026-11-02T12:00:00.25Z",
    "2026-11-02T12:00:00.999999999999Z, 2026-11-02T12:00:00.999999999Z",
    "' 2026-11-02T12:00:00Z', 2026-11-02T12:00:00Z",
    "2024-02-29T23:59:59Z, 2024-02-29T23:59:59Z"
  })
  void otherFormsAreReadToo(String text, Instant moment) {
    assertThat(ObjectTree.parseInstant(text)).contains(moment);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2026-02-29T12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-11-02T24:00:00Z",
        "2026-11-02T12:60:00Z",
        "2026-11-02T12:00:61Z",
        "2026-11-02 12:00:00Z",
        "2026-11-02T12:00:00X",
        "2026-1a-02T12:00:00Z",
        "+999999999-01-01T00:00:00Z"
      })
  void whatIsNoMomentIsNotThere(String text) {
    assertThat(ObjectTree.parseInstant(text)).isEqualTo(Optional.empty());
  }
}
