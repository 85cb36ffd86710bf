package dev.fallow.core.idle;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as people write them: {@code 20s}, {@code 90m}, {@code 1h30m}, {@code PT2H}. */
public final class Durations {

  private static final Pattern PARTS =
      Pattern.compile("(?:([0-9]{1,6})d)?(?:([0-9]{1,7})h)?(?:([0-9]{1,8})m)?(?:([0-9]{1,9})s)?");
  private static final Duration LONGEST = Duration.ofDays(3660);

  private Durations() {}

  /** A positive length of at most ten years; nothing for text that is not one. */
  public static Optional<Duration> parse(String text) {
    String written = text.strip();
    Duration length;
    try {
      length = written.startsWith("P") ? Duration.parse(written) : parts(written);
    } catch (DateTimeException | ArithmeticException notALength) {
      return Optional.empty();
    }
    return length.isPositive() && length.compareTo(LONGEST) <= 0
        ? Optional.of(length)
        : Optional.empty();
  }

  private static Duration parts(String written) {
    Matcher matcher = PARTS.matcher(written.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return Duration.ZERO;
    }
    return Duration.ofDays(number(matcher, 1))
        .plusHours(number(matcher, 2))
        .plusMinutes(number(matcher, 3))
        .plusSeconds(number(matcher, 4));
  }

  private static long number(Matcher matcher, int group) {
    String digits = matcher.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }

  /** The two largest units that matter: {@code 3 d 4 h}, {@code 31 min}, {@code 30 s}. */
  public static String format(Duration length) {
    return format(length.toMillis());
  }

  static String format(long millis) {
    long seconds = Math.round(millis / 1000.0);
    if (millis < 1000) {
      return millis + " ms";
    }
    if (seconds < 120) {
      return seconds + " s";
    }
    if (seconds < 600) {
      return join(seconds / 60, "min", seconds % 60, "s");
    }
    if (seconds < 7200) {
      return seconds / 60 + " min";
    }
    if (seconds < 172_800) {
      return join(seconds / 3600, "h", seconds % 3600 / 60, "min");
    }
    return join(seconds / 86_400, "d", seconds % 86_400 / 3600, "h");
  }

  private static String join(long large, String unit, long small, String smallUnit) {
    return large + " " + unit + (small == 0 ? "" : " " + small + " " + smallUnit);
  }
}
