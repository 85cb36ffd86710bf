package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.Reviews;
import dev.fallow.app.WrongUse;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Catalogue.Auth;
import dev.fallow.app.settings.NoticeSettings;
import dev.fallow.app.settings.Settings;
import dev.fallow.app.settings.SignInSettings;
import dev.fallow.app.web.ClusterDoor;
import dev.fallow.app.web.EmailDoor;
import dev.fallow.app.web.FleetBoard;
import dev.fallow.app.web.OpenDoor;
import dev.fallow.app.web.ProxyAuthority;
import dev.fallow.app.web.ProxyNames;
import dev.fallow.server.access.Door;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;

/** Chooses how people sign in. */
final class Doors {

  private Doors() {}

  static Door of(LiveCluster cluster, FleetBoard board) {
    Settings settings = cluster.settings();
    boolean loopback = WebAddress.of(settings).isLoopback();
    Auth asked = settings.of(Catalogue.DASHBOARD_AUTH);
    boolean oidc = OidcParts.asked(settings);
    if (oidc && asked != Auth.AUTO && asked != Auth.TOKEN) {
      throw new WrongUse(
          "--dashboard-oidc-issuer: goes with --dashboard-auth token or auto, not with "
              + asked.name().toLowerCase(Locale.ROOT));
    }
    if (!settings.of(SignInSettings.PROXY_CA).isEmpty() && asked != Auth.PROXY) {
      throw new WrongUse("--dashboard-proxy-ca: goes with --dashboard-auth proxy");
    }
    Auth auth = asked == Auth.AUTO ? (loopback && !oidc ? Auth.NONE : Auth.TOKEN) : asked;
    Reviews reviews = new Reviews(cluster.connection());
    return switch (auth) {
      case NONE -> {
        if (!loopback) {
          throw new WrongUse(
              "--dashboard-auth: none takes a loopback address, such as --metrics-addr"
                  + " 127.0.0.1:8080");
        }
        yield new OpenDoor(System.getProperty("user.name", "somebody"));
      }
      case EMAIL -> new EmailDoor(settings.of(NoticeSettings.DASHBOARD_URL));
      case PROXY -> new ClusterDoor(proxy(settings), reviews, board);
      case TOKEN, AUTO ->
          new ClusterDoor(
              oidc ? OidcParts.of(cluster, reviews) : ClusterDoor.tokens(reviews), reviews, board);
    };
  }

  private static ProxyNames proxy(Settings settings) {
    if (settings.of(SignInSettings.PROXY_CA).isEmpty()) {
      return ProxyNames.bySecret(SecretFile.read(settings, Catalogue.DASHBOARD_PROXY_SECRET_FILE));
    }
    if (!settings.of(Catalogue.DASHBOARD_PROXY_SECRET_FILE).isEmpty()) {
      throw new WrongUse(
          "--dashboard-proxy-ca: the proxy is known by its certificate or by"
              + " --dashboard-proxy-secret-file, not by both");
    }
    if (settings.of(SignInSettings.TLS_CERT).isEmpty()) {
      throw new WrongUse(
          "--dashboard-proxy-ca: nobody can show a certificate without TLS; set"
              + " --dashboard-tls-cert and --dashboard-tls-key");
    }
    if (settings.of(SignInSettings.PROXY_NAMES).isEmpty()) {
      throw new WrongUse(
          "--dashboard-proxy-ca: wants --dashboard-proxy-names, or everybody with a certificate of"
              + " that authority could be anybody");
    }
    return ProxyNames.byCertificate(
        new ProxyAuthority(
            Path.of(settings.of(SignInSettings.PROXY_CA)), settings.of(SignInSettings.PROXY_NAMES)),
        Clock.systemUTC());
  }
}
