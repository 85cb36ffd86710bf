package dev.fallow.app.prune;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.PausableKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pauses that are made only when somebody else has followed them: an InferenceService is told to
 * stop, and is let go again if its operator does not. They count as successes once its GPUs are
 * free, and as failures if it was let go.
 */
final class UnconfirmedStops {

  private final Map<String, ObjectId> byAction = new HashMap<>();

  /** Whether the deed is one of these, from now on waited for. */
  synchronized boolean takes(Deed deed) {
    boolean waits =
        deed.verb() == Deed.Verb.PAUSE
            && deed.done()
            && PausableKind.of(deed.workload())
                .filter(kind -> kind == PausableKind.INFERENCE_SERVICE)
                .isPresent();
    if (waits) {
      byAction.put(deed.actionId(), deed.workload());
    }
    return waits;
  }

  /** The workload of a stop that was undone before it was followed. */
  synchronized Optional<ObjectId> givenUp(String actionId) {
    return Optional.ofNullable(byAction.remove(actionId));
  }

  /** Those that hold no GPU any more. */
  synchronized List<ObjectId> followed(List<Decision> decisions) {
    List<ObjectId> stopped = new ArrayList<>(byAction.values());
    decisions.stream()
        .map(decision -> decision.assessment().workload())
        .filter(workload -> workload.gpus() > 0)
        .map(Workload::root)
        .forEach(stopped::remove);
    byAction.values().removeAll(stopped);
    return stopped;
  }
}
