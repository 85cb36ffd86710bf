package dev.fallow.adapters.notify;

import java.util.Locale;

/** Names of hosts as addresses spell them. */
final class Hosts {

  private Hosts() {}

  /** In small letters, without the brackets of IPv6 and the dot at the end. */
  static String bare(String host) {
    String bare = host.toLowerCase(Locale.ROOT);
    if (bare.startsWith("[") && bare.endsWith("]")) {
      bare = bare.substring(1, bare.length() - 1);
    }
    return bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare;
  }

  static boolean isLoopback(String host) {
    String bare = bare(host);
    return bare.equals("localhost")
        || bare.endsWith(".localhost")
        || bare.matches("127(\\.[0-9]{1,3}){3}")
        || bare.equals("::1")
        || bare.equals("0:0:0:0:0:0:0:1");
  }
}
