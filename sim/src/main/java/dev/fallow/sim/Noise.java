package dev.fallow.sim;

import dev.fallow.core.idle.Signal;

/**
 * What goes wrong between a card and a sample. Noise never changes the truth: it hits at most one
 * look of an exporter in any window, which is less than a proof of stillness tolerates.
 */
public enum Noise {
  NONE,
  /** Now and then a look is lost, or shows a number that no card can have. */
  NOW_AND_THEN;

  private static final int EVERY = 75;

  boolean loses(long seed, long look) {
    return this == NOW_AND_THEN && strikes(seed, look) && (look / EVERY) % 2 == 0;
  }

  double corrupted(Signal signal, double value, long seed, long look) {
    if (this == NONE || !strikes(seed, look)) {
      return value;
    }
    return signal.scale() == Signal.Scale.RATIO ? Double.NaN : 4_294_967_295d;
  }

  private static boolean strikes(long seed, long look) {
    return Math.floorMod(look, EVERY) == Math.floorMod(seed, EVERY);
  }
}
