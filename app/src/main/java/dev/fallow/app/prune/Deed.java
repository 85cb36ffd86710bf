package dev.fallow.app.prune;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.prune.Outcome;
import java.time.Instant;

/**
 * Something that was done to a workload, or tried.
 *
 * @param actionId names it from the intent to the ledger
 * @param gpus how many it held
 * @param dollarsPerHour what those cost
 * @param sentence why it was done
 * @param by who did it
 */
public record Deed(
    Verb verb,
    String actionId,
    Instant at,
    ObjectId workload,
    int gpus,
    double dollarsPerHour,
    String sentence,
    String by,
    Outcome outcome) {

  /** What can be done. */
  public enum Verb {
    ANNOUNCE,
    PAUSE,
    RESUME,
    /** A pause of ours was undone: by somebody else, or by us since it could not stand. */
    UNDONE,
    KEEP,
    /** A keep was ended before its time. */
    END_KEEP
  }

  /** Who does what nobody else has asked for. */
  public static final String OURSELVES = "fallow";

  Deed with(Outcome other) {
    return new Deed(verb, actionId, at, workload, gpus, dollarsPerHour, sentence, by, other);
  }

  /** Why it was not done, for machines; empty if it was. */
  public String reason() {
    return switch (outcome) {
      case Outcome.Done done -> "";
      case Outcome.Refused refused -> refused.refusal().reason().name();
      case Outcome.Failed failed -> failed.unknown() ? "OUTCOME_UNKNOWN" : "WRITE_FAILED";
    };
  }

  public boolean done() {
    return outcome instanceof Outcome.Done;
  }
}
