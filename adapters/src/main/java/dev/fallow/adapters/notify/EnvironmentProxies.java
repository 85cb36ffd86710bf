package dev.fallow.adapters.notify;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The proxies that an environment names: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, also in small
 * letters. This machine itself is never asked for through a proxy.
 */
final class EnvironmentProxies extends ProxySelector {

  private final Optional<URI> forHttps;
  private final Optional<URI> forHttp;
  private final NoProxy direct;

  /**
   * @throws IllegalArgumentException if a proxy's address cannot be read; a password in it is not
   *     repeated
   */
  EnvironmentProxies(Map<String, String> environment) {
    this.forHttps = proxy(environment, "HTTPS_PROXY");
    this.forHttp = proxy(environment, "HTTP_PROXY");
    this.direct = NoProxy.parse(value(environment, "NO_PROXY"));
  }

  /** Who the proxies want to see; tunnels through them carry it only if the JVM was told so. */
  Optional<ProxyCredentials> credentials() {
    return forHttps.or(() -> forHttp).flatMap(ProxyCredentials::in);
  }

  @Override
  public List<Proxy> select(URI uri) {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    boolean encrypted = scheme.equals("https") || scheme.equals("wss");
    Optional<URI> proxy = encrypted ? forHttps : forHttp;
    if (proxy.isEmpty() || uri.getHost() == null || Hosts.isLoopback(uri.getHost())) {
      return List.of(Proxy.NO_PROXY);
    }
    int port = uri.getPort() >= 0 ? uri.getPort() : encrypted ? 443 : 80;
    if (direct.covers(uri.getHost(), port)) {
      return List.of(Proxy.NO_PROXY);
    }
    // Resolved now and at each use: a proxy may move while we run.
    return List.of(
        new Proxy(
            Proxy.Type.HTTP, new InetSocketAddress(proxy.get().getHost(), portOf(proxy.get()))));
  }

  @Override
  public void connectFailed(URI uri, SocketAddress address, IOException failure) {
    // There is no other proxy to turn to; the request itself reports the failure.
  }

  private static Optional<URI> proxy(Map<String, String> environment, String name) {
    String text = value(environment, name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      URI uri = new URI(text.contains("://") ? text : "http://" + text);
      if ("http".equalsIgnoreCase(uri.getScheme()) && uri.getHost() != null) {
        return Optional.of(uri);
      }
    } catch (URISyntaxException repeatsIt) {
      // Said below, without the password that may be in it.
    }
    throw new IllegalArgumentException(
        name + " is no address of a proxy; it looks like http://proxy.example:3128");
  }

  private static String value(Map<String, String> environment, String name) {
    String text = environment.getOrDefault(name.toLowerCase(Locale.ROOT), "").strip();
    return text.isEmpty() ? environment.getOrDefault(name, "").strip() : text;
  }

  private static int portOf(URI proxy) {
    return proxy.getPort() < 0 ? 80 : proxy.getPort();
  }
}
