package dev.fallow.app.web;

import dev.fallow.adapters.kubernetes.Reviews.Identity;
import dev.fallow.server.Request;
import dev.fallow.server.access.Caller;
import dev.fallow.server.metricsapi.FrontProxy;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Names that an authenticating proxy has found out. Its headers are believed only if it is proven
 * that it sent them: anybody can send headers.
 */
public record ProxyNames(Predicate<Request> sentByProxy) implements ClusterDoor.Names {

  private static final String SECRET = "X-Fallow-Proxy-Secret";
  private static final String USER = "X-Forwarded-User";
  private static final String GROUPS = "X-Forwarded-Groups";

  /** What the names of the cluster's own users and groups begin with. */
  private static final String CLUSTERS = "system:";

  /** Proven by a secret that the proxy and this program share. */
  public static ProxyNames bySecret(String secret) {
    return new ProxyNames(request ->
        !secret.isEmpty()
            && request
                .header(SECRET)
                .filter(given ->
                    MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8),
                        secret.getBytes(StandardCharsets.UTF_8)))
                .isPresent());
  }

  /** Proven by the certificate that the proxy shows; looked at anew for each request. */
  public static ProxyNames byCertificate(Supplier<FrontProxy> proxy, InstantSource clock) {
    return new ProxyNames(request -> proxy.get().asks(request, clock.instant()));
  }

  /**
   * A name that is there twice may be the proxy's and somebody's own; that is nobody. Nor is one
   * that the cluster gives to its own parts: whoever may choose their name at the proxy would be
   * one of them.
   */
  @Override
  public Optional<Identity> of(Request request) {
    boolean clear =
        request.headerAll(USER).size() == 1
            && request.headerAll(GROUPS).size() <= 1
            && Stream.of(USER, GROUPS)
                .flatMap(header -> request.headerAll(header).stream())
                .noneMatch(value -> value.chars().anyMatch(Character::isISOControl));
    return request
        .header(USER)
        .filter(name -> clear && !name.isBlank() && !isClusters(name))
        .filter(name -> sentByProxy.test(request))
        .map(name -> new Identity(name, groups(request)));
  }

  private static boolean isClusters(String name) {
    return name.strip().startsWith(CLUSTERS);
  }

  /** None that tells: the same one may come with many names. */
  @Override
  public Optional<String> token(Request request) {
    return Optional.empty();
  }

  private static List<String> groups(Request request) {
    return Stream.concat(
            Arrays.stream(request.header(GROUPS).orElse("").split(",")).map(String::strip),
            Stream.of(Caller.AUTHENTICATED))
        .filter(group -> !group.isEmpty())
        .filter(group -> group.equals(Caller.AUTHENTICATED) || !isClusters(group))
        .distinct()
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
