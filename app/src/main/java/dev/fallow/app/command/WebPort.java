package dev.fallow.app.command;

import dev.fallow.app.log.Log;
import dev.fallow.app.prune.LedgerHistory;
import dev.fallow.app.prune.PruneSigns;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Route;
import dev.fallow.server.Router;
import dev.fallow.server.health.HealthRoutes;
import dev.fallow.server.history.HistoryRoutes;
import dev.fallow.server.metrics.MetricsRoutes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the daemon shows over HTTP: how it is, what it counts, what it did. */
final class WebPort implements AutoCloseable {

  private final HttpFront front;

  private WebPort(HttpFront front) {
    this.front = front;
  }

  static WebPort open(Settings settings, PruneSigns signs, Optional<Ledger> ledger) {
    List<Route> routes = new ArrayList<>(HealthRoutes.of(signs.health()));
    routes.addAll(MetricsRoutes.of(signs.metrics()));
    routes.addAll(HistoryRoutes.of(new LedgerHistory(ledger)));
    String address = settings.of(Catalogue.METRICS_ADDR);
    int colon = address.lastIndexOf(':');
    String host = colon <= 0 ? "0.0.0.0" : address.substring(0, colon);
    int port =
        colon < 0
            ? settings.of(Catalogue.DASHBOARD_PORT)
            : Integer.parseInt(address.substring(colon + 1));
    return new WebPort(
        HttpFront.start(
            host.replaceAll("[\\[\\]]", ""),
            port,
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
