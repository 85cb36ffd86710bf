package dev.fallow.core.ledger;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Which GPU time is asked for, and how finely. Models, spot and states are always told apart: what
 * has different prices, and saved time, which must never be added to time that was held.
 *
 * @param from rounded down to its hour
 * @param to hours that begin then or later are left out
 * @param hourly one line an hour, instead of one for all
 */
public record TimeQuery(Instant from, Instant to, Detail detail, boolean hourly) {

  /** What lines are kept apart by. */
  public enum Detail {
    /** Each workload's namespace and team with it. */
    WORKLOAD,
    /** And team. */
    NAMESPACE,
    /** One line a state and model, over everything. */
    STATE
  }

  public TimeQuery {
    from = from.truncatedTo(ChronoUnit.HOURS);
  }
}
