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
  private static final int ALL = 12_000;

  /** Which of the JVMs that test side by side this is, from 1, and how many there are. */
  private static final int FORK = Integer.getInteger("rig.fork", 1);

  private static final int FORKS = Integer.getInteger("rig.forks", 1);

  /** Each has ports of its own: one would take what the other's server has just left. */
  private static final int LOWEST = 20_000 + (FORK - 1) * (ALL / FORKS);

  private static final int HIGHEST = LOWEST + ALL / FORKS;
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
