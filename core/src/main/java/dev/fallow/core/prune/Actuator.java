package dev.fallow.core.prune;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Changes workloads, one guarded write at a time. No method throws for what the API server says; an
 * outcome tells it.
 */
public interface Actuator {

  /** Marks a workload with the intent to pause it. */
  Outcome announce(Workload workload, Intent intent);

  /**
   * Pauses a workload whose intent still stands, in one write that carries how to undo it.
   *
   * @param lastWord asked of the root as it is when the write is about to be made
   */
  Outcome pause(Workload workload, Intent intent, PauseNote note, LastWord lastWord);

  /** Brings a workload back exactly as it was. */
  Outcome resume(ObjectId workload);

  /** Whether a stopped InferenceService itself says that it has stopped. */
  boolean saysItStopped(ObjectId workload);

  /** Writes notes of ours on the object that keeps a workload's record; an empty one comes off. */
  Outcome note(ObjectId workload, Map<String, Optional<String>> notes);

  /**
   * The annotations of a workload's root as they are now, and those that are kept beside it;
   * nothing where nobody can say.
   */
  Optional<List<Map<String, String>>> marks(ObjectId workload);

  /** Takes an intent back. */
  Outcome withdraw(ObjectId workload);

  /** Takes the marks of a pause off an object that somebody else has switched on again. */
  Outcome noteUndone(ObjectId workload, Optional<Undone> undone);

  /** May this root, as it is now, still be paused? */
  @FunctionalInterface
  interface LastWord {
    Optional<Refusal> on(OwnerObject root);
  }
}
