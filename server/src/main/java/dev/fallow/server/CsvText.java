package dev.fallow.server;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows as CSV, for whoever asks for it. */
public final class CsvText {

  private CsvText() {}

  public static boolean isAskedFor(Request request) {
    return request.header("Accept").filter(accept -> accept.contains("text/csv")).isPresent();
  }

  /**
   * @param name of the file that a browser makes of it
   */
  public static Reply reply(String name, List<String> columns, List<Map<String, Object>> rows) {
    String text =
        String.join(",", columns)
            + "\n"
            + rows.stream()
                .map(row ->
                    columns.stream()
                            .map(column -> cell(row.get(column)))
                            .collect(Collectors.joining(","))
                        + "\n")
                .collect(Collectors.joining());
    return Reply.of(200, "text/csv; charset=utf-8", text)
        .with("Content-Disposition", "attachment; filename=\"" + name + ".csv\"");
  }

  /** Quoted where it has to be; a spreadsheet must not take somebody's name for a formula. */
  private static String cell(@Nullable Object value) {
    String text = value instanceof Optional<?> one ? text(one.orElse(null)) : text(value);
    boolean formula = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
    boolean number = text.matches("-?[0-9.]+(E-?[0-9]+)?");
    String safe = formula && !number ? "'" + text : text;
    return safe.matches("[A-Za-z0-9 ./_:'-]*") ? safe : "\"" + safe.replace("\"", "\"\"") + "\"";
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}
