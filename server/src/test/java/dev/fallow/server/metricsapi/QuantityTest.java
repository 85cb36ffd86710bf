package dev.fallow.server.metricsapi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "42, 42",
    "42.5, 42500m",
    "0.001, 1m",
    "0.0005, 1m",
    "0.0004999, 0",
    "1.0005, 1001m",
    "99.9995, 100",
    "-1.5, -1500m",
    "-0.0001, 0",
    "4294967295, 4294967295",
    "8.5e10, 85000000000",
    "1e-300, 0"
  })
  void thousandthsAreRoundedToTheNearest(double value, String text) {
    assertThat(Quantity.of(value)).contains(text);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e300})
  void whatNoAutoscalerCanReadIsNoNumber(double value) {
    assertThat(Quantity.of(value)).isEmpty();
  }
}
