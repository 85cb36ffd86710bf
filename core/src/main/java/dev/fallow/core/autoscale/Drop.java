package dev.fallow.core.autoscale;

import dev.fallow.core.idle.Signal;
import java.util.Optional;

/** Why a sample is evidence of nothing. */
public enum Drop {
  NOT_A_NUMBER,
  NEGATIVE,
  TOO_HIGH,
  BLANK;

  private static final double LARGEST = 0x1p31;

  /** Several times what any card can draw. */
  private static final double MOST_WATTS = 5000;

  /**
   * What is wrong with a value of a feed; nothing if a device, or a program, can have it. Exporters
   * write blanks as the ends of number ranges, rounded to the precision samples are kept in.
   */
  static Optional<Drop> of(Feed feed, Optional<Signal> signal, double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return Optional.of(NOT_A_NUMBER);
    }
    boolean memory = isMemory(feed);
    if (signal.isPresent() || memory) {
      if (value < 0) {
        return Optional.of(NEGATIVE);
      }
      if (value >= LARGEST) {
        return Optional.of(BLANK);
      }
      return memory || isPossible(signal.orElseThrow(), value)
          ? Optional.empty()
          : Optional.of(TOO_HIGH);
    }
    return feed.ofDevices() && isBlank(value) ? Optional.of(BLANK) : Optional.empty();
  }

  private static boolean isPossible(Signal signal, double value) {
    return signal.possible(value) && (signal != Signal.POWER || value <= MOST_WATTS);
  }

  private static boolean isMemory(Feed feed) {
    return feed.equals(Feed.FB_USED)
        || feed.equals(Feed.FB_FREE)
        || feed.equals(Feed.FB_RESERVED)
        || feed.equals(Feed.VRAM_USED)
        || feed.equals(Feed.VRAM_TOTAL);
  }

  private static boolean isBlank(double value) {
    return value == 0x1p31 || value == 0x1p32 || value == 0x1p47 || value >= 0x1p63;
  }
}
