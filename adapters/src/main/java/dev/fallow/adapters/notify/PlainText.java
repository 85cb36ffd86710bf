package dev.fallow.adapters.notify;

/**
 * Texts of others on one line: without line breaks and other control characters, without marks that
 * turn the reading direction around or hide, and no longer than is shown.
 */
final class PlainText {

  private PlainText() {}

  /**
   * @param longest in characters, the ellipsis included
   */
  static String oneLine(String text, int longest) {
    StringBuilder clean = new StringBuilder(Math.min(text.length(), longest));
    int at = 0;
    while (at < text.length()) {
      int point = text.codePointAt(at);
      at += Character.charCount(point);
      if (isHidden(point)) {
        continue;
      }
      int shown = isBreak(point) ? ' ' : point;
      if (shown == ' ' && (clean.isEmpty() || clean.charAt(clean.length() - 1) == ' ')) {
        continue;
      }
      if (clean.length() + Character.charCount(shown) > longest) {
        return cut(clean, longest);
      }
      clean.appendCodePoint(shown);
    }
    return clean.toString().stripTrailing();
  }

  private static String cut(StringBuilder text, int longest) {
    int end = Math.min(text.length(), longest - 1);
    if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(0, end).stripTrailing() + "…";
  }

  private static boolean isBreak(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR ->
          true;
      default -> false;
    };
  }

  /** Marks of direction and width, halves of characters, and what is none. */
  private static boolean isHidden(int point) {
    return switch (Character.getType(point)) {
      case Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED, Character.PRIVATE_USE ->
          true;
      default -> false;
    };
  }
}
