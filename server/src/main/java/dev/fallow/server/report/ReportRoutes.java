package dev.fallow.server.report;

import dev.fallow.core.report.Report;
import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import dev.fallow.server.fleet.Conditional;
import dev.fallow.server.savings.SavingsQuery;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The report of some time, as JSON or as a page. */
public final class ReportRoutes {

  private ReportRoutes() {}

  public static List<Route> of(ReportSource source, Door door) {
    return List.of(Route.get("/api/v1/report", request -> answer(request, source, door)));
  }

  private static Reply answer(Request request, ReportSource source, Door door) {
    Caller reader = door.reader(request);
    request.takesOnly(Set.of("from", "to", "format", "namespace"));
    String format = request.query("format").orElse("json");
    if (!format.equals("json") && !format.equals("html")) {
      throw Rejected.parameter("format", "is json or html");
    }
    Optional<Instant> from = SavingsQuery.moment(request, "from");
    Optional<Instant> to = SavingsQuery.moment(request, "to");
    if (from.isPresent() && to.isPresent() && !from.get().isBefore(to.get())) {
      throw Rejected.parameter("from", "has to be before to");
    }
    Report report = source.read(from, to, SavingsQuery.within(request, door.sight(reader)));
    Reply reply =
        format.equals("json")
            ? Reply.json(200, ReportFields.of(report))
            : Reply.of(200, "text/html; charset=utf-8", ReportPage.of(report))
                .with("Content-Security-Policy", ReportPage.POLICY + "; frame-ancestors 'none'");
    return Conditional.reply(request, reply);
  }
}
