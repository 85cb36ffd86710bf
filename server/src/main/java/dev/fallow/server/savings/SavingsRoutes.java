package dev.fallow.server.savings;

import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** GPU hours and money by state, as JSON or CSV. */
public final class SavingsRoutes {

  private SavingsRoutes() {}

  public static List<Route> of(SavingsSource source, Door door) {
    return List.of(Route.get("/api/v1/savings", request -> answer(request, source, door)));
  }

  private static Reply answer(Request request, SavingsSource source, Door door) {
    Caller reader = door.reader(request);
    SavingsQuery query = SavingsQuery.of(request);
    SavingsSource.Savings savings =
        source.read(query, SavingsQuery.within(request, door.sight(reader)));
    if (request.header("Accept").filter(accept -> accept.contains("text/csv")).isPresent()) {
      return Reply.of(200, "text/csv; charset=utf-8", csv(savings))
          .with("Content-Disposition", "attachment; filename=\"fallow-savings.csv\"");
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("from", savings.from());
    body.put("to", savings.to());
    body.put("by", query.by().name().toLowerCase(Locale.ROOT));
    body.put("currency", savings.currency());
    body.put("items", savings.items());
    body.put("total", savings.total());
    return Reply.json(200, body);
  }

  private static String csv(SavingsSource.Savings savings) {
    return String.join(",", SavingsSource.COLUMNS)
        + "\n"
        + savings.items().stream()
            .map(item ->
                SavingsSource.COLUMNS.stream()
                        .map(column -> cell(String.valueOf(item.getOrDefault(column, ""))))
                        .collect(Collectors.joining(","))
                    + "\n")
            .collect(Collectors.joining());
  }

  /** Quoted where it has to be; a spreadsheet must not take somebody's name for a formula. */
  private static String cell(String text) {
    boolean formula = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
    boolean number = text.matches("-?[0-9.]+(E-?[0-9]+)?");
    String safe = formula && !number ? "'" + text : text;
    return safe.matches("[A-Za-z0-9 ./_:'-]*") ? safe : "\"" + safe.replace("\"", "\"\"") + "\"";
  }
}
