package dev.fallow.adapters.kubernetes.pausing;

import dev.fallow.core.fleet.ObjectTree;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * How objects of a kind are switched off, and on again exactly as they were. Changes are JSON merge
 * patches as nested maps, in which null takes a field away.
 */
public interface Switch {

  boolean isOff(ObjectTree live);

  /**
   * What keeps the object off that we have not written, such as another's lock: it is not ours to
   * take away.
   *
   * @param paused when we switched it off
   */
  default Optional<String> heldByOthers(ObjectTree live, Optional<Instant> paused) {
    return Optional.empty();
  }

  /** What has to be remembered to switch it on again; what was absent is absent here too. */
  Map<String, Object> before(ObjectTree live);

  Map<String, Object> turnOff(Instant at);

  /**
   * @param before as it was remembered; anybody can have written into it since
   * @throws UnreadableRecord if it does not say what was there
   */
  Map<String, Object> turnOn(ObjectTree before);

  /** The record of a pause does not tell how to undo it. */
  final class UnreadableRecord extends RuntimeException {
    public UnreadableRecord(String message) {
      super(message);
    }
  }

  /** The same for an object as it is now: what others have written around the switch stays. */
  default Map<String, Object> turnOn(ObjectTree before, ObjectTree live) {
    return turnOn(before);
  }
}
