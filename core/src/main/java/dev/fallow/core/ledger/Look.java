package dev.fallow.core.ledger;

import dev.fallow.core.fleet.Teams;
import dev.fallow.core.prune.Decision;
import java.util.List;
import java.util.Set;

/**
 * All that accounting needs of one look at the fleet.
 *
 * @param span from the look before to this one
 * @param decisions on every workload, as of this look
 * @param sharingNodes the nodes that hand whole cards to several pods
 * @param spotNodes the nodes that are spare capacity
 */
public record Look(
    Span span,
    List<Decision> decisions,
    Set<String> sharingNodes,
    Set<String> spotNodes,
    Teams teams,
    List<Paused> paused) {

  public Look {
    decisions = List.copyOf(decisions);
    sharingNodes = Set.copyOf(sharingNodes);
    spotNodes = Set.copyOf(spotNodes);
    paused = List.copyOf(paused);
  }
}
