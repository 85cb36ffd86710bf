package dev.fallow.adapters.prometheus;

/**
 * A sample in the very form that Prometheus gives nearly all of them, {@code
 * [1764590400.123,"0.25"]}: no blanks, no exponents, no more digits than a double holds. It is read
 * in one go, and every other form is left to {@link ReplyReader}, which would read this one to the
 * same time and value.
 */
final class PlainSample {

  /** What {@link #read} answers for any other form. */
  static final int OTHER = -1;

  /** Longer than any plain sample; so many bytes have to be there. */
  private static final int LONGEST = 48;

  /** Twice as far as a double may lie beside the number that its digits mean. */
  private static final double NEAR = 0x1p-51;

  private long millis;
  private float value;

  long millis() {
    return millis;
  }

  /** In the precision that {@link dev.fallow.core.idle.Samples} have. */
  float value() {
    return value;
  }

  /** Where the sample ends that begins here, or {@link #OTHER}. */
  int read(byte[] bytes, int from, int end) {
    if (end - from < LONGEST || bytes[from] != '[' || bytes[from + 1] == '0') {
      return OTHER;
    }
    int at = from + 1;
    long time = 0;
    int most = at + 11;
    int digit = bytes[at] - '0';
    while (digit >= 0 && digit <= 9 && at < most) {
      time = 10 * time + digit;
      digit = bytes[++at] - '0';
    }
    if (at == from + 1) {
      return OTHER;
    }
    int decimals = 0;
    if (bytes[at] == '.') {
      digit = bytes[++at] - '0';
      while (digit >= 0 && digit <= 9 && decimals < 3) {
        time = 10 * time + digit;
        decimals++;
        digit = bytes[++at] - '0';
      }
      if (decimals == 0) {
        return OTHER;
      }
    }
    if (bytes[at] != ',' || bytes[at + 1] != '"') {
      return OTHER;
    }
    int behind = readValue(bytes, at + 2);
    for (; decimals < 3; decimals++) {
      time *= 10;
    }
    millis = time;
    return behind;
  }

  private int readValue(byte[] bytes, int from) {
    int at = from;
    long digits = 0;
    int first = at;
    int most = at + DecimalText.MOST_DIGITS;
    int digit = bytes[at] - '0';
    while (digit >= 0 && digit <= 9 && at < most) {
      digits = 10 * digits + digit;
      digit = bytes[++at] - '0';
    }
    if (at == first) {
      return OTHER;
    }
    double number = digits;
    if (bytes[at] == '.') {
      int point = at;
      digit = bytes[++at] - '0';
      while (digit >= 0 && digit <= 9 && at <= most) {
        digits = 10 * digits + digit;
        digit = bytes[++at] - '0';
      }
      number = DecimalText.scaled(digits, at - point - 1);
    }
    if (bytes[at] != '"' || bytes[at + 1] != ']') {
      return OTHER;
    }
    value = (float) number;
    return DecimalText.isExact(digits) || isCertain(number) ? at + 2 : OTHER;
  }

  /** Whether all doubles around it are the same in single precision. */
  private static boolean isCertain(double number) {
    return (float) (number - NEAR * number) == (float) (number + NEAR * number);
  }
}
