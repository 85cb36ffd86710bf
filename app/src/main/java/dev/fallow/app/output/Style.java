package dev.fallow.app.output;

import java.util.Map;
import java.util.function.Function;

/** Colour, where the reader is a terminal and has not said NO_COLOR. */
public enum Style {
  PLAIN(""),
  BOLD("1"),
  DIM("2"),
  RED("31"),
  GREEN("32"),
  YELLOW("33"),
  CYAN("36");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /** Whether output may be coloured: on a terminal, unless the environment says no. */
  public static boolean allowed(Map<String, String> environment, boolean terminal) {
    return terminal
        && environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !"dumb".equals(environment.get("TERM"));
  }

  public String on(String text, boolean coloured) {
    return coloured && this != PLAIN ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  /**
   * Text from elsewhere, made safe for a terminal: control characters, which could move the cursor
   * or hide other lines, become visible, and so do those that reverse the direction of writing.
   */
  public static String visible(String text) {
    return replaced(text, c -> "\ufffd");
  }

  /** The same of JSON, in which such characters can only be within texts, and keep their value. */
  static String escaped(String json) {
    return replaced(json, c -> "\\u%04x".formatted((int) c));
  }

  private static String replaced(String text, Function<Character, String> by) {
    if (text.chars().noneMatch(c -> isHidden((char) c))) {
      return text;
    }
    StringBuilder safe = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      safe.append(isHidden(c) ? by.apply(c) : String.valueOf(c));
    }
    return safe.toString();
  }

  private static boolean isHidden(char c) {
    return Character.isISOControl(c)
        || (c >= '\u202a' && c <= '\u202e')
        || (c >= '\u2066' && c <= '\u2069');
  }
}
