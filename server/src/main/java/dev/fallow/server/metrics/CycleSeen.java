package dev.fallow.server.metrics;

import dev.fallow.core.prune.Decision;
import java.time.Instant;
import java.util.List;

/**
 * One cycle, after it has ended.
 *
 * @param at the moment that was judged
 * @param seconds how long it took
 * @param usageRead whether the source of GPU use answered
 * @param podsChecked pods with accelerators that were looked at
 */
public record CycleSeen(
    Instant at, double seconds, List<Decision> decisions, boolean usageRead, int podsChecked) {

  public CycleSeen {
    decisions = List.copyOf(decisions);
  }
}
