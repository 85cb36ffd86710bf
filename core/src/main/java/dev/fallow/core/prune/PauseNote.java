package dev.fallow.core.prune;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.DeviceFinding;
import java.util.List;
import java.util.Optional;

/**
 * What a pause tells of itself on the object.
 *
 * @param by who did it
 * @param reason why, for people
 * @param gpus how many it frees
 * @param model of which model, empty if unknown or several
 * @param spot whether all of them are spare capacity
 */
public record PauseNote(String by, String reason, int gpus, String model, boolean spot) {

  private static final String SPOT = "spot ";

  public PauseNote(String by, String reason, int gpus, String model) {
    this(by, reason, gpus, model, false);
  }

  public static PauseNote of(String by, String reason, Assessment assessment) {
    return new PauseNote(
        by,
        reason,
        assessment.workload().gpus(),
        assessment.models().size() == 1 ? assessment.models().getFirst() : "",
        isSpot(assessment));
  }

  private static boolean isSpot(Assessment assessment) {
    List<DeviceFinding> devices =
        assessment.pods().stream()
            .filter(pod -> pod.pod().live())
            .flatMap(pod -> pod.devices().stream())
            .toList();
    return !devices.isEmpty() && devices.stream().allMatch(DeviceFinding::spot);
  }

  /** {@code 8 NVIDIA A100-SXM4-80GB}, or {@code 8 spot NVIDIA A100-SXM4-80GB}. */
  public String freed() {
    return (gpus + " " + (spot ? SPOT : "") + model).strip();
  }

  /** What was freed, as an object tells it; nothing if it does not. */
  public static Optional<PauseNote> freedBy(OwnerObject paused) {
    String[] parts = paused.annotations().getOrDefault(Annotations.FREED, "").split(" ", 2);
    String rest = parts.length > 1 ? parts[1] + " " : "";
    boolean spot = rest.startsWith(SPOT);
    return parts[0].matches("[0-9]{1,6}")
        ? Optional.of(
            new PauseNote(
                paused.annotations().getOrDefault(Annotations.PAUSED_BY, ""),
                paused.annotations().getOrDefault(Annotations.PAUSE_REASON, ""),
                Integer.parseInt(parts[0]),
                (spot ? rest.substring(SPOT.length()) : rest).strip(),
                spot))
        : Optional.empty();
  }
}
