package dev.fallow.server.savings;

import dev.fallow.server.CsvText;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import dev.fallow.server.fleet.Conditional;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

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
    if (CsvText.isAskedFor(request)) {
      return CsvText.reply("fallow-savings", SavingsSource.COLUMNS, savings.items());
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("from", savings.from());
    body.put("to", savings.to());
    body.put("by", query.by().name().toLowerCase(Locale.ROOT));
    body.put("currency", savings.currency());
    body.put("items", savings.items());
    body.put("next", Optional.empty());
    body.put("total", savings.total());
    return Conditional.reply(request, Reply.json(200, body));
  }
}
