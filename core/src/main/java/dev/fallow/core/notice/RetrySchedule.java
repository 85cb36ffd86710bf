package dev.fallow.core.notice;

import java.time.Duration;
import java.util.Optional;

/**
 * When to try again: twice as late each time, up to a longest delay. What failed together does not
 * come back together; by how much each is off follows from its id, so a restart computes the same.
 *
 * @param first about how long to wait after the first attempt
 * @param longest what no delay exceeds, not even one that the other side asks for
 */
public record RetrySchedule(Duration first, Duration longest) {

  /** Doublings beyond this exceed every longest delay. */
  private static final int MOST_DOUBLINGS = 30;

  public RetrySchedule {
    if (!first.isPositive() || longest.compareTo(first) < 0) {
      throw new IllegalArgumentException("the first delay is positive, the longest no shorter");
    }
  }

  /**
   * How long to wait after an attempt.
   *
   * @param attempt 1 for the first
   * @param retryAfter the least that the other side asks for
   */
  public Duration delay(String id, int attempt, Optional<Duration> retryAfter) {
    if (attempt < 1) {
      throw new IllegalArgumentException("attempts are counted from 1");
    }
    double share = share(id, attempt);
    Duration own = shorter(first.multipliedBy(1L << Math.min(attempt - 1, MOST_DOUBLINGS)));
    Duration delay = scaled(own, 0.5 + share / 2);
    if (retryAfter.isPresent() && retryAfter.get().compareTo(delay) > 0) {
      delay = shorter(scaled(shorter(retryAfter.get()), 1 + share / 10));
    }
    return delay;
  }

  private Duration shorter(Duration one) {
    return one.compareTo(longest) < 0 ? one : longest;
  }

  private static Duration scaled(Duration one, double factor) {
    return Duration.ofMillis(Math.max(1, (long) (one.toMillis() * factor)));
  }

  /** Between 0 and 1, spread evenly over ids and attempts. */
  private static double share(String id, int attempt) {
    long mixed = id.hashCode() * 0x9E3779B97F4A7C15L + attempt * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return ((mixed ^ (mixed >>> 31)) >>> 11) * 0x1.0p-53;
  }
}
