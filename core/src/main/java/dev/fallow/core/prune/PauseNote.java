package dev.fallow.core.prune;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.idle.Assessment;
import java.util.Optional;

/**
 * What a pause tells of itself on the object.
 *
 * @param by who did it
 * @param reason why, for people
 * @param gpus how many it frees
 * @param model of which model, empty if unknown or several
 */
public record PauseNote(String by, String reason, int gpus, String model) {

  public static PauseNote of(String by, String reason, Assessment assessment) {
    return new PauseNote(
        by,
        reason,
        assessment.workload().gpus(),
        assessment.models().size() == 1 ? assessment.models().getFirst() : "");
  }

  /** {@code 8 NVIDIA A100-SXM4-80GB}. */
  public String freed() {
    return (gpus + " " + model).strip();
  }

  /** What was freed, as an object tells it; nothing if it does not. */
  public static Optional<PauseNote> freedBy(OwnerObject paused) {
    String[] parts = paused.annotations().getOrDefault(Annotations.FREED, "").split(" ", 2);
    return parts[0].matches("[0-9]{1,6}")
        ? Optional.of(
            new PauseNote(
                paused.annotations().getOrDefault(Annotations.PAUSED_BY, ""),
                paused.annotations().getOrDefault(Annotations.PAUSE_REASON, ""),
                Integer.parseInt(parts[0]),
                parts.length > 1 ? parts[1] : ""))
        : Optional.empty();
  }
}
