package dev.fallow.core.idle;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * What counts as idle.
 *
 * @param window how long everything has to have been still
 * @param grace how much longer than that a pod has to have run before its stillness means anything
 * @param idleThreshold the share of a signal's scale at which it is activity
 * @param powerThreshold the watts at which power is activity; unset, power is not asked
 */
public record IdleRule(
    Duration window, Duration grace, double idleThreshold, OptionalDouble powerThreshold) {

  public static final IdleRule DEFAULT =
      new IdleRule(Duration.ofMinutes(30), Duration.ofMinutes(5), 0.01, OptionalDouble.empty());

  public IdleRule {
    if (!window.isPositive() || grace.isNegative()) {
      throw new IllegalArgumentException("window " + window + ", grace " + grace);
    }
    if (!(idleThreshold > 0 && idleThreshold <= 1)) {
      throw new IllegalArgumentException("idle threshold " + idleThreshold);
    }
  }

  public IdleRule withWindow(Duration other) {
    return new IdleRule(other, grace, idleThreshold, powerThreshold);
  }

  /** How long a pod has to have run before it is judged. */
  public Duration age() {
    return window.plus(grace);
  }

  /** Whether a value that a device can have shows that it works. */
  public boolean active(Signal signal, float value) {
    if (signal == Signal.POWER) {
      return powerThreshold.isPresent() && value >= (float) powerThreshold.getAsDouble();
    }
    return value >= (float) (idleThreshold * signal.scale().full());
  }
}
