package dev.fallow.sim;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Nested maps and lists as the block YAML that people read; texts quoted where they must be. */
final class BlockYaml {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");
  private static final Set<String> NOT_TEXT =
      Set.of("true", "false", "yes", "no", "on", "off", "null", "y", "n");

  private final StringBuilder yaml = new StringBuilder();

  private BlockYaml() {}

  static String of(Map<?, ?> object) {
    BlockYaml writer = new BlockYaml();
    writer.map(object, 0);
    return writer.yaml.toString();
  }

  private void map(Map<?, ?> map, int indent) {
    boolean first = true;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      // A map in a list begins on the line of its dash.
      if (!first || yaml.isEmpty() || yaml.charAt(yaml.length() - 1) == '\n') {
        yaml.append(" ".repeat(indent));
      }
      first = false;
      text(entry.getKey().toString());
      yaml.append(':');
      value(entry.getValue(), indent);
    }
  }

  private void value(Object value, int indent) {
    switch (value) {
      case Map<?, ?> map when map.isEmpty() -> yaml.append(" {}\n");
      case List<?> list when list.isEmpty() -> yaml.append(" []\n");
      case Map<?, ?> map -> {
        yaml.append('\n');
        map(map, indent + 2);
      }
      case List<?> list -> {
        yaml.append('\n');
        list(list, indent);
      }
      default -> {
        yaml.append(' ');
        scalar(value);
        yaml.append('\n');
      }
    }
  }

  private void list(List<?> list, int indent) {
    for (Object entry : list) {
      yaml.append(" ".repeat(indent)).append("- ");
      if (entry instanceof Map<?, ?> map && !map.isEmpty()) {
        map(map, indent + 2);
      } else {
        scalar(entry);
        yaml.append('\n');
      }
    }
  }

  private void scalar(Object value) {
    if (value instanceof Number || value instanceof Boolean) {
      yaml.append(value);
    } else {
      text(value.toString());
    }
  }

  private void text(String text) {
    if (PLAIN.matcher(text).matches() && !NOT_TEXT.contains(text.toLowerCase(Locale.ROOT))) {
      yaml.append(text);
    } else {
      SimObjectsJson.quote(yaml, text);
    }
  }
}
