package dev.fallow.adapters.notify;

import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers a proxy that asks who we are, and nobody else. */
final class ProxyCredentials extends Authenticator {

  private final String host;
  private final String user;
  private final Secret password;

  private ProxyCredentials(String host, String user, Secret password) {
    this.host = host;
    this.user = user;
    this.password = password;
  }

  static Optional<ProxyCredentials> in(URI proxy) {
    String info = proxy.getRawUserInfo() == null ? "" : proxy.getRawUserInfo();
    int colon = info.indexOf(':');
    if (colon < 1 || colon == info.length() - 1) {
      return Optional.empty();
    }
    return Optional.of(
        new ProxyCredentials(
            proxy.getHost(),
            decoded(info.substring(0, colon)),
            Secret.of(decoded(info.substring(colon + 1)))));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  @Override
  protected @Nullable PasswordAuthentication getPasswordAuthentication() {
    return getRequestorType() == RequestorType.PROXY && host.equals(getRequestingHost())
        ? new PasswordAuthentication(user, password.reveal().toCharArray())
        : null;
  }
}
