package dev.fallow.adapters.prometheus;

/** Words of others, made fit to stand in a sentence of ours. */
final class Words {

  private static final int LONGEST = 240;

  private Words() {}

  /** On one line, without control characters, and not longer than a sentence may be. */
  static String abridged(String said) {
    StringBuilder words = new StringBuilder();
    boolean blank = false;
    for (int i = 0; i < said.length() && words.length() < LONGEST; i++) {
      char c = said.charAt(i);
      boolean shown =
          c > ' ' && !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT;
      if (shown && c != '\u2028' && c != '\u2029') {
        if (blank && !words.isEmpty()) {
          words.append(' ');
        }
        words.append(c);
        blank = false;
      } else {
        blank = true;
      }
    }
    if (words.length() >= LONGEST) {
      boolean split = Character.isHighSurrogate(words.charAt(words.length() - 1));
      words.setLength(words.length() - (split ? 1 : 0));
      words.append(" …");
    }
    return words.toString();
  }
}
