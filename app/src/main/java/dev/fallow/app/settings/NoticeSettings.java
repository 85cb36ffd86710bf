package dev.fallow.app.settings;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How owners are told. */
public final class NoticeSettings {

  private static final Duration SECOND = Duration.ofSeconds(1);

  public static final Setting<Duration> ACK_GRACE_PERIOD =
      Setting.of(
              "ack-grace-period",
              "SECONDS",
              "300",
              "seconds, or a duration; 0 to 30 days",
              Parsers.length(SECOND, Duration.ZERO, Duration.ofDays(30)))
          .saying(
              "Time between the confirmed notice to an owner and the pause. Without a channel the"
                  + " Event on the workload is the notice, and no time is given.");

  public static final Setting<String> SLACK_WEBHOOK_URL =
      Setting.of("slack-webhook-url", "URL", "", "an https address", String::strip)
          .saying("Slack's webhook for notices; a secret, better in the environment.")
          .reading("SLACK_WEBHOOK_URL");

  public static final Setting<String> SLACK_CHANNEL =
      Setting.of("slack-channel", "NAME", "", "a channel such as #gpus", Parsers::slackChannel)
          .saying("Who is told in Slack of workloads for which nobody else is named.");

  public static final Setting<String> SLACK_BOT_TOKEN_FILE =
      Setting.of("slack-bot-token-file", "FILE", "", "a file", String::strip)
          .saying("The token of a Slack app, which reaches every channel and has buttons.");

  public static final Setting<String> SLACK_SIGNING_SECRET =
      Setting.of("slack-signing-secret", "SECRET", "", "a secret of the Slack app", String::strip)
          .saying(
              "Proves that what is sent to /slack/interactions is Slack's; better in the"
                  + " environment.")
          .reading("SLACK_SIGNING_SECRET");

  public static final Setting<Optional<Integer>> SLACK_INTERACTION_PORT =
      Setting.of("slack-interaction-port", "PORT", "", "1 to 65535", Parsers::port)
          .saying("A port that serves /slack/interactions alone, besides the dashboard's.");

  public static final Setting<String> SLACK_TEAM =
      Setting.of("slack-team", "ID", "", "the workspace's ID, such as T0123ABCD", String::strip)
          .saying("The workspace whose buttons are answered; those of others are not.");

  public static final Setting<String> SLACK_USER_PREFIX =
      Setting.of(
              "slack-user-prefix", "TEXT", "", "what stands before names, as oidc:", String::strip)
          .saying(
              "What the API server puts before the e-mail address of whoever presses a button, as"
                  + " its --oidc-username-prefix says.");

  public static final Setting<String> SLACK_API_URL =
      Setting.of(
              "slack-api-url",
              "URL",
              "https://slack.com/api/",
              "an https address with a slash at its end",
              String::strip)
          .saying("Where Slack's API is, for who reaches it another way.");

  public static final Setting<String> SLACK_APP_TOKEN_FILE =
      Setting.of("slack-app-token-file", "FILE", "", "a file", String::strip)
          .saying(
              "An app-level token: buttons then come over a connection that this program opens, and"
                  + " no address has to be public.");

  public static final Setting<String> SMTP_SERVER =
      Setting.of("smtp-server", "HOST:PORT", "", "host:port", String::strip)
          .saying("The mail server that takes notices; port 465 is TLS from the first byte.");

  public static final Setting<String> SMTP_FROM =
      Setting.of("smtp-from", "ADDRESS", "", "an e-mail address", String::strip)
          .saying("Whom mail comes from.");

  public static final Setting<String> SMTP_USER =
      Setting.of("smtp-user", "NAME", "", "any text", String::strip)
          .saying("Who we are to the mail server; unset, nobody.");

  public static final Setting<String> SMTP_PASSWORD_FILE =
      Setting.of("smtp-password-file", "FILE", "", "a file", String::strip)
          .saying("The mail server's password.");

  public static final Setting<List<String>> TEAMS_WEBHOOKS =
      Setting.of(
              "teams-webhook",
              "NAME=FILE",
              "",
              "a name and the file that holds the address",
              Parsers::names)
          .repeatable()
          .saying("A webhook of Microsoft Teams, told as teams:NAME.");

  public static final Setting<List<String>> WEBHOOKS =
      Setting.of(
              "webhook",
              "NAME=FILE",
              "",
              "a name and the file that holds the address and, on a second line, the key",
              Parsers::names)
          .repeatable()
          .saying("An address that takes signed JSON, told as webhook:NAME.");

  public static final Setting<List<String>> NOTIFY =
      Setting.of(
              "notify",
              "ADDRESSES",
              "",
              "slack:#channel, mail:name@host, teams:NAME or webhook:NAME, with commas",
              Parsers::names)
          .saying(
              "Who is told of workloads without an annotation fallow.dev/notify of their own or"
                  + " their namespace's.");

  public static final Setting<List<String>> NOTIFY_MAIL_DOMAINS =
      Setting.of(
              "notify-mail-domains",
              "NAMES",
              "",
              "domains such as example.com, with commas",
              Parsers::domains)
          .saying(
              "Where mail may go that annotations or RoleBindings ask for, which anybody in a"
                  + " namespace may write. Unset, anywhere; --notify is not bound by it.");

  public static final Setting<String> NOTIFY_CA_FILE =
      Setting.of("notify-ca-file", "FILE", "", "a file of PEM certificates", String::strip)
          .saying("Certificates to trust for channels, besides the system's.");

  public static final Setting<String> DASHBOARD_URL =
      Setting.of("dashboard-url", "URL", "", "an http or https address", Parsers::link)
          .saying(
              "Where people reach the dashboard, for links in notices and for"
                  + " the way back from an issuer.");

  private NoticeSettings() {}

  /** In the order of the reference. */
  public static List<Setting<?>> all() {
    return List.of(
        ACK_GRACE_PERIOD,
        NOTIFY,
        SLACK_WEBHOOK_URL,
        SLACK_CHANNEL,
        SLACK_BOT_TOKEN_FILE,
        SLACK_SIGNING_SECRET,
        SLACK_INTERACTION_PORT,
        SLACK_TEAM,
        SLACK_USER_PREFIX,
        SLACK_API_URL,
        SLACK_APP_TOKEN_FILE,
        SMTP_SERVER,
        SMTP_FROM,
        SMTP_USER,
        SMTP_PASSWORD_FILE,
        TEAMS_WEBHOOKS,
        WEBHOOKS,
        NOTIFY_MAIL_DOMAINS,
        NOTIFY_CA_FILE,
        DASHBOARD_URL);
  }
}
