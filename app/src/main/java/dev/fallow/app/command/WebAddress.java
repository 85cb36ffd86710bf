package dev.fallow.app.command;

import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Settings;
import java.util.Optional;
import java.util.Set;

/** Where the daemon serves. */
record WebAddress(String host, int port) {

  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "::1", "localhost");

  static WebAddress of(Settings settings) {
    String address = settings.of(Catalogue.METRICS_ADDR);
    int colon = address.lastIndexOf(':');
    String host = colon <= 0 ? "0.0.0.0" : address.substring(0, colon);
    int port =
        colon < 0
            ? settings.of(Catalogue.DASHBOARD_PORT)
            : Integer.parseInt(address.substring(colon + 1));
    return new WebAddress(host.replaceAll("[\\[\\]]", ""), port);
  }

  /** What to tell who has named two ports: there is one. */
  static Optional<String> warning(Settings settings) {
    boolean both =
        settings.isWritten(Catalogue.METRICS_ADDR) && settings.isWritten(Catalogue.DASHBOARD_PORT);
    int served = of(settings).port();
    int other = settings.of(Catalogue.DASHBOARD_PORT);
    return both && served != other
        ? Optional.of(
            "--metrics-addr goes before --dashboard-port: everything is served on port "
                + served
                + " and nothing on "
                + other)
        : Optional.empty();
  }

  /** Whether only this machine reaches it. */
  boolean isLoopback() {
    return LOOPBACK.contains(host);
  }
}
