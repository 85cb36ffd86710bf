package dev.fallow.adapters.prometheus;

/**
 * Numbers as Prometheus writes them, read from characters without making a String of each: a
 * fleet's window is millions of them.
 */
final class DecimalText {

  /** What {@link #millis} answers for text that is no time. */
  static final long NO_TIME = Long.MIN_VALUE;

  private static final int EXACT_DIGITS = 15;
  private static final int LONGEST = 400;
  private static final double[] POWERS_OF_TEN = {
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  private DecimalText() {}

  /**
   * Milliseconds from seconds with a fraction, by their digits: {@code 1764590400.123} is not a
   * double. What is finer than a millisecond is cut off.
   */
  static long millis(char[] text, int offset, int length) {
    int end = offset + length;
    int at = offset;
    boolean negative = at < end && text[at] == '-';
    at += negative ? 1 : 0;
    int first = at;
    long millis = 0;
    while (at < end && isDigit(text[at])) {
      if (at - first >= EXACT_DIGITS) {
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

  private static long roundedMillis(char[] text, int offset, int length) {
    double seconds = value(text, offset, length);
    return Math.abs(seconds) < 1e15 ? Math.round(seconds * 1000) : NO_TIME;
  }

  /** The value; not a number for text that is no number. */
  static double value(char[] text, int offset, int length) {
    int end = offset + length;
    int at = offset;
    boolean negative = at < end && text[at] == '-';
    at += negative ? 1 : 0;
    long digits = 0;
    int count = 0;
    int decimals = 0;
    boolean fraction = false;
    for (; at < end; at++) {
      char c = text[at];
      if (isDigit(c)) {
        digits = 10 * digits + (c - '0');
        decimals += fraction ? 1 : 0;
        if (++count > EXACT_DIGITS) {
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
    double value = digits / POWERS_OF_TEN[decimals];
    return negative ? -value : value;
  }

  private static double anyValue(char[] text, int offset, int length) {
    if (length > LONGEST) {
      return Double.NaN;
    }
    String written = new String(text, offset, length);
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

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
