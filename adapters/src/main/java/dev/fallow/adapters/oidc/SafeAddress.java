package dev.fallow.adapters.oidc;

import java.net.URI;
import java.util.Locale;

/** Addresses to which a secret may go: https, or http that does not leave this machine. */
public final class SafeAddress {

  private SafeAddress() {}

  /**
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static URI of(String text) {
    URI address;
    try {
      address = URI.create(text);
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException("is no address", malformed);
    }
    String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
    if (address.getHost() == null || address.getUserInfo() != null) {
      throw new IllegalArgumentException("is no address of a host");
    }
    if (address.getFragment() != null) {
      throw new IllegalArgumentException("has a fragment");
    }
    if (!scheme.equals("https") && !(scheme.equals("http") && isLoopback(address))) {
      throw new IllegalArgumentException("has to be https; http only where it is this machine");
    }
    return address;
  }

  private static boolean isLoopback(URI address) {
    String host = address.getHost();
    return host.equals("localhost")
        || host.equals("[::1]")
        || host.matches("127(\\.[0-9]{1,3}){3}");
  }
}
