package dev.fallow.app.settings;

import java.util.Locale;

/** How a line of the log looks. */
public enum LogFormat {
  /** A line of words and {@code key=value}. */
  DEFAULT,
  /** A line of JSON, in the shape that gpu-pruner's has. */
  JSON,
  /** Several lines, to be read by people as they come. */
  PRETTY;

  /**
   * @throws IllegalArgumentException if there is no such format
   */
  public static LogFormat of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }
}
