package dev.fallow.core.ledger;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A place in the list of actions, just after one of them. Records that come later do not move it.
 */
public record Cursor(Instant at, String key) {

  private static final String KEY = "[0-9a-f]{64}";
  private static final String MICROS = "-?[0-9]{1,17}";

  public static Cursor after(ActionRecord last) {
    return new Cursor(last.at(), last.key());
  }

  /** What {@link #toString} wrote; nothing if it did not. */
  public static Optional<Cursor> parse(String text) {
    String[] parts = text.split("_", 2);
    if (parts.length != 2 || !parts[0].matches(MICROS) || !parts[1].matches(KEY)) {
      return Optional.empty();
    }
    try {
      Instant at = Instant.EPOCH.plus(Long.parseLong(parts[0]), ChronoUnit.MICROS);
      return Optional.of(new Cursor(at, parts[1]));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Fit for a web address. */
  @Override
  public String toString() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, at) + "_" + key;
  }
}
