package dev.fallow.core.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({"20s,PT20S", "90m,PT1H30M", "2h,PT2H", "1h30m,PT1H30M", "PT2H,PT2H", "1d,PT24H"})
  void lengthsAreReadAsPeopleWriteThem(String text, Duration expected) {
    assertThat(Durations.parse(text)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5",
        "-5m",
        "0s",
        "soon",
        "1h-30m",
        "PT-5M",
        "P1Y",
        "99999999999h",
        "5 m",
        "m"
      })
  void whatIsNoLengthIsNotRead(String text) {
    assertThat(Durations.parse(text)).isEmpty();
  }

  @Test
  void lengthsAreShownInTheUnitsThatMatter() {
    assertThat(Durations.format(Duration.ofSeconds(30))).isEqualTo("30 s");
    assertThat(Durations.format(Duration.ofSeconds(150))).isEqualTo("2 min 30 s");
    assertThat(Durations.format(Duration.ofSeconds(1830))).isEqualTo("30 min");
    assertThat(Durations.format(Duration.ofMinutes(185))).isEqualTo("3 h 5 min");
    assertThat(Durations.format(Duration.ofHours(50))).isEqualTo("2 d 2 h");
  }
}
