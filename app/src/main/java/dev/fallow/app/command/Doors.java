package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.Reviews;
import dev.fallow.app.WrongUse;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Catalogue.Auth;
import dev.fallow.app.settings.Settings;
import dev.fallow.app.web.ClusterDoor;
import dev.fallow.app.web.EmailDoor;
import dev.fallow.app.web.FleetBoard;
import dev.fallow.app.web.OpenDoor;
import dev.fallow.app.web.ProxyNames;
import dev.fallow.server.access.Door;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Chooses how people sign in. */
final class Doors {

  private Doors() {}

  static Door of(Settings settings, KubernetesConnection connection, FleetBoard board) {
    boolean loopback = WebAddress.of(settings).isLoopback();
    Auth asked = settings.of(Catalogue.DASHBOARD_AUTH);
    Auth auth = asked == Auth.AUTO ? (loopback ? Auth.NONE : Auth.TOKEN) : asked;
    Reviews reviews = new Reviews(connection);
    return switch (auth) {
      case NONE -> {
        if (!loopback) {
          throw new WrongUse(
              "--dashboard-auth: none takes a loopback address, such as --metrics-addr"
                  + " 127.0.0.1:8080");
        }
        yield new OpenDoor(System.getProperty("user.name", "somebody"));
      }
      case EMAIL -> new EmailDoor();
      case PROXY -> new ClusterDoor(new ProxyNames(secret(settings)), reviews, board);
      case TOKEN, AUTO -> new ClusterDoor(ClusterDoor.tokens(reviews), reviews, board);
    };
  }

  private static String secret(Settings settings) {
    String file = settings.of(Catalogue.DASHBOARD_PROXY_SECRET_FILE);
    try {
      String secret = file.isEmpty() ? "" : Files.readString(Path.of(file)).strip();
      if (secret.length() < 16) {
        throw new WrongUse(
            "--dashboard-proxy-secret-file: has to name a file with at least 16 characters");
      }
      return secret;
    } catch (IOException unreadable) {
      throw new WrongUse("--dashboard-proxy-secret-file: " + file + " cannot be read");
    }
  }
}
