package dev.fallow.server.history;

import dev.fallow.server.Reply;
import dev.fallow.server.Route;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What was done, page by page. */
public final class HistoryRoutes {

  private HistoryRoutes() {}

  public static List<Route> of(HistorySource source, Door door) {
    return List.of(
        Route.get(
            "/api/v1/history",
            request -> {
              Caller caller = door.reader(request);
              HistoryPage page = source.read(HistoryQuery.of(request));
              Map<String, Object> body = new LinkedHashMap<>();
              Predicate<String> sees = door.sight(caller);
              body.put(
                  "items",
                  page.items().stream()
                      .filter(row -> sees.test(String.valueOf(row.get("namespace"))))
                      .toList());
              body.put("next", page.next());
              return Reply.json(200, body);
            }));
  }
}
