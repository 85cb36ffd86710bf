package dev.fallow.adapters.ledger;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;

/** How values look in the tables of either database. */
final class Stored {

  /** Far beyond every calendar, and still a long in microseconds. */
  private static final long MOST_SECONDS = 9_000_000_000_000L;

  private static final int HASH_BYTES = 16;

  private Stored() {}

  static long micros(Instant time) {
    long seconds = Math.clamp(time.getEpochSecond(), -MOST_SECONDS, MOST_SECONDS);
    return seconds * 1_000_000 + time.getNano() / 1_000;
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** The text without what no database holds: NUL and halves of surrogate pairs. */
  static String text(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .map(point ->
            point == 0 || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)
                ? 0xFFFD
                : point)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  /** A short key for texts of any length. */
  static String hash(List<String> texts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String text : texts) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        // With its length before it, no two lists of texts read the same.
        digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
        digest.update(bytes);
      }
      byte[] hash = new byte[HASH_BYTES];
      System.arraycopy(digest.digest(), 0, hash, 0, HASH_BYTES);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
