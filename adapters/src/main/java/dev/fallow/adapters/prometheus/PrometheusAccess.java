package dev.fallow.adapters.prometheus;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Where Prometheus is and how to be let in.
 *
 * @param base its address with the path prefix, if it has one; a user and password in it are sent
 *     as basic authentication and never shown
 * @param token sent only where nobody on the way can read it, unless told otherwise
 * @param caFile certificates in PEM form to trust beside the system's own
 * @param connectTimeout to wait for a connection
 * @param requestTimeout to wait for a whole answer, its body included
 * @param sendTokenAnywhere whether the token may go over plain HTTP to any host
 */
public record PrometheusAccess(
    URI base,
    BearerToken token,
    Tls tls,
    Optional<Path> caFile,
    Duration connectTimeout,
    Duration requestTimeout,
    boolean sendTokenAnywhere) {

  /** Whether the server has to prove who it is. */
  public enum Tls {
    VERIFY,
    /** Any certificate of any host is taken, so anybody on the way can read the token. */
    SKIP
  }

  /**
   * @throws IllegalArgumentException with a sentence for people if the address is not one
   */
  public PrometheusAccess {
    String scheme = base.getScheme() == null ? "" : base.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new IllegalArgumentException(
          "a Prometheus URL begins with http:// or https://: " + shown(base));
    }
    if (base.getHost() == null || base.getHost().isEmpty()) {
      throw new IllegalArgumentException("a Prometheus URL needs a host: " + shown(base));
    }
    if (base.getRawQuery() != null || base.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "a Prometheus URL ends with its path, without ? and #: " + shown(base));
    }
    if (base.getRawUserInfo() != null && !(token instanceof BearerToken.None)) {
      throw new IllegalArgumentException(
          "give a user in the Prometheus URL or a token, not both: " + shown(base));
    }
    if (!connectTimeout.isPositive() || !requestTimeout.isPositive()) {
      throw new IllegalArgumentException("time-outs must be positive");
    }
  }

  /** Without a token, verifying, 5 s to connect and 60 s for an answer. */
  public static PrometheusAccess of(String url) {
    return new PrometheusAccess(
        parsed(url),
        BearerToken.none(),
        Tls.VERIFY,
        Optional.empty(),
        Duration.ofSeconds(5),
        Duration.ofSeconds(60),
        false);
  }

  private static URI parsed(String url) {
    try {
      return URI.create(url.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("the Prometheus URL is not one that can be read", e);
    }
  }

  public PrometheusAccess withToken(BearerToken other) {
    return new PrometheusAccess(
        base, other, tls, caFile, connectTimeout, requestTimeout, sendTokenAnywhere);
  }

  public PrometheusAccess withTls(Tls mode, Optional<Path> certificates) {
    return new PrometheusAccess(
        base, token, mode, certificates, connectTimeout, requestTimeout, sendTokenAnywhere);
  }

  public PrometheusAccess withTimeouts(Duration connect, Duration request) {
    return new PrometheusAccess(base, token, tls, caFile, connect, request, sendTokenAnywhere);
  }

  public PrometheusAccess sendingTokenAnywhere(boolean anywhere) {
    return new PrometheusAccess(base, token, tls, caFile, connectTimeout, requestTimeout, anywhere);
  }

  /** Whether a secret sent there stays between the two: encrypted, in the cluster, or local. */
  public boolean keepsSecrets() {
    String host = host();
    return sendTokenAnywhere
        || "https".equalsIgnoreCase(base.getScheme())
        || host.endsWith(".svc")
        || host.endsWith(".svc.cluster.local")
        || loopback();
  }

  boolean loopback() {
    String host = host();
    return host.equals("localhost")
        || host.matches("127(\\.[0-9]{1,3}){3}")
        || host.equals("[::1]")
        || host.equals("[0:0:0:0:0:0:0:1]");
  }

  private String host() {
    String host = base.getHost().toLowerCase(Locale.ROOT);
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  /** The address for people, without credentials. */
  public String address() {
    return shown(base);
  }

  private static String shown(URI uri) {
    String host = uri.getHost() == null ? "" : uri.getHost();
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    String scheme = uri.getScheme() == null ? "" : uri.getScheme() + "://";
    return scheme + host + port + (path.equals("/") ? "" : path);
  }

  @Override
  public String toString() {
    return "Prometheus at " + address() + " with " + token;
  }
}
