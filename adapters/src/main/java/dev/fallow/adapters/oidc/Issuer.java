package dev.fallow.adapters.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fallow.adapters.WaryJson;
import dev.fallow.core.Unavailable;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An issuer, asked for a token with the authorization code flow and PKCE. All methods throw {@link
 * Unavailable} of the source {@code oidc} if it does not answer as one does, within bounded time.
 */
public final class Issuer {

  private static final Duration KNOWN = Duration.ofHours(1);
  private static final Duration FAILURE_KNOWN = Duration.ofSeconds(5);

  private final String name;
  private final URI address;
  private final Client client;
  private final IssuerCalls calls;
  private final InstantSource clock;

  private @Nullable Document document;
  private @Nullable Unavailable failure;
  private Instant until = Instant.MIN;

  /** What the issuer says of itself. */
  private record Document(URI authorization, URI token, boolean takesBasic) {}

  /** A token, or why there is none. */
  public sealed interface Redeemed {
    record Good(IdToken token) implements Redeemed {}

    /**
     * @param sentence what goes after the issuer's name
     */
    record Refused(String sentence) implements Redeemed {}
  }

  /**
   * @param name as it stands in its tokens, to the letter
   * @throws IllegalArgumentException if it is no address that can be trusted
   */
  public Issuer(String name, Client client, IssuerCalls calls, InstantSource clock) {
    this.name = name;
    this.address = SafeAddress.of(name);
    if (address.getQuery() != null) {
      throw new IllegalArgumentException("has a query");
    }
    this.client = client;
    this.calls = calls;
    this.clock = clock;
  }

  public String name() {
    return name;
  }

  /** For people. */
  public String host() {
    return address.getHost();
  }

  public String clientId() {
    return client.id();
  }

  /** Where a browser is sent to sign in. */
  public URI signIn(Attempt attempt, String redirect) {
    URI endpoint = document().authorization();
    Map<String, String> asked = new LinkedHashMap<>();
    asked.put("response_type", "code");
    asked.put("client_id", client.id());
    asked.put("redirect_uri", redirect);
    asked.put("scope", scope());
    asked.put("state", attempt.state());
    asked.put("nonce", attempt.nonce());
    asked.put("code_challenge", attempt.challenge());
    asked.put("code_challenge_method", "S256");
    return URI.create(endpoint + (endpoint.getQuery() == null ? "?" : "&") + form(asked));
  }

  private String scope() {
    List<String> more = client.scopes().stream().filter(one -> !one.equals("openid")).toList();
    return more.isEmpty() ? "openid" : "openid " + String.join(" ", more);
  }

  /** Changes a code, which works once, for the token. */
  public Redeemed redeem(String code, Attempt attempt, String redirect) {
    Document known = document();
    Map<String, String> asked = new LinkedHashMap<>();
    asked.put("grant_type", "authorization_code");
    asked.put("code", code);
    asked.put("redirect_uri", redirect);
    asked.put("code_verifier", attempt.verifier());
    HttpRequest.Builder request = HttpRequest.newBuilder(known.token());
    Optional<String> secret = client.secret();
    if (secret.isPresent() && known.takesBasic()) {
      String both = encoded(client.id()) + ":" + encoded(secret.get());
      request.header(
          "Authorization",
          "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.US_ASCII)));
    } else {
      asked.put("client_id", client.id());
      secret.ifPresent(one -> asked.put("client_secret", one));
    }
    IssuerCalls.Answer answer =
        calls.ask(
            name,
            request
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form(asked))));
    Optional<JsonNode> body = WaryJson.object(answer.text().getBytes(StandardCharsets.UTF_8));
    if (answer.status() >= 400 && answer.status() < 500) {
      return new Redeemed.Refused(
          refusal(body.map(node -> WaryJson.text(node, "error")).orElse("")));
    }
    if (answer.status() != 200 || body.isEmpty()) {
      throw unfit("answers the code with status " + answer.status() + " and no token");
    }
    return switch (IdToken.read(
        WaryJson.text(body.get(), "id_token"),
        name,
        client.id(),
        attempt.nonce(),
        clock.instant())) {
      case IdToken.Read.Good good -> new Redeemed.Good(good.token());
      case IdToken.Read.Bad bad -> new Redeemed.Refused(bad.sentence());
    };
  }

  private static String refusal(String error) {
    return switch (error) {
      case "invalid_grant" ->
          "does not take the code: it was used before, or is too old; sign in again";
      case "invalid_client", "unauthorized_client" ->
          "does not know this client: check --dashboard-oidc-client-id and its secret";
      case String other when other.matches("[a-z_]{1,60}") -> "refuses the code: " + other;
      default -> "refuses the code";
    };
  }

  /** Read when it is first needed, and again every hour; a failure is known for a moment. */
  private synchronized Document document() {
    Instant now = clock.instant();
    if (now.isBefore(until)) {
      if (document != null) {
        return document;
      }
      if (failure != null) {
        throw failure;
      }
    }
    try {
      Document read = read();
      document = read;
      until = now.plus(KNOWN);
      return read;
    } catch (Unavailable failed) {
      document = null;
      failure = failed;
      until = clock.instant().plus(FAILURE_KNOWN);
      throw failed;
    }
  }

  private Document read() {
    String place = name.replaceFirst("/+$", "") + "/.well-known/openid-configuration";
    IssuerCalls.Answer answer = calls.ask(name, HttpRequest.newBuilder(URI.create(place)).GET());
    JsonNode said =
        WaryJson.object(answer.text().getBytes(StandardCharsets.UTF_8))
            .filter(node -> answer.status() == 200)
            .orElseThrow(() -> unfit("has no document at /.well-known/openid-configuration"));
    if (!WaryJson.text(said, "issuer").equals(name)) {
      throw unfit(
          "calls itself otherwise in its own document; write --dashboard-oidc-issuer to the letter"
              + " as it does, with or without a slash at the end");
    }
    boolean basic = !said.has("token_endpoint_auth_methods_supported");
    for (JsonNode method : said.path("token_endpoint_auth_methods_supported")) {
      basic |= method.asText().equals("client_secret_basic");
    }
    return new Document(
        endpoint(said, "authorization_endpoint"), endpoint(said, "token_endpoint"), basic);
  }

  private URI endpoint(JsonNode said, String which) {
    try {
      return SafeAddress.of(WaryJson.text(said, which));
    } catch (IllegalArgumentException unsafe) {
      throw unfit("names a " + which + " that " + unsafe.getMessage());
    }
  }

  private Unavailable unfit(String sentence) {
    return new Unavailable("oidc", name + " " + sentence, false);
  }

  private static String form(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> field.getKey() + "=" + encoded(field.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
