package dev.fallow.server.fleet;

import dev.fallow.server.JsonBody;
import dev.fallow.server.Problem;
import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import dev.fallow.server.access.Guard;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The workloads over HTTP: to be seen, kept, paused and resumed. */
public final class FleetRoutes {

  private static final String ONE = NamedWorkload.PATH;
  private static final double MOST_HOURS = 24 * 366;

  private final FleetSource source;
  private final Hands hands;
  private final Door door;
  private final Guard guard;
  private final NamedWorkload workloads;

  private FleetRoutes(FleetSource source, Hands hands, Door door) {
    this.source = source;
    this.hands = hands;
    this.door = door;
    this.guard = new Guard(door);
    this.workloads = new NamedWorkload(source, door);
  }

  public static List<Route> of(FleetSource source, Hands hands, Door door) {
    FleetRoutes routes = new FleetRoutes(source, hands, door);
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
    FleetPicture picture = source.picture();
    Predicate<String> sees = door.sight(door.reader(request));
    List<WorkloadItem> found =
        query.on(picture.items().stream().filter(item -> sees.test(item.namespace()))).toList();
    int end = Math.min(found.size(), query.offset() + query.limit());
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("at", picture.at());
    body.put(
        "items",
        found.subList(Math.min(query.offset(), end), end).stream()
            .map(WorkloadItem::fields)
            .toList());
    body.put("total", found.size());
    body.put("next", end < found.size() ? Integer.toString(end) : null);
    return Conditional.reply(request, Reply.json(200, body));
  }

  private Reply one(Request request) {
    return Conditional.reply(request, Reply.json(200, workloads.seen(request).fields()));
  }

  private Reply why(Request request) {
    return source
        .why(workloads.seen(request))
        .map(fields -> Reply.json(200, fields))
        .orElseThrow(() ->
            new Rejected(
                new Problem(404, "PAUSED_ALREADY", "it is paused; there is nothing to judge")));
  }

  private Reply keep(Request request) {
    WorkloadItem item = workloads.named(request);
    Caller caller = admitted(request, item);
    JsonBody body = JsonBody.of(request, Set.of("hours", "until", "reason"));
    hands.keep(item, until(body), body.text("reason").orElse("").strip(), caller);
    return after(item, state -> state.equals("IDLE") ? "KEPT" : state);
  }

  private static UnaryOperator<Instant> until(JsonBody body) {
    if (body.number("hours").isPresent() == body.text("until").isPresent()) {
      throw Rejected.parameter("hours", "has to be given, or until instead of it");
    }
    if (body.number("hours").isPresent()) {
      double hours = body.number("hours").get();
      if (!(hours > 0) || hours > MOST_HOURS) {
        throw Rejected.parameter("hours", "is a number above 0");
      }
      return now -> now.plusSeconds(Math.round(hours * 3600));
    }
    try {
      Instant end = Instant.parse(body.text("until").get());
      return now -> end;
    } catch (DateTimeParseException unreadable) {
      throw Rejected.parameter("until", "has the form 2026-11-02T12:00:00Z");
    }
  }

  private Reply endKeep(Request request) {
    WorkloadItem item = workloads.named(request);
    hands.endKeep(item, admitted(request, item));
    return after(item, state -> state.equals("KEPT") ? "IDLE" : state);
  }

  private Reply pause(Request request) {
    WorkloadItem item = workloads.named(request);
    Caller caller = admitted(request, item);
    JsonBody body = JsonBody.of(request, Set.of("reason"));
    hands.pause(item, body.text("reason").orElse("").strip(), caller);
    return after(item, state -> "PAUSED");
  }

  private Reply resume(Request request) {
    WorkloadItem item = workloads.named(request);
    Caller caller = admitted(request, item);
    JsonBody.of(request, Set.of());
    hands.resume(item, caller);
    return after(item, state -> state.equals("PAUSED") ? "UNKNOWN" : state);
  }

  private Reply summary(Request request) {
    Caller caller = door.reader(request);
    FleetPicture picture = source.picture();
    return Conditional.reply(request, Reply.json(200, Sight.summary(picture, door.sight(caller))));
  }

  private Reply nodes(Request request) {
    FleetPicture picture = source.picture();
    Predicate<String> sees = door.sight(door.reader(request));
    List<Map<String, Object>> nodes =
        picture.nodes().stream().map(node -> Sight.node(node, sees)).toList();
    return Conditional.reply(request, Reply.json(200, Map.of("items", nodes)));
  }

  /** As it was last looked at, with the state that the change has brought it to. */
  private Reply after(WorkloadItem item, UnaryOperator<String> change) {
    WorkloadItem seen =
        source.picture().find(item.namespace(), item.kind(), item.name()).orElse(item);
    Map<String, Object> fields = new LinkedHashMap<>(seen.fields());
    String state = change.apply(seen.state());
    if (!state.equals(seen.state())) {
      fields.put("state", state);
      fields.put("next", "the next look shows what has come of it");
    }
    return Reply.json(200, fields);
  }

  private Caller admitted(Request request, WorkloadItem item) {
    return guard.admitted(request, item.namespace(), item.kind(), item.name());
  }
}
