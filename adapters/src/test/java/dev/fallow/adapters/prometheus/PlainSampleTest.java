package dev.fallow.adapters.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The usual form of a sample is read in one go, and to the value that is written. */
class PlainSampleTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1764590400.123,\"0\"]",
        "[1764590400.12,\"100\"]",
        "[1764590400,\"0.860123\"]",
        "[1764590400.123,\"0.41012299999999996\"]"
      })
  void theFormThatPrometheusWritesIsPlain(String sample) {
    assertThat(new PlainSample().read(padded(sample), 0, sample.length() + 48))
        .isEqualTo(sample.length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[01764590400,\"0\"]",
        "[1764590400.,\"0\"]",
        "[,\"0\"]",
        "[1764590400e0,\"0\"]",
        "[1764590400.1234,\"0\"]",
        "[176459040012,\"0\"]",
        "[1764590400, \"0\"]",
        "[1764590400,\"\"]",
        "[1764590400,\".5\"]",
        "[1764590400,\"-1\"]",
        "[1764590400,\"NaN\"]",
        "[1764590400,\"1e-05\"]",
        "[1764590400,\"9223372036854775808\"]",
        "[1764590400,\"0\",1]",
        "[1764590400,0]"
      })
  void everyOtherFormIsLeft(String sample) {
    assertThat(new PlainSample().read(padded(sample), 0, sample.length() + 48))
        .isEqualTo(PlainSample.OTHER);
  }

  /** These have more digits than a double; one that is off by a little would round to the other. */
  @Test
  void aValueBetweenTwoFloatsGoesToTheOneThatItsDoubleGoesTo() {
    Random random = new Random(13);
    PlainSample plain = new PlainSample();
    int read = 0;
    for (int i = 0; i < 200_000; i++) {
      float low = 0.01f + 0.98f * random.nextFloat();
      double between = (low + (double) Math.nextUp(low)) / 2;
      double value = between + (random.nextInt(9) - 4) * Math.ulp(between);
      String sample = "[1764590400,\"" + value + "\"]";
      if (plain.read(padded(sample), 0, sample.length() + 48) != PlainSample.OTHER) {
        read++;
        if (plain.value() != (float) value) {
          throw new AssertionError(value + " is read as " + plain.value());
        }
      }
    }
    assertThat(read).isPositive();
  }

  private static byte[] padded(String sample) {
    return Arrays.copyOf(sample.getBytes(StandardCharsets.UTF_8), sample.length() + 48);
  }
}
