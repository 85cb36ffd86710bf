package dev.fallow.server.history;

import dev.fallow.server.CsvText;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import dev.fallow.server.fleet.Conditional;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What was done, page by page. */
public final class HistoryRoutes {

  /** After so many looks into the ledger whoever asks has to go on themselves. */
  private static final int MOST_READS = 50;

  private static final List<String> COLUMNS =
      List.of(
          "at",
          "verb",
          "outcome",
          "workload",
          "namespace",
          "gpus",
          "dollarsPerHour",
          "reason",
          "sentence",
          "by",
          "actionId");

  private HistoryRoutes() {}

  public static List<Route> of(HistorySource source, Door door) {
    return List.of(Route.get("/api/v1/history", request -> answer(request, source, door)));
  }

  private static Reply answer(Request request, HistorySource source, Door door) {
    Caller caller = door.reader(request);
    HistoryPage page = seen(HistoryQuery.of(request), source, door.sight(caller));
    if (CsvText.isAskedFor(request)) {
      return CsvText.reply("fallow-history", COLUMNS, page.items());
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("items", page.items());
    body.put("next", page.next());
    return Conditional.reply(request, Reply.json(200, body));
  }

  /** Reads on past what others did, until the page is full or the history has ended. */
  private static HistoryPage seen(
      HistoryQuery query, HistorySource source, Predicate<String> sees) {
    List<Map<String, Object>> rows = new ArrayList<>();
    HistoryQuery now = query;
    Optional<String> next = Optional.empty();
    for (int reads = 0; reads < MOST_READS; reads++) {
      HistoryPage page = source.read(now);
      page.items().stream()
          .filter(row -> sees.test(String.valueOf(row.get("namespace"))))
          .forEach(rows::add);
      next = page.next();
      if (next.isEmpty() || rows.size() >= query.limit()) {
        break;
      }
      now = query.goingOn(next.get(), query.limit() - rows.size());
    }
    return new HistoryPage(rows, next);
  }
}
