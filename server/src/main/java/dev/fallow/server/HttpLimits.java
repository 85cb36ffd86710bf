package dev.fallow.server;

import java.time.Duration;

/** How much the server takes from anybody, and for how long. */
final class HttpLimits {

  /** Bytes of one body. */
  static final int BODY = 1 << 20;

  /** Bytes of all bodies that are held at the same time. */
  static final int ALL_BODIES = 16 << 20;

  /** Requests of one client; four times as many at once. Benchmarks ask for more. */
  static final int PER_SECOND = Integer.getInteger("fallow.http.perSecond", 100);

  /** The same of one address, behind which there may be many clients. */
  static final int PER_SECOND_OF_ADDRESS = 10 * PER_SECOND;

  /** Within which an answer has to be taken; a stream says for itself how long it waits. */
  static final Duration SENDING = Duration.ofSeconds(60);

  private HttpLimits() {}

  /**
   * Sets what the JDK's server reads from the system's properties once, when it is first used. What
   * the operator has set stays. By default a request may take for ever, and its headers 380 KiB.
   * The API server names each group of a caller in a header of its own: 64 KiB hold about 780 that
   * are called by GUIDs, as companies' directories do. There is no limit of the JDK's on how long
   * an answer may take: that would cut streams.
   */
  static void apply() {
    setUnlessGiven("sun.net.httpserver.maxReqTime", "10");
    setUnlessGiven("sun.net.httpserver.maxReqHeaderSize", "65536");
    setUnlessGiven("sun.net.httpserver.maxReqHeaders", "100");
    setUnlessGiven("sun.net.httpserver.nodelay", "true");
  }

  private static void setUnlessGiven(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }
}
