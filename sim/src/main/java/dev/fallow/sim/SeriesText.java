package dev.fallow.sim;

import java.util.Map;

/** Series in the exposition formats of Prometheus and OpenMetrics, which agree on these parts. */
final class SeriesText {

  private SeriesText() {}

  static void append(StringBuilder text, String metric, Map<String, String> labels) {
    text.append(metric).append('{');
    String comma = "";
    for (Map.Entry<String, String> label : labels.entrySet()) {
      text.append(comma).append(label.getKey()).append("=\"");
      escape(text, label.getValue());
      text.append('"');
      comma = ",";
    }
    text.append("} ");
  }

  static void append(StringBuilder text, double value) {
    if (Double.isNaN(value)) {
      text.append("NaN");
    } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      text.append((long) value);
    } else {
      text.append(value);
    }
  }

  private static void escape(StringBuilder text, String value) {
    for (int i = 0; i < value.length(); i++) {
      switch (value.charAt(i)) {
        case '\\' -> text.append("\\\\");
        case '"' -> text.append("\\\"");
        case '\n' -> text.append("\\n");
        default -> text.append(value.charAt(i));
      }
    }
  }
}
