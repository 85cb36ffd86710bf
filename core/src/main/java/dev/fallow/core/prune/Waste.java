package dev.fallow.core.prune;

import dev.fallow.core.savings.PriceBook;
import dev.fallow.core.savings.WorkloadCost;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;

/** How much a workload has wasted: the hours its GPUs have been idle, times what they cost. */
public final class Waste {

  private Waste() {}

  /** The same fleet always gives the same order. */
  public static Comparator<Decision> greatestFirst(Instant at, PriceBook prices) {
    return Comparator.<Decision>comparingDouble(decision -> of(decision, at, prices))
        .reversed()
        .thenComparing(decision -> decision.assessment().workload());
  }

  /** In money; GPUs without a price count as one an hour, so that they rank at all. */
  static double of(Decision decision, Instant at, PriceBook prices) {
    WorkloadCost cost = WorkloadCost.of(decision.assessment(), prices);
    double perHour = cost.wastedPerHour() > 0 ? cost.wastedPerHour() : cost.idleGpus();
    double hours =
        decision
            .assessment()
            .idleSince()
            .map(since -> Duration.between(since, at).toMillis() / 3_600_000.0)
            .orElse(0.0);
    return perHour * Math.max(hours, 0);
  }
}
