package dev.fallow.adapters.oidc;

import java.util.List;
import java.util.Optional;

/**
 * Who we are to an issuer.
 *
 * @param secret none for a client that the issuer calls public
 * @param scopes what is asked for beside {@code openid}
 */
public record Client(String id, Optional<String> secret, List<String> scopes) {

  public Client {
    scopes = List.copyOf(scopes);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return id;
  }
}
