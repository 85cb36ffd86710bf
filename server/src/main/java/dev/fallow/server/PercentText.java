package dev.fallow.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Takes percent signs out of a piece of a URI. Unlike the JDK's decoder it takes nothing that is
 * not UTF-8, so that two spellings of one name cannot pass as two names.
 */
public final class PercentText {

  private PercentText() {}

  /** A segment of a path. */
  public static String segment(String raw) {
    return decode(raw, false);
  }

  /** A name or a value of a query, where a plus is a space. */
  static String query(String raw) {
    return decode(raw, true);
  }

  private static String decode(String raw, boolean plusIsSpace) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        if (i + 2 >= raw.length()) {
          throw malformed();
        }
        int high = Character.digit(raw.charAt(i + 1), 16);
        int low = Character.digit(raw.charAt(i + 2), 16);
        if (high < 0 || low < 0) {
          throw malformed();
        }
        bytes.write(high * 16 + low);
        i += 2;
      } else if (c == '+' && plusIsSpace) {
        bytes.write(' ');
      } else if (c < 0x80) {
        bytes.write(c);
      } else {
        throw malformed();
      }
    }
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes.toByteArray()))
              .toString();
      if (text.chars().anyMatch(Character::isISOControl)) {
        throw malformed();
      }
      return text;
    } catch (CharacterCodingException notText) {
      throw malformed();
    }
  }

  private static Rejected malformed() {
    return new Rejected(Problem.badRequest("the path or the query holds what is not text"));
  }
}
