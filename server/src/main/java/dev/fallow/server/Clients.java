package dev.fallow.server;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Who asks, as far as it can be told before anything is checked, and how much more they may ask:
 * behind one address there may be everybody, if it is a proxy's. Names that are made up are counted
 * with their address, so they bring little.
 */
final class Clients {

  /** What tells people behind one address apart, as the JDK's server spells it. */
  private static final List<String> CREDENTIALS =
      List.of("Authorization", "X-fallow-authorization", "X-forwarded-user", "Cookie");

  private static final int MOST = 10_000;

  private final Allowance each;
  private final Allowance addresses;

  Clients(int perSecond, int perSecondOfAddress) {
    this.each = new Allowance(perSecond, 4 * perSecond, MOST);
    this.addresses = new Allowance(perSecondOfAddress, 4 * perSecondOfAddress, MOST);
  }

  private record Client(InetAddress address, String credential) {}

  boolean may(InetAddress address, Map<String, List<String>> headers, long nanos) {
    return each.take(new Client(address, credential(headers)), nanos)
        && addresses.take(address, nanos);
  }

  /** Not the credential itself, which nobody has to keep, but what it hashes to; empty for none. */
  private static String credential(Map<String, List<String>> headers) {
    if (CREDENTIALS.stream().noneMatch(headers::containsKey)) {
      return "";
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String name : CREDENTIALS) {
        for (String value : headers.getOrDefault(name, List.of())) {
          digest.update((name + ": " + value + "\n").getBytes(StandardCharsets.UTF_8));
        }
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
