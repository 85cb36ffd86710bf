package dev.fallow.server;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many requests a client may make: so many at once, and so many a second after that. Of many
 * clients those are forgotten that have asked for nothing the longest.
 */
public final class Allowance {

  private final double perSecond;
  private final double atOnce;
  private final LinkedHashMap<Object, Left> clients;

  private record Left(double requests, long nanos) {}

  public Allowance(int perSecond, int atOnce, int mostClients) {
    this.perSecond = perSecond;
    this.atOnce = atOnce;
    this.clients =
        new LinkedHashMap<>(64, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Object, Left> eldest) {
            return size() > mostClients;
          }
        };
  }

  /** Whether a client may make one more request now; if so it has made it. */
  public synchronized boolean take(Object client, long nanos) {
    Left before = clients.getOrDefault(client, new Left(atOnce, nanos));
    double regained = Math.max(0, nanos - before.nanos) / 1e9 * perSecond;
    double left = Math.min(atOnce, before.requests + regained);
    boolean may = left >= 1;
    clients.put(client, new Left(may ? left - 1 : left, nanos));
    return may;
  }
}
