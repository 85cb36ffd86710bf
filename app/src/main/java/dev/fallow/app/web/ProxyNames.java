package dev.fallow.app.web;

import dev.fallow.adapters.kubernetes.Reviews.Identity;
import dev.fallow.server.Request;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Names that an authenticating proxy has found out. Its headers are believed only beside a secret
 * that the proxy and this program share: anybody can send headers.
 */
public record ProxyNames(String secret) implements ClusterDoor.Names {

  private static final String SECRET = "X-Fallow-Proxy-Secret";
  private static final String USER = "X-Forwarded-User";
  private static final String GROUPS = "X-Forwarded-Groups";

  @Override
  public Optional<Identity> of(Request request) {
    boolean proven =
        !secret.isEmpty()
            && request
                .header(SECRET)
                .filter(given ->
                    MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8),
                        secret.getBytes(StandardCharsets.UTF_8)))
                .isPresent();
    return request
        .header(USER)
        .filter(name -> proven && !name.isBlank())
        .map(name -> new Identity(name, groups(request)));
  }

  /** None that tells: the same one may come with many names. */
  @Override
  public Optional<String> token(Request request) {
    return Optional.empty();
  }

  private static List<String> groups(Request request) {
    return Arrays.stream(request.header(GROUPS).orElse("").split(","))
        .map(String::strip)
        .filter(group -> !group.isEmpty())
        .toList();
  }

  @Override
  public String by(Request request) {
    return "proxy";
  }

  @Override
  public List<String> signIn() {
    return List.of("proxy");
  }

  @Override
  public String cure() {
    return "come by way of the proxy that signs people in here";
  }

  /** The secret stays one. */
  @Override
  public String toString() {
    return "ProxyNames";
  }
}
