package dev.fallow.adapters.notify;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** Addresses from settings, most of them secret: what is wrong with one is said without it. */
final class SecretUrl {

  private SecretUrl() {}

  /**
   * An https address; plain http goes to this machine only.
   *
   * @param what names it for people, such as {@code the Slack webhook}
   * @throws IllegalArgumentException without the address in its message
   */
  static URI https(Secret secret, String what) {
    URI url = web(secret, what);
    if (!"https".equalsIgnoreCase(url.getScheme()) && !Hosts.isLoopback(url.getHost())) {
      throw new IllegalArgumentException("the address of " + what + " must begin with https://");
    }
    return url;
  }

  /** An http or https address. */
  static URI web(Secret secret, String what) {
    URI url = parsed(secret, what);
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new IllegalArgumentException("the address of " + what + " must begin with https://");
    }
    if (url.getHost() == null || url.getRawUserInfo() != null || url.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "the address of " + what + " needs a host, and has no user and no # in it");
    }
    return url;
  }

  private static URI parsed(Secret secret, String what) {
    try {
      return new URI(secret.reveal());
    } catch (URISyntaxException repeatsIt) {
      throw new IllegalArgumentException("the address of " + what + " cannot be read");
    }
  }
}
