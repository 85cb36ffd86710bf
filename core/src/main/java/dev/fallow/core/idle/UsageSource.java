package dev.fallow.core.idle;

import java.time.Duration;
import java.time.Instant;

/** Where GPU samples come from. */
public interface UsageSource {

  /** The time before the window that still tells how often a series is sampled. */
  Duration LOOKBACK = Duration.ofHours(1);

  /**
   * The samples in (at − window, at], and of the signals that can prove idleness those of the hour
   * before as well, where the source has them. A source that fails answers {@link Usage.Missing};
   * it does not throw.
   */
  Usage read(Instant at, Duration window);
}
