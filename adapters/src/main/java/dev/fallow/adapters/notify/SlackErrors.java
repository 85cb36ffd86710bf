package dev.fallow.adapters.notify;

import java.util.Map;
import java.util.Set;

/** What Slack's words for errors mean, and the cure. */
final class SlackErrors {

  /** Those with a sentence that time heals nevertheless. */
  private static final Set<String> PASSING = Set.of("ratelimited");

  private static final String TOKEN =
      "does not accept the token; install the app anew and set its new one, --slack-bot-token or,"
          + " for socket mode, --slack-app-token";

  private static final Map<String, String> SENTENCES =
      Map.ofEntries(
          Map.entry(
              "not_in_channel",
              "does not let the app post where it is no member; invite it there with /invite"),
          Map.entry(
              "channel_not_found",
              "does not know the channel, or it is private; correct the address, or invite the app"
                  + " there with /invite"),
          Map.entry("is_archived", "has archived the channel; name another in the address"),
          Map.entry("invalid_auth", TOKEN),
          Map.entry("not_authed", TOKEN),
          Map.entry("account_inactive", TOKEN),
          Map.entry("token_revoked", TOKEN),
          Map.entry("token_expired", TOKEN),
          Map.entry(
              "missing_scope",
              "wants a right that the app does not have; add the scopes chat:write, users:read and"
                  + " users:read.email, and install it anew"),
          Map.entry(
              "not_allowed_token_type",
              "takes another kind of token; the bot token begins with xoxb-, the app token with"
                  + " xapp-"),
          Map.entry(
              "restricted_action",
              "does not let apps post in the channel; an administrator of the workspace can allow"
                  + " it"),
          Map.entry("user_not_found", "does not know the member; correct the ID in the address"),
          Map.entry(
              "invalid_blocks", "does not take the form of the message; report this as a bug"),
          Map.entry("msg_too_long", "does not take a message of this length; report this as a bug"),
          Map.entry("ratelimited", "is sent too many messages at once"));

  private SlackErrors() {}

  /** A word that is not known here may mean anything, and the next attempt may succeed. */
  static boolean mayPass(String code) {
    return PASSING.contains(code) || !SENTENCES.containsKey(code);
  }

  /** What goes after {@code Slack}. */
  static String sentence(String code) {
    String known = SENTENCES.get(code);
    if (known != null) {
      return known + " (" + code + ")";
    }
    return code.isEmpty()
        ? "says no, without a reason that can be read"
        : "says " + code + "; its API documentation tells what that means";
  }
}
