package dev.fallow.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads sample lines of the exposition formats; anything that is not one is refused. */
final class ExpositionLines {

  private static final Pattern LINE =
      Pattern.compile(
          "([a-zA-Z_:][a-zA-Z0-9_:]*)\\{(.*)\\} (NaN|[-+0-9.eE]+)(?: ([0-9]+\\.[0-9]{3}))?");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");

  private ExpositionLines() {}

  /**
   * @param millis the sample's time; 0 where the line has none
   */
  record Line(String metric, Map<String, String> labels, double value, long millis) {}

  static List<Line> of(String text) {
    List<Line> lines = new ArrayList<>();
    for (String line : text.split("\n")) {
      if (line.startsWith("#")) {
        continue;
      }
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(line);
      }
      long millis =
          matcher.group(4) == null ? 0 : Long.parseLong(matcher.group(4).replace(".", ""));
      lines.add(
          new Line(
              matcher.group(1),
              labels(matcher.group(2)),
              Double.parseDouble(matcher.group(3)),
              millis));
    }
    return lines;
  }

  private static Map<String, String> labels(String text) {
    Map<String, String> labels = new HashMap<>();
    Matcher matcher = LABEL.matcher(text);
    int end = 0;
    while (matcher.find()) {
      if (matcher.start() != end) {
        throw new IllegalArgumentException(text);
      }
      end = matcher.end();
      labels.put(
          matcher.group(1),
          matcher.group(2).replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\"));
    }
    if (end != text.length()) {
      throw new IllegalArgumentException(text);
    }
    return labels;
  }
}
