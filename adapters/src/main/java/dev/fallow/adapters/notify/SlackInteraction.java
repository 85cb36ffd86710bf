package dev.fallow.adapters.notify;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fallow.adapters.WaryJson;
import dev.fallow.core.notice.Button;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A button that somebody pressed in Slack.
 *
 * @param userName as Slack shows it; no proof of anything
 * @param value what the button carries; see {@link ButtonValue}
 * @param responseUrl where to answer; checked to be Slack's
 */
public record SlackInteraction(
    String team,
    String userId,
    String userName,
    Button.Action action,
    String value,
    Optional<URI> responseUrl,
    String messageTs,
    String channel) {

  /** What a request holds. */
  public sealed interface Parsed {

    record Pressed(SlackInteraction interaction) implements Parsed {}

    /** Not ours to act on; the sentence does not repeat what was sent. */
    record Problem(String sentence) implements Parsed {}
  }

  /**
   * Whose requests are taken.
   *
   * @param team the workspace; requests of another are not for us
   * @param appId the app, if it is known
   * @param responseBase where answers may go besides Slack itself; for tests
   */
  public record Expected(String team, Optional<String> appId, Optional<URI> responseBase) {}

  private static final int MOST_BYTES = 512 * 1024;
  private static final String PREFIX = "payload=";
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9*._+%-]*");
  private static final Pattern USER = Pattern.compile("[UW][A-Z0-9]{1,30}");
  private static final Pattern CHANNEL = Pattern.compile("[A-Z][A-Z0-9]{1,30}");
  private static final Pattern STAMP = Pattern.compile("[0-9]{1,20}\\.[0-9]{1,10}");

  /** Reads the raw body of a request whose signature was checked. */
  public static Parsed parse(byte[] form, Expected expected) {
    if (form.length > MOST_BYTES) {
      return problem("the request is larger than " + MOST_BYTES + " bytes");
    }
    String text = new String(form, StandardCharsets.ISO_8859_1);
    if (!text.startsWith(PREFIX) || !FORM.matcher(text.substring(PREFIX.length())).matches()) {
      return problem("the request is not a form with payload as its only field");
    }
    Optional<byte[]> payload = decoded(text.substring(PREFIX.length()));
    return payload.isEmpty()
        ? problem("the payload is not encoded as forms are")
        : parsePayload(payload.get(), expected);
  }

  /** Reads the payload itself, as socket mode brings it. */
  static Parsed parsePayload(byte[] json, Expected expected) {
    if (json.length > MOST_BYTES || !isUtf8(json)) {
      return problem("the payload is too large, or no UTF-8");
    }
    return WaryJson.object(json)
        .map(payload -> read(payload, expected))
        .orElseGet(() -> problem("the payload is no JSON object"));
  }

  private static Parsed read(JsonNode payload, Expected expected) {
    String team = WaryJson.text(payload, "team", "id");
    if (!WaryJson.text(payload, "type").equals("block_actions")) {
      return problem("the payload is of another type than block_actions");
    }
    if (!team.equals(expected.team())) {
      return problem("the request is of another workspace");
    }
    if (expected.appId().isPresent()
        && !WaryJson.text(payload, "api_app_id").equals(expected.appId().get())) {
      return problem("the request is for another app");
    }
    JsonNode user = payload.path("user");
    if (!USER.matcher(WaryJson.text(user, "id")).matches()) {
      return problem("the request does not say who pressed the button");
    }
    if (!WaryJson.text(user, "team_id").equals(team)) {
      return problem("who pressed the button belongs to another workspace");
    }
    JsonNode actions = payload.path("actions");
    Optional<Button.Action> action =
        actions.isArray() && actions.size() == 1
            ? SlackBlocks.action(WaryJson.text(actions.path(0), "action_id"))
            : Optional.empty();
    if (action.isEmpty()) {
      return problem("the request is not of one button of ours");
    }
    String value = WaryJson.text(actions.path(0), "value");
    String channel =
        first(WaryJson.text(payload, "channel", "id"), containerOf(payload, "channel_id"));
    String stamp =
        first(WaryJson.text(payload, "message", "ts"), containerOf(payload, "message_ts"));
    if (ButtonValue.parse(value).isEmpty()
        || !CHANNEL.matcher(channel).matches()
        || !STAMP.matcher(stamp).matches()) {
      return problem("the request does not say of which message the button is");
    }
    String answer = WaryJson.text(payload, "response_url");
    Optional<URI> responseUrl = responseUrl(answer, expected.responseBase());
    if (!answer.isEmpty() && responseUrl.isEmpty()) {
      return problem("the request wants its answer somewhere else than at Slack");
    }
    String name = first(WaryJson.text(user, "username"), WaryJson.text(user, "name"));
    return new Parsed.Pressed(
        new SlackInteraction(
            team,
            WaryJson.text(user, "id"),
            PlainText.oneLine(name, 100),
            action.get(),
            value,
            responseUrl,
            stamp,
            channel));
  }

  /** Anybody who can forge a request could otherwise make us send one of our own anywhere. */
  private static Optional<URI> responseUrl(String text, Optional<URI> base) {
    try {
      URI url = new URI(text);
      boolean slacks =
          "https".equals(url.getScheme())
              && "hooks.slack.com".equals(url.getRawAuthority())
              && url.getRawFragment() == null;
      boolean tests =
          base.isPresent()
              && base.get().getScheme().equals(url.getScheme())
              && base.get().getRawAuthority().equals(url.getRawAuthority());
      return slacks || tests ? Optional.of(url) : Optional.empty();
    } catch (URISyntaxException none) {
      return Optional.empty();
    }
  }

  private static String containerOf(JsonNode payload, String field) {
    return WaryJson.text(payload, "container", field);
  }

  private static String first(String one, String other) {
    return one.isEmpty() ? other : one;
  }

  private static Optional<byte[]> decoded(String form) {
    byte[] bytes = new byte[form.length()];
    int length = 0;
    for (int i = 0; i < form.length(); i++) {
      char c = form.charAt(i);
      if (c == '%') {
        if (i + 2 >= form.length()
            || Character.digit(form.charAt(i + 1), 16) < 0
            || Character.digit(form.charAt(i + 2), 16) < 0) {
          return Optional.empty();
        }
        bytes[length++] = (byte) Integer.parseInt(form, i + 1, i + 3, 16);
        i += 2;
      } else {
        bytes[length++] = (byte) (c == '+' ? ' ' : c);
      }
    }
    byte[] exact = new byte[length];
    System.arraycopy(bytes, 0, exact, 0, length);
    return Optional.of(exact);
  }

  private static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException garbled) {
      return false;
    }
  }

  private static Parsed problem(String sentence) {
    return new Parsed.Problem(sentence);
  }

  /** Without the address to answer at: who knows it can post there. */
  @Override
  public String toString() {
    return "SlackInteraction[user=" + userId + ", action=" + action + ", value=" + value + "]";
  }
}
