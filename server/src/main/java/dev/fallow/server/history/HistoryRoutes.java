package dev.fallow.server.history;

import dev.fallow.server.Reply;
import dev.fallow.server.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was done, page by page. */
public final class HistoryRoutes {

  private HistoryRoutes() {}

  public static List<Route> of(HistorySource source) {
    return List.of(
        Route.get(
            "/api/v1/history",
            request -> {
              HistoryPage page = source.read(HistoryQuery.of(request));
              Map<String, Object> body = new LinkedHashMap<>();
              body.put("items", page.items());
              body.put("next", page.next());
              return Reply.json(200, body);
            }));
  }
}
