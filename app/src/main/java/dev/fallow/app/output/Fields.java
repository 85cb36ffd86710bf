package dev.fallow.app.output;

import dev.fallow.server.JsonText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Data to print, as names and values in the order they are to appear: texts, numbers, truths, and
 * maps and lists of them. Anything else is printed as its text.
 */
public final class Fields {

  private Fields() {}

  /** One line of JSON. */
  public static String json(Object value) {
    return Style.escaped(JsonText.of(value));
  }

  /** Block YAML; every text is quoted as JSON quotes it, which YAML reads too. */
  public static String yaml(Object value) {
    StringBuilder text = new StringBuilder();
    block(text, value, "");
    return text.toString();
  }

  private static void block(StringBuilder text, @Nullable Object value, String indent) {
    switch (value) {
      case Map<?, ?> map when !map.isEmpty() -> {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          text.append(indent).append(entry.getKey()).append(':');
          nested(text, entry.getValue(), indent + "  ");
        }
      }
      case List<?> list when !list.isEmpty() -> {
        for (Object entry : list) {
          if (entry instanceof Map<?, ?> map && !map.isEmpty()) {
            StringBuilder inner = new StringBuilder();
            block(inner, map, indent + "  ");
            text.append(indent).append("- ").append(inner.substring(indent.length() + 2));
          } else {
            text.append(indent).append("- ").append(json(entry == null ? "" : entry)).append('\n');
          }
        }
      }
      case null, default ->
          text.append(indent).append(json(value == null ? "" : value)).append('\n');
    }
  }

  private static void nested(StringBuilder text, @Nullable Object value, String indent) {
    Object inner = value instanceof Optional<?> optional ? optional.orElse(null) : value;
    boolean large =
        (inner instanceof Map<?, ?> map && !map.isEmpty())
            || (inner instanceof List<?> list && !list.isEmpty());
    if (large) {
      text.append('\n');
      block(text, inner, indent);
    } else {
      text.append(' ').append(inner == null ? "null" : json(inner)).append('\n');
    }
  }

  /** One line of comma-separated values; what a spreadsheet would take for a formula is quoted. */
  public static String csv(List<?> values) {
    StringJoiner line = new StringJoiner(",");
    for (Object value : values) {
      Object inner = value instanceof Optional<?> optional ? optional.orElse(null) : value;
      line.add(cell(inner == null ? "" : inner.toString()));
    }
    return line.toString();
  }

  private static String cell(String text) {
    boolean formula = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
    String shown = text.lines().map(Style::visible).collect(Collectors.joining("\n"));
    String safe = formula ? "'" + shown : shown;
    boolean plain = safe.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n');
    return plain ? safe : '"' + safe.replace("\"", "\"\"") + '"';
  }
}
