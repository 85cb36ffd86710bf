package dev.fallow.adapters.notify;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What NO_PROXY says: {@code *}, names that cover their subdomains, addresses, ranges such as
 * {@code 10.0.0.0/8}, each with a port or without.
 */
record NoProxy(List<String> entries) {

  static NoProxy parse(String text) {
    return new NoProxy(
        Arrays.stream(text.toLowerCase(Locale.ROOT).split("[,\\s]+"))
            .filter(entry -> !entry.isEmpty())
            .toList());
  }

  boolean covers(String host, int port) {
    String bare = Hosts.bare(host);
    return entries.stream().anyMatch(entry -> covers(entry, bare, port));
  }

  private static boolean covers(String entry, String host, int port) {
    if (entry.equals("*")) {
      return true;
    }
    int slash = entry.indexOf('/');
    if (slash > 0) {
      return inRange(entry.substring(0, slash), entry.substring(slash + 1), host);
    }
    String name = entry;
    int colon = entry.lastIndexOf(':');
    if (colon > 0 && (entry.indexOf(':') == colon || entry.charAt(colon - 1) == ']')) {
      if (!entry.substring(colon + 1).equals(String.valueOf(port))) {
        return false;
      }
      name = entry.substring(0, colon);
    }
    name = name.startsWith("*.") ? name.substring(1) : name;
    if (name.startsWith(".")) {
      return host.endsWith(name);
    }
    name = Hosts.bare(name);
    return host.equals(name) || host.endsWith("." + name) || sameAddress(name, host);
  }

  private static boolean sameAddress(String one, String other) {
    Optional<byte[]> left = address(one);
    return left.isPresent()
        && address(other).filter(it -> Arrays.equals(it, left.get())).isPresent();
  }

  private static boolean inRange(String network, String bits, String host) {
    Optional<byte[]> from = address(network);
    Optional<byte[]> given = address(host);
    if (from.isEmpty()
        || given.isEmpty()
        || from.get().length != given.get().length
        || !bits.matches("[0-9]{1,3}")) {
      return false;
    }
    int same = Integer.parseInt(bits);
    for (int i = 0; i < from.get().length; i++) {
      int here = Math.clamp(same - 8L * i, 0, 8);
      int mask = 0xff << (8 - here) & 0xff;
      if ((from.get()[i] & mask) != (given.get()[i] & mask)) {
        return false;
      }
    }
    return same <= 8 * from.get().length;
  }

  /** Only of what is written as an address: no name is looked up for this. */
  private static Optional<byte[]> address(String text) {
    try {
      return Optional.of(InetAddress.ofLiteral(text).getAddress());
    } catch (IllegalArgumentException name) {
      return Optional.empty();
    }
  }
}
