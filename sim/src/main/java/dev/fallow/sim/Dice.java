package dev.fallow.sim;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Chance without memory: the same seed in the same place always falls the same. */
final class Dice {

  private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  private Dice() {}

  static long roll(long seed, long place) {
    long mixed = seed * 0x9E3779B97F4A7C15L + place * 0xD1B54A32D192ED03L + 0x2545F4914F6CDD1DL;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  static long roll(long seed, String place) {
    long hash = 0xCBF29CE484222325L;
    for (byte one : place.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ one) * 0x100000001B3L;
    }
    return roll(seed, hash);
  }

  /** In [0, 1). */
  static double unit(long seed, long place) {
    return (roll(seed, place) >>> 11) * 0x1p-53;
  }

  static String uid(long seed, String place) {
    long high = roll(seed, place);
    long low = roll(high, place);
    return new UUID(
            (high & 0xFFFFFFFFFFFF0FFFL) | 0x4000L,
            (low & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L)
        .toString();
  }

  /** Letters and digits as Kubernetes ends generated names with. */
  static String suffix(long seed, String place, int length) {
    StringBuilder suffix = new StringBuilder(length);
    long rolled = roll(seed, place);
    for (int i = 0; i < length; i++) {
      suffix.append(
          SUFFIX_LETTERS.charAt((int) Long.remainderUnsigned(rolled, SUFFIX_LETTERS.length())));
      rolled = roll(rolled, i);
    }
    return suffix.toString();
  }
}
