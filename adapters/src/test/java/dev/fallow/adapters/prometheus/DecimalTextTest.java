package dev.fallow.adapters.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers read from bytes are the numbers that were written. */
class DecimalTextTest {

  @ParameterizedTest
  @CsvSource({
    "1793620800, 1793620800000",
    "1793620800.1, 1793620800100",
    "1793620800.12, 1793620800120",
    "1793620800.123, 1793620800123",
    "1793620800.999, 1793620800999",
    "1793620800.1239, 1793620800123",
    "1793620800., 1793620800000",
    "1.7936208001e9, 1793620800100",
    "0, 0",
    "-1.5, -1500"
  })
  void secondsBecomeMilliseconds(String text, long millis) {
    assertThat(millis(text)).isEqualTo(millis);
  }

  @ParameterizedTest
  @CsvSource({"''", "-", ".", "NaN", "x", "12x", "1e300", "99999999999999999", "1 2"})
  void whatIsNoTimeIsNone(String text) {
    assertThat(millis(text)).isEqualTo(DecimalText.NO_TIME);
  }

  @Test
  void everyMillisecondSurvivesItsText() {
    Random random = new Random(7);
    for (int i = 0; i < 100_000; i++) {
      long millis = random.nextLong(4_000_000_000_000L);
      String text = BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
      if (millis(text) != millis) {
        throw new AssertionError(text + " is read as " + millis(text));
      }
    }
  }

  @Test
  void everyDoubleSurvivesItsText() {
    Random random = new Random(11);
    for (int i = 0; i < 100_000; i++) {
      double any = Double.longBitsToDouble(random.nextLong());
      double plain = random.nextInt(100_000_000) / Math.pow(10, random.nextInt(9));
      requireSame(plain);
      requireSame(Double.isFinite(any) ? any : 0);
    }
  }

  private static void requireSame(double written) {
    double read = value(Double.toString(written));
    if (Double.compare(read, written) != 0) {
      throw new AssertionError(written + " is read as " + read);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, -0.0",
    "1e-05, 1e-5",
    "+Inf, Infinity",
    "Inf, Infinity",
    "-Inf, -Infinity",
    "1e400, Infinity",
    "NaN, NaN",
    "'', NaN",
    "., NaN",
    "-, NaN",
    "1.2.3, NaN",
    "0x10, NaN",
    "1f, NaN",
    "' 1', NaN",
    "Infinity, NaN",
    "9223372036854775794, 9.223372036854775794e18"
  })
  void valuesAreReadAsPrometheusWritesThem(String text, double value) {
    assertThat(value(text)).isEqualTo(Double.valueOf(value));
  }

  private static long millis(String text) {
    byte[] padded = ("1" + text + "1").getBytes(StandardCharsets.UTF_8);
    return DecimalText.millis(padded, 1, text.length());
  }

  private static double value(String text) {
    byte[] padded = ("1" + text + "1").getBytes(StandardCharsets.UTF_8);
    return DecimalText.value(padded, 1, text.length());
  }
}
