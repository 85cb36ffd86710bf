package dev.fallow.app.output;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How data is printed: for eyes, or for programs. */
public enum OutputFormat {
  TABLE,
  WIDE,
  JSON,
  YAML,
  CSV;

  /** What there is, in words. */
  public static String choice() {
    List<String> names =
        Arrays.stream(values()).map(format -> format.name().toLowerCase(Locale.ROOT)).toList();
    return String.join(", ", names.subList(0, names.size() - 1)) + " or " + names.getLast();
  }
}
