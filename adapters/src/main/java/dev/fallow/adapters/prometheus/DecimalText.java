package dev.fallow.adapters.prometheus;

import java.nio.charset.StandardCharsets;

/**
 * Numbers as Prometheus writes them, read from bytes without making a String of each: a fleet's
 * window is millions of them.
 */
final class DecimalText {

  /** What {@link #millis} answers for text that is no time. */
  static final long NO_TIME = Long.MIN_VALUE;

  /** As many digits as a long holds, whatever they are. */
  static final int MOST_DIGITS = 18;

  private static final int MOST_DIGITS_OF_SECONDS = 15;
  private static final int LONGEST = 400;

  /** Up to here every whole number is a double. */
  private static final long LARGEST_EXACT = 1L << 53;

  private static final double[] POWERS_OF_TEN = {
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18
  };

  private DecimalText() {}

  /**
   * Milliseconds from seconds with a fraction, by their digits: {@code 1764590400.123} is not a
   * double. What is finer than a millisecond is cut off.
   */
  static long millis(byte[] text, int offset, int length) {
    int end = offset + length;
    int at = offset;
    boolean negative = at < end && text[at] == '-';
    at += negative ? 1 : 0;
    int first = at;
    long millis = 0;
    while (at < end && isDigit(text[at])) {
      if (at - first >= MOST_DIGITS_OF_SECONDS) {
        return NO_TIME;
      }
      millis = 10 * millis + (text[at++] - '0');
    }
    if (at == first) {
      return NO_TIME;
    }
    int decimals = 0;
    if (at < end && text[at] == '.') {
      at++;
      while (at < end && isDigit(text[at])) {
        if (decimals < 3) {
          millis = 10 * millis + (text[at] - '0');
          decimals++;
        }
        at++;
      }
    }
    if (at < end) {
      return roundedMillis(text, offset, length);
    }
    for (; decimals < 3; decimals++) {
      millis *= 10;
    }
    return negative ? -millis : millis;
  }

  private static long roundedMillis(byte[] text, int offset, int length) {
    double seconds = value(text, offset, length);
    return Math.abs(seconds) < 1e15 ? Math.round(seconds * 1000) : NO_TIME;
  }

  /** The value; not a number for text that is no number. */
  static double value(byte[] text, int offset, int length) {
    int end = offset + length;
    int at = offset;
    boolean negative = at < end && text[at] == '-';
    at += negative ? 1 : 0;
    long digits = 0;
    int count = 0;
    int decimals = 0;
    boolean fraction = false;
    for (; at < end; at++) {
      byte c = text[at];
      if (isDigit(c)) {
        digits = 10 * digits + (c - '0');
        decimals += fraction ? 1 : 0;
        if (++count > MOST_DIGITS) {
          return anyValue(text, offset, length);
        }
      } else if (c == '.' && !fraction) {
        fraction = true;
      } else {
        return anyValue(text, offset, length);
      }
    }
    if (count == 0) {
      return Double.NaN;
    }
    if (!isExact(digits)) {
      return anyValue(text, offset, length);
    }
    double value = scaled(digits, decimals);
    return negative ? -value : value;
  }

  /** Whether these digits are a double, so that {@link #scaled} rounds only once. */
  static boolean isExact(long digits) {
    return digits <= LARGEST_EXACT;
  }

  /**
   * The number of these digits with so many of them behind the point: the double that is nearest,
   * if they are {@linkplain #isExact exact}, since the powers of ten here are doubles too.
   */
  static double scaled(long digits, int decimals) {
    return digits / POWERS_OF_TEN[decimals];
  }

  private static double anyValue(byte[] text, int offset, int length) {
    if (length > LONGEST) {
      return Double.NaN;
    }
    String written = new String(text, offset, length, StandardCharsets.ISO_8859_1);
    return switch (written) {
      case "Inf", "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> plainValue(written);
    };
  }

  /** Java reads more as a number than others write: hexadecimal, type suffixes, blanks. */
  private static double plainValue(String written) {
    for (int i = 0; i < written.length(); i++) {
      char c = written.charAt(i);
      if (!isDigit(c) && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E') {
        return Double.NaN;
      }
    }
    try {
      return Double.parseDouble(written);
    } catch (NumberFormatException notANumber) {
      return Double.NaN;
    }
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }
}
