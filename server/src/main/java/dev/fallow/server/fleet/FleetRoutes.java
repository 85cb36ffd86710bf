package dev.fallow.server.fleet;

import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.acknowledge.KeepTerm;
import dev.fallow.server.Body;
import dev.fallow.server.JsonBody;
import dev.fallow.server.JsonPieces;
import dev.fallow.server.LargeAnswers;
import dev.fallow.server.Problem;
import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import dev.fallow.server.access.Guard;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The workloads over HTTP: to be seen, kept, paused and resumed. */
public final class FleetRoutes {

  private static final String ONE = NamedWorkload.PATH;
  private static final String JSON = "application/json";
  private static final double MOST_HOURS = 24 * 366;

  private final FleetSource source;
  private final Hands hands;
  private final Door door;
  private final Guard guard;
  private final NamedWorkload workloads;
  private final SortedItems sorted = new SortedItems();
  private final LargeAnswers large = new LargeAnswers();

  private FleetRoutes(FleetSource source, Hands hands, Guard guard) {
    this.source = source;
    this.hands = hands;
    this.door = guard.door();
    this.guard = guard;
    this.workloads = new NamedWorkload(source, door);
  }

  public static List<Route> of(FleetSource source, Hands hands, Guard guard) {
    FleetRoutes routes = new FleetRoutes(source, hands, guard);
    return List.of(
        Route.get("/api/v1/workloads", routes::list),
        Route.get(ONE, routes::one),
        Route.get(ONE + "/why", routes::why),
        Route.of("POST", ONE + "/keep", routes::keep),
        Route.of("DELETE", ONE + "/keep", routes::endKeep),
        Route.of("POST", ONE + "/pause", routes::pause),
        Route.of("POST", ONE + "/resume", routes::resume),
        Route.get("/api/v1/summary", routes::summary),
        Route.get("/api/v1/nodes", routes::nodes));
  }

  private Reply list(Request request) {
    FleetQuery query = FleetQuery.of(request);
    Predicate<String> sees = door.sight(door.reader(request));
    return query.limit() <= FleetQuery.USUAL_PAGE
        ? list(request, query, sees)
        : large.answer(() -> list(request, query, sees));
  }

  private Reply list(Request request, FleetQuery query, Predicate<String> sees) {
    FleetPicture picture = source.picture();
    FleetQuery.Page page = query.of(sorted.of(picture, query.sort()), sees);
    int end = query.offset() + page.items().size();
    List<byte[]> pieces =
        new JsonPieces()
            .field("at", picture.at())
            .rows("items", page.items().stream().map(WorkloadItem::json).toList())
            .field("total", page.total())
            .field("next", end < page.total() ? Integer.toString(end) : null)
            .end();
    return Conditional.reply(request, Reply.of(200, JSON, Body.of(pieces)));
  }

  private Reply one(Request request) {
    return Conditional.reply(request, Reply.of(200, JSON, workloads.seen(request).json()));
  }

  private Reply why(Request request) {
    WorkloadItem item = workloads.seen(request);
    // Of one that is paused there is no evidence, but how it came about.
    Map<String, Object> why = source.why(item).map(item::since).orElseGet(item::fields);
    return Conditional.reply(request, Reply.json(200, why));
  }

  private Reply keep(Request request) {
    Caller caller = guard.meant(request);
    WorkloadItem item = workloads.changeable(request, caller);
    JsonBody body = JsonBody.of(request, Set.of("hours", "until", "reason"));
    Keep keep = hands.keep(item, term(body), body.text("reason").orElse("").strip(), caller);
    return after(item, seen -> seen.kept(keep));
  }

  private static KeepTerm term(JsonBody body) {
    if (body.number("hours").isPresent() == body.text("until").isPresent()) {
      throw Rejected.parameter("hours", "has to be given, or until instead of it");
    }
    if (body.number("hours").isPresent()) {
      double hours = body.number("hours").get();
      if (!(hours > 0) || hours > MOST_HOURS) {
        throw Rejected.parameter("hours", "is a number above 0, and at most " + (int) MOST_HOURS);
      }
      return KeepTerm.atLeast(Duration.ofSeconds(Math.round(hours * 3600)));
    }
    try {
      return KeepTerm.until(Instant.parse(body.text("until").get()));
    } catch (DateTimeParseException unreadable) {
      throw Rejected.parameter("until", "has the form 2026-11-02T12:00:00Z");
    }
  }

  private Reply endKeep(Request request) {
    Caller caller = guard.meant(request);
    WorkloadItem item = workloads.changeable(request, caller);
    JsonBody.of(request, Set.of());
    hands.endKeep(item, caller);
    return after(item, WorkloadItem::notKept);
  }

  private Reply pause(Request request) {
    Caller caller = guard.meant(request);
    WorkloadItem item = workloads.changeable(request, caller);
    door.whyNoPause()
        .ifPresent(why -> {
          throw new Rejected(new Problem(403, "FORBIDDEN", why));
        });
    JsonBody body = JsonBody.of(request, Set.of("reason"));
    String reason = body.text("reason").orElse("").strip();
    hands.pause(item, reason, caller);
    Instant at = source.picture().at();
    return after(item, seen -> seen.paused(at, caller.name(), reason));
  }

  private Reply resume(Request request) {
    Caller caller = guard.meant(request);
    WorkloadItem item = workloads.changeable(request, caller);
    JsonBody.of(request, Set.of());
    hands.resume(item, caller);
    return after(item, WorkloadItem::resumed);
  }

  private Reply summary(Request request) {
    Caller caller = door.reader(request);
    FleetPicture picture = source.picture();
    return Conditional.reply(request, Reply.json(200, Sight.summary(picture, door.sight(caller))));
  }

  private Reply nodes(Request request) {
    Predicate<String> sees = door.sight(door.reader(request));
    return large.answer(() ->
        Conditional.reply(
            request, Reply.json(200, Map.of("items", Sight.nodes(source.picture(), sees)))));
  }

  /** As it was last looked at, with what the change has brought it to. */
  private Reply after(WorkloadItem item, UnaryOperator<WorkloadItem> change) {
    WorkloadItem seen =
        source.picture().find(item.namespace(), item.kind(), item.name()).orElse(item);
    return Reply.of(200, JSON, change.apply(seen).json());
  }
}
