package dev.fallow.adapters.prometheus;

import java.util.Arrays;

/**
 * The text that a place in a series held last, and its bytes. The next series mostly has the same
 * label there, and often with the same value, so that neither has to be looked for again.
 */
final class PooledText {

  private static final int LONGEST = 96;

  private final byte[] bytes = new byte[LONGEST];
  private int length;
  private String text = "";

  String text() {
    return text;
  }

  int length() {
    return length;
  }

  /** Whether these bytes are this text up to its closing quote. */
  boolean stands(byte[] buffer, int at, int end) {
    int behind = at + length;
    return behind < end
        && buffer[behind] == '"'
        && Arrays.equals(buffer, at, behind, bytes, 0, length);
  }

  /** Holds a text from now on, unless it is a long one. */
  void hold(String pooled, byte[] buffer, int start, int size) {
    if (size <= LONGEST) {
      System.arraycopy(buffer, start, bytes, 0, size);
      length = size;
      text = pooled;
    }
  }
}
