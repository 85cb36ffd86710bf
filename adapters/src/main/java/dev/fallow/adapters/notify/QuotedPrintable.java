package dev.fallow.adapters.notify;

import java.nio.charset.StandardCharsets;

/** Text as short lines of ASCII that any mail server passes on unchanged. */
final class QuotedPrintable {

  private static final int LONGEST = 76;

  private QuotedPrintable() {}

  /** With CR LF for each line break. */
  static String encoded(String text) {
    StringBuilder all = new StringBuilder(text.length() * 5 / 4);
    String[] lines = text.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      all.append(i == 0 ? "" : "\r\n");
      line(all, lines[i].getBytes(StandardCharsets.UTF_8));
    }
    return all.toString();
  }

  private static void line(StringBuilder all, byte[] bytes) {
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      int one = bytes[i] & 0xff;
      boolean last = i == bytes.length - 1;
      boolean literal = one == ' ' ? !last : (one > ' ' && one <= '~' && one != '=');
      String shown = literal ? String.valueOf((char) one) : "=%02X".formatted(one);
      if (length + shown.length() > LONGEST - 1) {
        all.append("=\r\n");
        length = 0;
      }
      all.append(shown);
      length += shown.length();
    }
  }
}
