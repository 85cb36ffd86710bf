package dev.fallow.adapters.notify;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fallow.adapters.WaryJson;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.regex.Pattern;

/** Whose e-mail address belongs to a member of the workspace. Remembered for ten minutes. */
public final class SlackUsers {

  /** What is known of a member. */
  public sealed interface Found {

    record Email(String address) implements Found {}

    /** There is none, and asking again does not change that. */
    record None(String sentence) implements Found {}

    /** Slack cannot be asked at the moment. */
    record Failed(String sentence) implements Found {}
  }

  private record Remembered(Found found, Instant until) {}

  /** How many members are remembered as a rule. */
  public static final int MOST = 1000;

  private static final Duration MEMORY = Duration.ofMinutes(10);
  private static final Pattern USER = Pattern.compile("[UW][A-Z0-9]{1,30}");
  private static final Pattern EMAIL = Pattern.compile("[!-?A-~]{1,64}@[A-Za-z0-9.-]{1,180}");

  private final SlackApi api;
  private final String team;
  private final InstantSource clock;
  private final int most;
  private final LinkedHashMap<String, Remembered> memory = new LinkedHashMap<>();

  /**
   * @param base where Slack's API is; with a slash at its end
   * @param team the workspace; a channel that it shares with others shows it their members too
   * @param most how many members are remembered at once
   */
  public SlackUsers(
      Outbound outbound, InstantSource clock, Secret botToken, URI base, String team, int most) {
    this.team = team;
    this.api = new SlackApi(outbound, base, botToken);
    this.clock = clock;
    this.most = most;
  }

  public Found email(String userId) {
    if (!USER.matcher(userId).matches()) {
      return new Found.None("that is no ID of a member of Slack");
    }
    Instant now = clock.instant();
    synchronized (memory) {
      Remembered known = memory.get(userId);
      if (known != null && now.isBefore(known.until())) {
        return known.found();
      }
    }
    Found found = ask(userId);
    if (!(found instanceof Found.Failed)) {
      remember(userId, new Remembered(found, now.plus(MEMORY)));
    }
    return found;
  }

  private void remember(String userId, Remembered known) {
    synchronized (memory) {
      memory.remove(userId);
      memory.put(userId, known);
      while (memory.size() > most) {
        memory.remove(memory.firstEntry().getKey());
      }
    }
  }

  private Found ask(String userId) {
    byte[] form = ("user=" + userId).getBytes(StandardCharsets.UTF_8);
    return switch (api.callForm("users.info", form)) {
      case SlackApi.Said.Ok ok -> found(ok.content().path("user"));
      case SlackApi.Said.No no when no.code().equals("user_not_found") ->
          new Found.None("Slack " + SlackErrors.sentence(no.code()));
      case SlackApi.Said.No no -> new Found.Failed("Slack " + SlackErrors.sentence(no.code()));
      case SlackApi.Said.Trouble trouble ->
          new Found.Failed(
              switch (trouble.answer()) {
                case Answer.Broken broken -> "Slack " + broken.sentence();
                case Answer.Whole whole -> "Slack answers with status " + whole.status();
              });
    };
  }

  /** An address counts that Slack has made sure of, of a member of flesh and blood. */
  private Found found(JsonNode user) {
    if (!WaryJson.text(user, "team_id").equals(team) || !says(user, "is_stranger", false)) {
      return new Found.None("that member belongs to another workspace");
    }
    if (!says(user, "deleted", false) || !says(user, "is_bot", false)) {
      return new Found.None("that member is a bot, or is gone");
    }
    if (!says(user, "is_email_confirmed", true)) {
      return new Found.None(
          "the member has not confirmed the e-mail address to Slack; do so, and press again");
    }
    String email = WaryJson.text(user, "profile", "email");
    return EMAIL.matcher(email).matches()
        ? new Found.Email(email)
        : new Found.None(
            "Slack does not tell the member's e-mail address; add the scope"
                + " users:read.email and install the app anew");
  }

  /** That, or nothing; anything else is not what it is taken for. */
  private static boolean says(JsonNode user, String field, boolean expected) {
    JsonNode said = user.path(field);
    return said.isMissingNode() || (said.isBoolean() && said.booleanValue() == expected);
  }
}
