package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.Reviews;
import dev.fallow.adapters.notify.Network;
import dev.fallow.adapters.oidc.Client;
import dev.fallow.adapters.oidc.Issuer;
import dev.fallow.adapters.oidc.IssuerCalls;
import dev.fallow.adapters.oidc.SafeAddress;
import dev.fallow.app.WrongUse;
import dev.fallow.app.settings.NoticeSettings;
import dev.fallow.app.settings.Setting;
import dev.fallow.app.settings.Settings;
import dev.fallow.app.settings.SignInSettings;
import dev.fallow.app.web.OidcSignIn;
import dev.fallow.app.web.SealedCookie;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

/** Puts together what signing in at an issuer takes. */
final class OidcParts {

  private OidcParts() {}

  static boolean asked(Settings settings) {
    return !settings.of(SignInSettings.OIDC_ISSUER).isEmpty();
  }

  static OidcSignIn of(LiveCluster cluster, Reviews reviews) {
    Settings settings = cluster.settings();
    Optional<String> secret = secret(settings);
    String dashboard = settings.of(NoticeSettings.DASHBOARD_URL);
    if (dashboard.isEmpty()) {
      throw new WrongUse(
          "--dashboard-oidc-issuer: wants --dashboard-url, the address to which people come back");
    }
    safe(NoticeSettings.DASHBOARD_URL, dashboard);
    Issuer issuer =
        new Issuer(
            safe(SignInSettings.OIDC_ISSUER, settings.of(SignInSettings.OIDC_ISSUER)),
            new Client(clientId(settings), secret, settings.of(SignInSettings.OIDC_SCOPES)),
            calls(cluster),
            Clock.systemUTC());
    return new OidcSignIn(
        issuer,
        dashboard,
        secret.map(one -> one.getBytes(StandardCharsets.UTF_8)).orElseGet(SealedCookie::randomKey),
        reviews::holderOf,
        Clock.systemUTC());
  }

  private static IssuerCalls calls(LiveCluster cluster) {
    String ca = cluster.settings().of(SignInSettings.OIDC_CA_FILE);
    Network network =
        Network.of(
            cluster.console().environment(),
            ca.isEmpty() ? Optional.empty() : Optional.of(Path.of(ca)));
    try {
      HttpClient http = network.client();
      cluster.closing(http::shutdownNow);
      return new IssuerCalls(http, network.wholeTimeout());
    } catch (IllegalArgumentException proxy) {
      throw new WrongUse("the environment's proxy: " + proxy.getMessage());
    }
  }

  private static String clientId(Settings settings) {
    String id = settings.of(SignInSettings.OIDC_CLIENT_ID);
    if (id.isEmpty()) {
      throw new WrongUse("--dashboard-oidc-issuer: wants --dashboard-oidc-client-id");
    }
    return id;
  }

  /** Replicas that share the issuer's secret understand each other's cookies by it. */
  private static Optional<String> secret(Settings settings) {
    return settings.of(SignInSettings.OIDC_CLIENT_SECRET_FILE).isEmpty()
        ? Optional.empty()
        : Optional.of(SecretFile.read(settings, SignInSettings.OIDC_CLIENT_SECRET_FILE));
  }

  private static String safe(Setting<String> setting, String address) {
    try {
      SafeAddress.of(address);
      return address;
    } catch (IllegalArgumentException unsafe) {
      throw new WrongUse("--" + setting.name() + ": " + address + " " + unsafe.getMessage());
    }
  }
}
