package dev.fallow.core.idle;

import java.time.Duration;
import java.time.Instant;

/** Where GPU samples come from. */
public interface UsageSource {

  /** The time before the window that still tells how often a series is sampled. */
  Duration LOOKBACK = Duration.ofHours(1);

  /**
   * How far before the window the signals that can prove idleness are read: far enough to tell how
   * often a series is sampled and, up to a window of a day, what was at work in the two windows
   * before this one.
   */
  static Duration lookback(Duration window) {
    long twoWindows = Math.min(2 * window.toMillis(), Duration.ofDays(2).toMillis());
    return Duration.ofMillis(Math.max(twoWindows, LOOKBACK.toMillis()));
  }

  /**
   * The samples in (at − window, at], and of the signals that can prove idleness those of the
   * {@link #lookback} before as well, where the source has them. A source that fails answers {@link
   * Usage.Missing}; it does not throw.
   */
  Usage read(Instant at, Duration window);
}
