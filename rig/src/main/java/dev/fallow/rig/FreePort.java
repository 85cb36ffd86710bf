package dev.fallow.rig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds TCP ports that nobody listens on.
 *
 * <p>They lie below the range from which systems number outgoing connections. A port out of that
 * range could be taken by any client while its server is down between two starts; worse, a client
 * dialling such a port of a dead server on loopback can connect to itself.
 */
public final class FreePort {
  private static final int HALF = 6_000;

  /** The first of two JVMs that test side by side, or the second; 0 for one that is alone. */
  private static final int FORK = Integer.getInteger("rig.fork", 0);

  /** Each has ports of its own: one would take what the other's server has just left. */
  private static final int LOWEST = FORK == 2 ? 20_000 + HALF : 20_000;

  private static final int HIGHEST = FORK == 1 ? 20_000 + HALF : 20_000 + 2 * HALF;
  private static final int ATTEMPTS = 1_000;
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /** A port that was free a moment ago and that this JVM has not given before. */
  public static int pick() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (isFree(port) && GIVEN.add(port)) {
        return port;
      }
    }
    throw new RigException("no free port between " + LOWEST + " and " + HIGHEST);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
