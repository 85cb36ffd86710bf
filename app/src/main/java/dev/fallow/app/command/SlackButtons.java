package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.Reviews;
import dev.fallow.adapters.notify.Network;
import dev.fallow.adapters.notify.Outbound;
import dev.fallow.adapters.notify.Secret;
import dev.fallow.adapters.notify.SlackInteraction;
import dev.fallow.adapters.notify.SlackReply;
import dev.fallow.adapters.notify.SlackSignature;
import dev.fallow.adapters.notify.SlackSocket;
import dev.fallow.adapters.notify.SlackUsers;
import dev.fallow.app.WrongUse;
import dev.fallow.app.log.Log;
import dev.fallow.app.notice.NoticeChannels;
import dev.fallow.app.notice.SlackPresses;
import dev.fallow.app.notice.SlackRoutes;
import dev.fallow.app.settings.NoticeSettings;
import dev.fallow.app.settings.Settings;
import dev.fallow.app.web.ClusterRights;
import dev.fallow.app.web.Dashboard;
import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.notice.Delivery;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Route;
import dev.fallow.server.Router;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Answers buttons in Slack: over the dashboard's port, one of its own, or Slack's socket. */
final class SlackButtons {

  private SlackButtons() {}

  /** The routes to serve; none where no secret proves that a request is Slack's. */
  static List<Route> open(LiveCluster cluster, Dashboard dashboard, Optional<Ledger> ledger) {
    Settings settings = cluster.settings();
    String secret = settings.of(NoticeSettings.SLACK_SIGNING_SECRET);
    String appToken = settings.of(NoticeSettings.SLACK_APP_TOKEN_FILE);
    if (secret.isEmpty() && appToken.isEmpty()) {
      if (settings.of(NoticeSettings.SLACK_INTERACTION_PORT).isPresent()) {
        Log.warn("--slack-interaction-port is not opened", "cure", "set --slack-signing-secret");
      }
      return List.of();
    }
    String team = settings.of(NoticeSettings.SLACK_TEAM);
    String botToken = settings.of(NoticeSettings.SLACK_BOT_TOKEN_FILE);
    if (team.isEmpty() || botToken.isEmpty()) {
      Log.warn(
          "buttons in Slack are not answered",
          "cure",
          "set --slack-team, whose buttons count, and --slack-bot-token-file, to find out who"
              + " presses them");
      return List.of();
    }
    try {
      return routes(cluster, dashboard, ledger);
    } catch (IllegalArgumentException refused) {
      throw new WrongUse(
          "--slack-bot-token-file, --slack-app-token-file, --slack-api-url or the environment's"
              + " proxy: "
              + refused.getMessage());
    }
  }

  private static List<Route> routes(
      LiveCluster cluster, Dashboard dashboard, Optional<Ledger> ledger) {
    Settings settings = cluster.settings();
    String secret = settings.of(NoticeSettings.SLACK_SIGNING_SECRET);
    String appToken = settings.of(NoticeSettings.SLACK_APP_TOKEN_FILE);
    String team = settings.of(NoticeSettings.SLACK_TEAM);
    String botToken = settings.of(NoticeSettings.SLACK_BOT_TOKEN_FILE);
    String ca = settings.of(NoticeSettings.NOTIFY_CA_FILE);
    Outbound outbound =
        cluster.closing(
            new Outbound(
                Network.of(
                    cluster.console().environment(),
                    ca.isEmpty() ? Optional.empty() : Optional.of(Path.of(ca)))));
    SlackUsers users =
        new SlackUsers(
            outbound,
            Clock.systemUTC(),
            secret("slack-bot-token-file", botToken),
            NoticeChannels.slackApi(settings),
            team,
            SlackUsers.MOST);
    SlackReply reply = new SlackReply(outbound, Clock.systemUTC());
    SlackPresses presses =
        dashboard.slack(
            users::email,
            settings.of(NoticeSettings.SLACK_USER_PREFIX),
            new ClusterRights(new Reviews(cluster.connection()), dashboard.board()),
            (url, sentence) -> {
              Delivery delivery = reply.send(url, sentence, false);
              if (!(delivery instanceof Delivery.Confirmed)) {
                Log.warn("could not answer in Slack");
              }
            });
    SlackInteraction.Expected expected =
        new SlackInteraction.Expected(team, Optional.empty(), Optional.empty());
    if (!appToken.isEmpty()) {
      cluster.closing(
          new SlackSocket(
              outbound,
              secret("slack-app-token-file", appToken),
              expected,
              SlackSocket.Settings.at(NoticeChannels.slackApi(settings)),
              event -> heard(event, presses)));
    }
    if (secret.isEmpty()) {
      return List.of();
    }
    ExecutorService threads = cluster.closing(Executors.newVirtualThreadPerTaskExecutor());
    List<Route> routes =
        SlackRoutes.of(
            new SlackSignature(Secret.of(secret), Clock.systemUTC()),
            expected,
            presses,
            threads,
            code -> ledger.map(book -> isFirst(book, code)).orElse(true));
    settings
        .of(NoticeSettings.SLACK_INTERACTION_PORT)
        .ifPresent(port -> {
          HttpFront front =
              HttpFront.start(
                  WebAddress.of(settings).host(),
                  port,
                  new Router(routes),
                  defect -> Log.error("a request failed", defect));
          cluster.closing(() -> front.stop(Duration.ofSeconds(2)));
        });
    return routes;
  }

  /** A ledger that is away takes no button away: this instance remembers what it has seen. */
  private static boolean isFirst(Ledger ledger, String code) {
    try {
      return ledger.claim("slack-" + code, Instant.now());
    } catch (Unavailable away) {
      return true;
    }
  }

  private static void heard(SlackSocket.Event event, SlackPresses presses) {
    switch (event) {
      case SlackSocket.Event.Connected connected -> Log.info("Slack's buttons are answered");
      case SlackSocket.Event.Pressed pressed -> presses.pressed(pressed.interaction());
      case SlackSocket.Event.Ignored ignored ->
          Log.warn("Slack sent what is not acted on", "because", ignored.sentence());
      case SlackSocket.Event.Down down ->
          Log.warn("no connection to Slack", "because", down.sentence());
    }
  }

  private static Secret secret(String setting, String file) {
    try {
      return Secret.of(Files.readString(Path.of(file)));
    } catch (IOException unreadable) {
      throw new WrongUse("--" + setting + ": " + file + " cannot be read");
    } catch (IllegalArgumentException refused) {
      throw new WrongUse("--" + setting + ": " + refused.getMessage());
    }
  }
}
