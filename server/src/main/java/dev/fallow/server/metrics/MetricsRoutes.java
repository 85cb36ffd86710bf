package dev.fallow.server.metrics;

import dev.fallow.server.Reply;
import dev.fallow.server.Route;
import java.util.List;

/** What Prometheus scrapes. */
public final class MetricsRoutes {

  private MetricsRoutes() {}

  public static List<Route> of(Scraped.Source metrics) {
    return List.of(
        Route.get(
            "/metrics",
            request -> {
              Scraped scraped = metrics.expose(request.header("Accept").orElse(""));
              return Reply.of(200, scraped.contentType(), scraped.text());
            }));
  }
}
