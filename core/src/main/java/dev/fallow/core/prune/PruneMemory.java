package dev.fallow.core.prune;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the program remembers and no object may show.
 *
 * @param pauses of the last hour
 * @param forgotten why pauses of the last hour may be missing here, if so
 * @param refused what came of the last attempt on a workload that cannot be changed, by its UID
 */
public record PruneMemory(
    List<PastPause> pauses, Optional<String> forgotten, Map<String, Refusal> refused) {

  public static final PruneMemory NOTHING = pauses(List.of());

  public PruneMemory {
    pauses = List.copyOf(pauses);
    refused = Map.copyOf(refused);
  }

  public static PruneMemory pauses(List<PastPause> pauses) {
    return new PruneMemory(pauses, Optional.empty(), Map.of());
  }

  /** The same, with what could not be changed. */
  public PruneMemory refusing(Map<String, Refusal> attempts) {
    return new PruneMemory(pauses, forgotten, attempts);
  }
}
