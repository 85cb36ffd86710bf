package dev.fallow.app.command;

import dev.fallow.app.log.Log;
import dev.fallow.app.prune.PruneSigns;
import dev.fallow.app.settings.Settings;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Route;
import dev.fallow.server.Router;
import dev.fallow.server.health.HealthRoutes;
import dev.fallow.server.metrics.MetricsRoutes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the daemon shows over HTTP: how it is, what it counts, what it did. */
final class WebPort implements AutoCloseable {

  private final HttpFront front;

  private WebPort(HttpFront front) {
    this.front = front;
  }

  /**
   * @param more tried after the daemon's own
   */
  static WebPort open(Settings settings, PruneSigns signs, List<Route> more) {
    List<Route> routes = new ArrayList<>(HealthRoutes.of(signs.health()));
    routes.addAll(MetricsRoutes.of(signs.metrics()));
    routes.addAll(more);
    WebAddress address = WebAddress.of(settings);
    return new WebPort(
        HttpFront.start(
            address.host(),
            address.port(),
            new Router(routes),
            defect -> Log.error("a request failed", defect)));
  }

  int port() {
    return front.port();
  }

  @Override
  public void close() {
    front.stop(Duration.ofSeconds(5));
  }
}
