package dev.fallow.app.command;

import dev.fallow.app.WrongUse;
import dev.fallow.app.log.Log;
import dev.fallow.app.prune.PruneSigns;
import dev.fallow.app.settings.Settings;
import dev.fallow.app.settings.SignInSettings;
import dev.fallow.app.web.ServingFiles;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Route;
import dev.fallow.server.Router;
import dev.fallow.server.health.HealthRoutes;
import dev.fallow.server.metrics.MetricsRoutes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What the daemon shows over HTTP: how it is, what it counts, what it did. */
final class WebPort implements AutoCloseable {

  private final HttpFront front;
  private final Optional<ServingFiles> files;

  private WebPort(HttpFront front, Optional<ServingFiles> files) {
    this.front = front;
    this.files = files;
  }

  /**
   * @param more tried after the daemon's own
   */
  static WebPort open(Settings settings, PruneSigns signs, List<Route> more) {
    List<Route> routes = new ArrayList<>(HealthRoutes.of(signs.health()));
    routes.addAll(MetricsRoutes.of(signs.metrics()));
    routes.addAll(more);
    WebAddress address = WebAddress.of(settings);
    Router router = new Router(routes);
    Consumer<Throwable> defects = defect -> Log.error("a request failed", defect);
    Optional<ServingFiles> files = files(settings);
    return new WebPort(
        files
            .map(
                tls -> HttpFront.start(address.host(), address.port(), tls.keys(), router, defects))
            .orElseGet(() -> HttpFront.start(address.host(), address.port(), router, defects)),
        files);
  }

  private static Optional<ServingFiles> files(Settings settings) {
    String certificate = settings.of(SignInSettings.TLS_CERT);
    String key = settings.of(SignInSettings.TLS_KEY);
    if (certificate.isEmpty() != key.isEmpty()) {
      throw new WrongUse("--dashboard-tls-cert and --dashboard-tls-key go together");
    }
    boolean asksCallers = !settings.of(SignInSettings.PROXY_CA).isEmpty();
    return certificate.isEmpty()
        ? Optional.empty()
        : Optional.of(ServingFiles.open(Path.of(certificate), Path.of(key), asksCallers));
  }

  int port() {
    return front.port();
  }

  @Override
  public void close() {
    front.stop(Duration.ofSeconds(5));
    files.ifPresent(ServingFiles::close);
  }
}
