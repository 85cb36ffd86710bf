package dev.fallow.app.notice;

import dev.fallow.adapters.notify.Channels;
import dev.fallow.adapters.notify.Network;
import dev.fallow.adapters.notify.Outbound;
import dev.fallow.adapters.notify.Secret;
import dev.fallow.adapters.notify.SignedWebhook;
import dev.fallow.adapters.notify.SlackApp;
import dev.fallow.adapters.notify.SlackWebhook;
import dev.fallow.adapters.notify.SmtpMail;
import dev.fallow.adapters.notify.SmtpServer;
import dev.fallow.adapters.notify.TeamsWebhook;
import dev.fallow.app.WrongUse;
import dev.fallow.app.settings.NoticeSettings;
import dev.fallow.app.settings.Setting;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Channel;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The ways to owners that the settings name.
 *
 * @param byDefault who is told of workloads for which nobody else is named
 */
public record NoticeChannels(
    Channel channel, List<Address> byDefault, boolean hasMail, Outbound outbound) {

  private static final int IMPLICIT_TLS = 465;
  private static final int USUAL_PORT = 587;

  /** None, where no channel is set: then the Event on a workload is its notice. */
  public static Optional<NoticeChannels> of(Settings settings, Map<String, String> environment) {
    String ca = settings.of(NoticeSettings.NOTIFY_CA_FILE);
    Network network =
        Network.of(environment, ca.isEmpty() ? Optional.empty() : Optional.of(Path.of(ca)));
    Map<String, Channel> channels = new HashMap<>();
    Outbound outbound = made("the environment's proxy", () -> new Outbound(network));
    slack(settings, outbound).ifPresent(slack -> channels.put(Address.SLACK, slack));
    mail(settings, network).ifPresent(mail -> channels.put(Address.MAIL, mail));
    Map<String, Secret> teams = new HashMap<>();
    files(settings, NoticeSettings.TEAMS_WEBHOOKS)
        .forEach((name, lines) -> teams.put(name, lines.getFirst()));
    if (!teams.isEmpty()) {
      channels.put(
          Address.TEAMS,
          made("--teams-webhook", () -> new TeamsWebhook(outbound, Clock.systemUTC(), teams)));
    }
    Map<String, SignedWebhook.Endpoint> hooks = new HashMap<>();
    files(settings, NoticeSettings.WEBHOOKS)
        .forEach((name, lines) -> {
          if (lines.size() < 2) {
            throw new WrongUse(
                "--webhook: the file of " + name + " needs the address and, below it, the key");
          }
          hooks.put(
              name,
              made(
                  "--webhook: the file of " + name,
                  () -> new SignedWebhook.Endpoint(lines.get(0), lines.get(1))));
        });
    if (!hooks.isEmpty()) {
      channels.put(
          Address.WEBHOOK,
          made("--webhook", () -> new SignedWebhook(outbound, Clock.systemUTC(), hooks)));
    }
    if (channels.isEmpty()) {
      outbound.close();
      return Optional.empty();
    }
    return Optional.of(
        new NoticeChannels(
            new Channels(channels),
            byDefault(settings),
            channels.containsKey(Address.MAIL),
            outbound));
  }

  /** What somebody asked for and nobody will hear, each with what is missing. */
  public static List<String> unheard(Settings settings) {
    Map<String, String> missing = new TreeMap<>();
    if (settings.of(NoticeSettings.SLACK_WEBHOOK_URL).isEmpty()
        && settings.of(NoticeSettings.SLACK_BOT_TOKEN_FILE).isEmpty()) {
      missing.put(Address.SLACK, "--slack-webhook-url or --slack-bot-token-file");
    }
    if (settings.of(NoticeSettings.SMTP_SERVER).isEmpty()) {
      missing.put(Address.MAIL, "--smtp-server");
    }
    if (settings.of(NoticeSettings.TEAMS_WEBHOOKS).isEmpty()) {
      missing.put(Address.TEAMS, "--teams-webhook");
    }
    if (settings.of(NoticeSettings.WEBHOOKS).isEmpty()) {
      missing.put(Address.WEBHOOK, "--webhook");
    }
    return byDefault(settings).stream()
        .filter(address -> missing.containsKey(address.channel()))
        .map(address ->
            address.text() + " is told of nothing: that takes " + missing.get(address.channel()))
        .toList();
  }

  private static <T> T made(String setting, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException refused) {
      throw new WrongUse(setting + ": " + refused.getMessage());
    }
  }

  private static Optional<Channel> slack(Settings settings, Outbound outbound) {
    String file = settings.of(NoticeSettings.SLACK_BOT_TOKEN_FILE);
    String url = settings.of(NoticeSettings.SLACK_WEBHOOK_URL);
    try {
      if (!file.isEmpty()) {
        return Optional.of(
            new SlackApp(
                outbound,
                Clock.systemUTC(),
                lines("slack-bot-token-file", file).getFirst(),
                slackApi(settings)));
      }
      return url.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new SlackWebhook(outbound, Clock.systemUTC(), Secret.of(url), channelName(settings)));
    } catch (IllegalArgumentException refused) {
      throw new WrongUse(
          (file.isEmpty() ? "--slack-webhook-url: " : "--slack-bot-token-file or --slack-api-url: ")
              + refused.getMessage());
    }
  }

  public static URI slackApi(Settings settings) {
    String url = settings.of(NoticeSettings.SLACK_API_URL);
    try {
      return URI.create(url.endsWith("/") ? url : url + "/");
    } catch (IllegalArgumentException bad) {
      throw new WrongUse("--slack-api-url: takes an https address, such as https://slack.com/api/");
    }
  }

  /** A webhook posts where it was made for; its own channel needs no name. */
  private static String channelName(Settings settings) {
    String named = settings.of(NoticeSettings.SLACK_CHANNEL);
    return named.isEmpty() ? "#webhook" : named;
  }

  private static Optional<Channel> mail(Settings settings, Network network) {
    String server = settings.of(NoticeSettings.SMTP_SERVER);
    if (server.isEmpty()) {
      return Optional.empty();
    }
    int colon = server.lastIndexOf(':');
    String host = colon < 0 ? server : server.substring(0, colon);
    try {
      int port = colon < 0 ? USUAL_PORT : Integer.parseInt(server.substring(colon + 1));
      String user = settings.of(NoticeSettings.SMTP_USER);
      String file = settings.of(NoticeSettings.SMTP_PASSWORD_FILE);
      if (user.isEmpty() != file.isEmpty()) {
        throw new WrongUse("--smtp-user and --smtp-password-file: give both, or neither");
      }
      Optional<SmtpServer.Credentials> credentials =
          user.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  new SmtpServer.Credentials(user, lines("smtp-password-file", file).getFirst()));
      SmtpServer.Tls tls =
          port == IMPLICIT_TLS
              ? SmtpServer.Tls.IMPLICIT
              : port == 25 || (credentials.isEmpty() && host.equals("127.0.0.1"))
                  ? SmtpServer.Tls.NONE
                  : SmtpServer.Tls.STARTTLS;
      return Optional.of(
          new SmtpMail(
              network,
              Clock.systemUTC(),
              new SmtpServer(host, port, tls, credentials, settings.of(NoticeSettings.SMTP_FROM))));
    } catch (IllegalArgumentException refused) {
      throw new WrongUse("--smtp-server or --smtp-from: " + refused.getMessage());
    }
  }

  private static List<Address> byDefault(Settings settings) {
    List<Address> addresses = new ArrayList<>();
    for (String text : settings.of(NoticeSettings.NOTIFY)) {
      switch (Address.parse(text)) {
        case Address.Parsed.Valid valid -> addresses.add(valid.address());
        case Address.Parsed.Problem problem ->
            throw new WrongUse("--notify: " + problem.sentence());
      }
    }
    boolean slack =
        !settings.of(NoticeSettings.SLACK_CHANNEL).isEmpty()
            || !settings.of(NoticeSettings.SLACK_WEBHOOK_URL).isEmpty();
    if (addresses.isEmpty() && slack) {
      addresses.add(new Address(Address.SLACK, channelName(settings)));
    }
    return addresses;
  }

  private static Map<String, List<Secret>> files(Settings settings, Setting<List<String>> setting) {
    Map<String, List<Secret>> found = new HashMap<>();
    for (String entry : settings.of(setting)) {
      int equals = entry.indexOf('=');
      if (equals <= 0) {
        throw new WrongUse("--" + setting.name() + ": takes NAME=FILE");
      }
      found.put(entry.substring(0, equals), lines(setting.name(), entry.substring(equals + 1)));
    }
    return found;
  }

  /** Secrets come from files: a command line is read by everybody on the machine. */
  private static List<Secret> lines(String setting, String file) {
    try {
      List<Secret> lines =
          Files.readString(Path.of(file))
              .lines()
              .filter(line -> !line.isBlank())
              .map(Secret::of)
              .toList();
      if (lines.isEmpty()) {
        throw new WrongUse("--" + setting + ": " + file + " is empty");
      }
      return lines;
    } catch (IOException unreadable) {
      throw new WrongUse("--" + setting + ": " + file + " cannot be read");
    }
  }
}
