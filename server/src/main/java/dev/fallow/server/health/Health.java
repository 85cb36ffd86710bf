package dev.fallow.server.health;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the process is, for whoever asks from outside. The loops tell it; it is safe to tell and to
 * ask from any thread.
 */
public final class Health {

  /**
   * A part that does less than it should because something outside fails.
   *
   * @param since when it began to
   * @param sentence what is wrong now, for people
   */
  public record Degraded(String part, Instant since, String sentence) {}

  /**
   * @param started whether the first cycle has begun
   */
  public record State(boolean started, List<Degraded> degraded) {}

  private final Map<String, Degraded> degraded = new TreeMap<>();
  private boolean started;

  /** The first cycle has begun. */
  public synchronized void started() {
    started = true;
  }

  /** A part has begun to fail, or fails still: then it has since it began. */
  public synchronized void degraded(String part, String sentence, Instant now) {
    Degraded before = degraded.get(part);
    degraded.put(part, new Degraded(part, before == null ? now : before.since(), sentence));
  }

  public synchronized void recovered(String part) {
    degraded.remove(part);
  }

  public synchronized State state() {
    return new State(started, List.copyOf(degraded.values()));
  }
}
