package dev.fallow.server.metricsapi;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * A number as Kubernetes writes it. Autoscalers count in thousandths and round what is finer up, so
 * it is rounded here, to the nearest.
 */
final class Quantity {

  private static final BigInteger THOUSAND = BigInteger.valueOf(1000);

  private Quantity() {}

  /** Nothing for what no quantity can hold. */
  static Optional<String> of(double value) {
    if (!Double.isFinite(value)) {
      return Optional.empty();
    }
    BigInteger milli =
        BigDecimal.valueOf(value)
            .movePointRight(3)
            .setScale(0, RoundingMode.HALF_UP)
            .toBigInteger();
    if (milli.bitLength() > 63) {
      return Optional.empty();
    }
    BigInteger[] parts = milli.divideAndRemainder(THOUSAND);
    return Optional.of(parts[1].signum() == 0 ? parts[0].toString() : milli + "m");
  }
}
