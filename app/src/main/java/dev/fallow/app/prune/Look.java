package dev.fallow.app.prune;

import dev.fallow.app.Inspection;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.ledger.HeldParts;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.Decision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What was seen and decided in one look, and when on this machine's own clock: a decision that has
 * grown old is not acted on.
 */
public record Look(Inspection inspection, long nanos) {

  private static final Duration OLDEST = Duration.ofMinutes(1);

  ClusterState cluster() {
    return inspection.cluster();
  }

  /** What is to be paused, the greatest waste first. */
  List<Decision> toPause() {
    return inspection.decisions().stream()
        .filter(decision -> decision.action() == Action.PAUSE)
        .sorted(inspection.greatestWasteFirst())
        .toList();
  }

  Optional<Decision> of(String rootUid) {
    return inspection.decisions().stream()
        .filter(decision -> decision.assessment().workload().root().uid().equals(rootUid))
        .findFirst();
  }

  Optional<NamespaceFacts> namespace(String name) {
    return cluster().namespaces().stream().filter(one -> one.name().equals(name)).findFirst();
  }

  /** How much of cards a workload holds. */
  long partsOf(Decision decision) {
    return HeldParts.of(decision, inspection.decisions(), cluster().sharingNodes());
  }

  boolean isFresh() {
    return System.nanoTime() - nanos <= OLDEST.toNanos();
  }
}
