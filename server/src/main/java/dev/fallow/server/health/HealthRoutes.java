package dev.fallow.server.health;

import dev.fallow.server.Reply;
import dev.fallow.server.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What Kubernetes asks a container. Neither fails for an outage outside: a restart, or being taken
 * out of a Service, mends no Prometheus and takes away the page that tells of it.
 */
public final class HealthRoutes {

  private HealthRoutes() {}

  public static List<Route> of(Health health) {
    return List.of(
        Route.get("/healthz", request -> Reply.text(200, "ok\n")),
        Route.get("/readyz", request -> ready(health.state())));
  }

  private static Reply ready(Health.State state) {
    List<Map<String, Object>> degraded =
        state.degraded().stream().map(HealthRoutes::fields).toList();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("ready", state.started());
    body.put("degraded", degraded);
    return Reply.json(state.started() ? 200 : 503, body);
  }

  private static Map<String, Object> fields(Health.Degraded degraded) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("part", degraded.part());
    fields.put("since", degraded.since());
    fields.put("sentence", degraded.sentence());
    return fields;
  }
}
