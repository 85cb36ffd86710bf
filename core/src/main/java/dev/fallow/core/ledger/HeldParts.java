package dev.fallow.core.ledger;

import dev.fallow.core.fleet.CardParts;
import dev.fallow.core.fleet.Teams;
import dev.fallow.core.idle.DeviceId;
import dev.fallow.core.prune.Decision;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How much of cards a workload holds at a moment, in {@link CardParts}, by the rule by which time
 * is counted: what it asked for, and of a device that several pods hold an even share.
 */
public final class HeldParts {

  private HeldParts() {}

  /**
   * @param fleet every decision of the same look, for who shares with it
   * @param sharingNodes the nodes that hand whole cards to several pods
   */
  public static long of(Decision decision, Collection<Decision> fleet, Set<String> sharingNodes) {
    Look look =
        new Look(
            new Span(Instant.EPOCH, Instant.EPOCH),
            List.of(),
            sharingNodes,
            Set.of(),
            Teams.NONE,
            List.of());
    List<Holding> held = Holding.of(decision, look);
    Map<DeviceId, Integer> holders = new HashMap<>();
    if (held.stream().anyMatch(holding -> holding.shared().isPresent())) {
      fleet.stream()
          .flatMap(one -> Holding.of(one, look).stream())
          .flatMap(holding -> holding.shared().stream())
          .forEach(device -> holders.merge(device, 1, Integer::sum));
    }
    return held.stream()
        .mapToLong(holding ->
            holding.parts()
                / holding.shared().map(device -> holders.getOrDefault(device, 1)).orElse(1))
        .sum();
  }
}
