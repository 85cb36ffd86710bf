package dev.fallow.server.metrics;

import dev.fallow.server.Reply;
import dev.fallow.server.Route;
import java.util.List;

/** What Prometheus scrapes. */
public final class MetricsRoutes {

  private MetricsRoutes() {}

  public static List<Route> of(PruneMetrics metrics) {
    return List.of(
        Route.get(
            "/metrics",
            request -> {
              PruneMetrics.Exposition exposition =
                  metrics.expose(request.header("Accept").orElse(""));
              return Reply.of(200, exposition.contentType(), exposition.text());
            }));
  }
}
