package dev.fallow.core.exposition;

import java.util.LinkedHashMap;
import java.util.Map;

/** A series as one line writes it, taken apart: the metric's name and its labels. */
public record SeriesText(String metric, Map<String, String> labels) {

  public static SeriesText parse(String text) throws MalformedText {
    int brace = text.indexOf('{');
    if (brace < 0) {
      return new SeriesText(text, Map.of());
    }
    Map<String, String> labels = new LinkedHashMap<>();
    int here = skip(text, brace + 1);
    while (text.charAt(here) != '}') {
      int equals = text.indexOf('=', here);
      if (equals < 0 || equals + 1 >= text.length() || text.charAt(equals + 1) != '"') {
        throw new MalformedText("a label needs the form name=\"value\"");
      }
      String name = text.substring(here, equals).strip();
      StringBuilder value = new StringBuilder();
      here = unquote(text, equals + 2, value);
      if (name.isEmpty() || labels.put(name, value.toString()) != null) {
        throw new MalformedText("a label has no name, or is there twice: " + name);
      }
      here = skip(text, here);
      if (text.charAt(here) == ',') {
        here = skip(text, here + 1);
      } else if (text.charAt(here) != '}') {
        throw new MalformedText("labels need a comma between them");
      }
    }
    return new SeriesText(text.substring(0, brace), labels);
  }

  /** Reads a quoted value from its first character; answers the place after its closing quote. */
  private static int unquote(String text, int from, StringBuilder value) throws MalformedText {
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        return i + 1;
      }
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        char escaped = text.charAt(i);
        value.append(escaped == 'n' ? '\n' : escaped);
      } else {
        value.append(c);
      }
    }
    throw new MalformedText("a label value has no closing quote");
  }

  private static int skip(String text, int from) throws MalformedText {
    int here = from;
    while (here < text.length() && (text.charAt(here) == ' ' || text.charAt(here) == '\t')) {
      here++;
    }
    if (here == text.length()) {
      throw new MalformedText("the labels have no end");
    }
    return here;
  }

  /** The line again, its values escaped as both text formats want it. */
  @Override
  public String toString() {
    if (labels.isEmpty()) {
      return metric;
    }
    StringBuilder text = new StringBuilder(metric).append('{');
    labels.forEach((name, value) -> {
      if (text.charAt(text.length() - 1) != '{') {
        text.append(',');
      }
      text.append(name).append("=\"");
      for (int i = 0; i < value.length(); i++) {
        switch (value.charAt(i)) {
          case '\\' -> text.append("\\\\");
          case '"' -> text.append("\\\"");
          case '\n' -> text.append("\\n");
          default -> text.append(value.charAt(i));
        }
      }
      text.append('"');
    });
    return text.append('}').toString();
  }
}
