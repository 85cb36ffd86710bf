package dev.fallow.app.output;

/** How data is printed: for eyes, or for programs. */
public enum OutputFormat {
  TABLE,
  WIDE,
  JSON,
  YAML,
  CSV
}
