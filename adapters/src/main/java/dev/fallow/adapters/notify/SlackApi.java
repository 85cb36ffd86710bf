package dev.fallow.adapters.notify;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fallow.adapters.WaryJson;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Calls methods of Slack's web API with one token. */
final class SlackApi {

  /** Codes are words; whatever else comes in their place is not repeated. */
  private static final Pattern CODE = Pattern.compile("[a-z_]{1,60}");

  /** What Slack said to a call. */
  sealed interface Said {

    /** Status 2xx and {@code "ok":true}. */
    record Ok(JsonNode content) implements Said {}

    /** Slack's own word for what is wrong, or nothing where it is no word. */
    record No(String code, Answer.Whole answer) implements Said {}

    /** No answer of the API. */
    record Trouble(Answer answer) implements Said {}
  }

  private final Outbound outbound;
  private final URI base;
  private final Secret token;

  /**
   * @param base with a slash at its end
   */
  SlackApi(Outbound outbound, URI base, Secret token) {
    this.outbound = outbound;
    this.base = SecretUrl.https(Secret.of(base.toString()), "Slack's API");
    this.token = token.forHeader("the Slack token");
  }

  Said callJson(String method, Object content) {
    return call(method, "application/json; charset=utf-8", WaryJson.write(content));
  }

  Said callForm(String method, byte[] form) {
    return call(method, "application/x-www-form-urlencoded", form);
  }

  private Said call(String method, String type, byte[] body) {
    Answer answer =
        outbound.post(
            base.resolve(method),
            Map.of("Content-Type", type, "Authorization", "Bearer " + token.reveal()),
            body);
    if (!(answer instanceof Answer.Whole whole) || whole.status() / 100 != 2) {
      return new Said.Trouble(answer);
    }
    Optional<JsonNode> content = WaryJson.object(whole.text().getBytes(StandardCharsets.UTF_8));
    if (content.isPresent() && content.get().path("ok").isBoolean()) {
      return content.get().path("ok").booleanValue()
          ? new Said.Ok(content.get())
          : new Said.No(code(content.get()), whole);
    }
    return new Said.Trouble(
        new Answer.Broken("answers with something else than its API; check what is in front"));
  }

  private static String code(JsonNode content) {
    String code = WaryJson.text(content, "error");
    return CODE.matcher(code).matches() ? code : "";
  }
}
