package dev.fallow.app.log;

import dev.fallow.app.output.Fields;
import dev.fallow.app.output.Style;
import dev.fallow.app.settings.LogFormat;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.regex.Pattern;

/**
 * Writes records, ours and the libraries', in one of three forms. In the first two a record is one
 * line whatever it holds: who can make us log a name must not be able to make us log a line.
 */
final class LogFormatter extends Formatter {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);
  private static final Pattern BARE = Pattern.compile("[\\p{L}\\p{N}_./:@%+,*-]+");

  private final LogFormat format;

  LogFormatter(LogFormat format) {
    this.format = format;
  }

  @Override
  public String format(LogRecord record) {
    return switch (format) {
      case DEFAULT -> line(record);
      case JSON -> json(record);
      case PRETTY -> pretty(record);
    };
  }

  private String line(LogRecord record) {
    StringBuilder line = new StringBuilder(TIME.format(record.getInstant()));
    line.append(String.format(" %5s ", level(record))).append(target(record)).append(": ");
    line.append(escaped(message(record)));
    fields(record)
        .forEach((name, value) ->
            line.append(' ').append(escaped(name)).append('=').append(word(value.toString())));
    return line.append('\n').toString();
  }

  private String json(LogRecord record) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("message", message(record));
    fields(record).forEach((name, value) -> fields.merge(name, value, (message, own) -> message));
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("timestamp", TIME.format(record.getInstant()));
    line.put("level", level(record));
    line.put("fields", fields);
    line.put("target", target(record));
    // JSON itself escapes only some of the control characters.
    return escaped(Fields.json(line)) + "\n";
  }

  private String pretty(LogRecord record) {
    StringBuilder text = new StringBuilder(CLOCK.format(record.getInstant()));
    text.append(String.format(" %5s  ", level(record)))
        .append(Style.visible(message(record)))
        .append('\n');
    fields(record)
        .forEach((name, value) -> {
          text.append("               ").append(Style.visible(name)).append(": ");
          String indent = "\n                 ";
          text.append(String.join(indent, value.toString().lines().map(Style::visible).toList()));
          text.append('\n');
        });
    return text.toString();
  }

  /** A library's may have gaps to fill in; ours never has. */
  private String message(LogRecord record) {
    boolean own = LogFields.of(record).isPresent();
    return String.valueOf(own ? record.getMessage() : formatMessage(record));
  }

  /** The record's own, and what was thrown. */
  private static Map<String, Object> fields(LogRecord record) {
    Map<String, Object> fields = new LinkedHashMap<>();
    LogFields.of(record).ifPresent(own -> fields.putAll(own.values()));
    Throwable thrown = record.getThrown();
    if (thrown != null) {
      StringWriter stack = new StringWriter();
      thrown.printStackTrace(new PrintWriter(stack));
      fields.put("error", thrown.toString());
      fields.put("stack", stack.toString().replace("\t", "  ").strip());
    }
    return fields;
  }

  private static String level(LogRecord record) {
    int level = record.getLevel().intValue();
    if (level >= Level.SEVERE.intValue()) {
      return "ERROR";
    }
    if (level >= Level.WARNING.intValue()) {
      return "WARN";
    }
    if (level >= Level.INFO.intValue()) {
      return "INFO";
    }
    return level >= Level.FINE.intValue() ? "DEBUG" : "TRACE";
  }

  private static String target(LogRecord record) {
    String name = record.getLoggerName();
    return name == null || name.isEmpty() ? "root" : name;
  }

  private static String word(String value) {
    return BARE.matcher(value).matches()
        ? value
        : "\"" + escaped(value.replace("\\", "\\\\").replace("\"", "\\\"")) + "\"";
  }

  /** On one line, and with nothing in it that a terminal obeys. */
  private static String escaped(String text) {
    StringBuilder line = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\t' -> line.append("\\t");
        default -> {
          boolean plain =
              !Character.isISOControl(c)
                  && c != '\u2028'
                  && c != '\u2029'
                  && Style.visible(String.valueOf(c)).charAt(0) == c;
          line.append(plain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
      }
    }
    return line.toString();
  }
}
