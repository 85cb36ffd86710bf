package dev.fallow.core.idle;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;

/**
 * A workload's activity over three windows up to now, in slices of a sixth of a window: enough to
 * tell what was at work before and has gone still since, at every moment of the last window.
 *
 * @param active a bit for each slice with activity; the lowest is the latest slice
 * @param seen a bit for each slice with any sample
 */
public record Trace(long active, long seen) {

  public static final int SLICES = 6;
  private static final int WINDOWS = 3;
  private static final long ONE_WINDOW = (1L << SLICES) - 1;

  public static final Trace NOTHING = new Trace(0, 0);

  /** Whether it was at work in the window before the one that ended so many slices ago. */
  public boolean busyBefore(int slicesAgo) {
    return activeIn(slicesAgo + SLICES);
  }

  /** Whether it was at work in the window that ended so many slices ago. */
  public boolean activeIn(int slicesAgo) {
    return (active >>> slicesAgo & ONE_WINDOW) != 0;
  }

  /** How many slices ago it was at work last, if it was at all. */
  public OptionalInt lastActive() {
    return active == 0 ? OptionalInt.empty() : OptionalInt.of(Long.numberOfTrailingZeros(active));
  }

  /** Whether it was looked at and still all through the window that ended so many slices ago. */
  public boolean stillIn(int slicesAgo) {
    return !activeIn(slicesAgo) && (seen >>> slicesAgo & ONE_WINDOW) == ONE_WINDOW;
  }

  Trace and(Trace other) {
    return new Trace(active | other.active, seen | other.seen);
  }

  /** What one series shows since a moment. */
  static Trace of(Samples samples, Signal signal, IdleRule rule, Instant at, long since) {
    Duration window = rule.window();
    long slice = Math.max(1, window.toMillis() / SLICES);
    long until = at.toEpochMilli();
    long oldest = Math.max(since, until - slice * SLICES * WINDOWS);
    long active = 0;
    long seen = 0;
    for (int i = samples.firstAfter(oldest); i < samples.size(); i++) {
      long ago = until - samples.millis(i);
      if (ago < 0) {
        break;
      }
      if (signal.possible(samples.value(i))) {
        long bit = 1L << (int) (ago / slice);
        seen |= bit;
        active |= rule.active(signal, samples.value(i)) ? bit : 0;
      }
    }
    return new Trace(active, seen);
  }
}
