package dev.fallow.server.metrics;

import java.util.HashSet;
import java.util.Set;

/**
 * A label whose values come from elsewhere. Only so many different ones are let through; what comes
 * later is {@link #OTHER}, so that nobody fills a Prometheus by inventing values.
 */
final class BoundedLabel {

  /** No name in Kubernetes has an underscore, so it is nobody's. */
  static final String OTHER = "_other";

  private static final int LONGEST = 300;

  private final int most;
  private final Set<String> known = new HashSet<>();

  BoundedLabel(int most) {
    this.most = most;
  }

  String of(String value) {
    String clean = clean(value);
    if (known.size() < most) {
      known.add(clean);
    }
    return known.contains(clean) ? clean : OTHER;
  }

  /** Without what would end a line for some reader of the text. */
  static String clean(String value) {
    String text = value.length() <= LONGEST ? value : value.substring(0, LONGEST);
    for (int i = 0; i < text.length(); i++) {
      if (endsLines(text.charAt(i))) {
        return replaced(text);
      }
    }
    return text;
  }

  private static String replaced(String text) {
    StringBuilder clean = new StringBuilder(text);
    for (int i = 0; i < text.length(); i++) {
      if (endsLines(text.charAt(i))) {
        clean.setCharAt(i, '\uFFFD');
      }
    }
    return clean.toString();
  }

  private static boolean endsLines(char c) {
    return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
  }
}
