package dev.fallow.adapters.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fallow.adapters.WaryJson;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * What an issuer says of somebody. Its signature is not looked at here: it came from the issuer
 * itself over TLS, and the API server checks it whenever it is used.
 *
 * @param text a secret
 */
public record IdToken(String text, Instant expires) {

  /** Read, or why it is not for us. */
  sealed interface Read {
    record Good(IdToken token) implements Read {}

    record Bad(String sentence) implements Read {}
  }

  static Read read(String text, String issuer, String clientId, String nonce, Instant now) {
    Optional<JsonNode> found = claims(text);
    if (found.isEmpty()) {
      return new Read.Bad("gave no ID token that can be read");
    }
    JsonNode claims = found.get();
    if (!claims.path("iss").asText().equals(issuer)) {
      return new Read.Bad("gave a token of another issuer");
    }
    if (!isFor(claims, clientId)) {
      return new Read.Bad("gave a token for somebody else than " + clientId);
    }
    if (!claims.path("nonce").isTextual()
        || !Attempt.same(nonce, claims.path("nonce").textValue())) {
      return new Read.Bad("gave a token that was made for another sign-in");
    }
    Optional<Instant> expires = expiry(claims);
    if (expires.isEmpty() || !expires.get().isAfter(now)) {
      return new Read.Bad("gave a token whose time is over; check that both clocks are right");
    }
    return new Read.Good(new IdToken(text, expires.get()));
  }

  private static Optional<JsonNode> claims(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 3 || !text.matches("[A-Za-z0-9._-]+")) {
      return Optional.empty();
    }
    try {
      return WaryJson.object(Base64.getUrlDecoder().decode(parts[1]));
    } catch (IllegalArgumentException notEncoded) {
      return Optional.empty();
    }
  }

  /** A token for several names the one to whom it was given. */
  private static boolean isFor(JsonNode claims, String clientId) {
    JsonNode audience = claims.path("aud");
    boolean named = audience.isTextual() && audience.textValue().equals(clientId);
    for (JsonNode one : audience) {
      named |= one.isTextual() && one.textValue().equals(clientId);
    }
    boolean severally = audience.isArray() && audience.size() > 1;
    JsonNode given = claims.path("azp");
    return named && (given.isMissingNode() ? !severally : given.asText().equals(clientId));
  }

  private static Optional<Instant> expiry(JsonNode claims) {
    try {
      return claims.path("exp").isNumber()
          ? Optional.of(Instant.ofEpochSecond(claims.path("exp").longValue()))
          : Optional.empty();
    } catch (DateTimeException absurd) {
      return Optional.empty();
    }
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "IdToken until " + expires;
  }
}
