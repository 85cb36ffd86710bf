package dev.fallow.app.log;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/** What a record says beside its message, by name and in order. */
record LogFields(Map<String, Object> values) {

  /** A name and a value in turn; a name at the end that has none says so. */
  static LogFields of(@Nullable Object... namesAndValues) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      Object value = i + 1 < namesAndValues.length ? namesAndValues[i + 1] : null;
      values.put(String.valueOf(namesAndValues[i]), value == null ? "none" : value);
    }
    return new LogFields(values);
  }

  /** Those of a record of ours; a library's has none. */
  static Optional<LogFields> of(LogRecord record) {
    Object[] parameters = record.getParameters();
    return parameters != null && parameters.length == 1 && parameters[0] instanceof LogFields own
        ? Optional.of(own)
        : Optional.empty();
  }
}
