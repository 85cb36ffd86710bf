package dev.fallow.core.ledger;

import dev.fallow.core.fleet.CardParts;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * GPU time of one hour. The unit is 1/5040 of a card for one millisecond: a whole number for MIG's
 * sevenths and quarters, and where a card is shared by a number that does not divide it, the
 * sharers' whole numbers still add up to the card. A long holds 508 million card-hours: 58 000
 * cards for a year.
 *
 * @param hour its beginning, in UTC; of a sum over several hours, the first that was asked for
 * @param workload as {@link dev.fallow.core.fleet.ObjectId} writes it; empty in a sum over several
 * @param namespace empty in a sum over several
 * @param team whose the workload was at that time, empty if nobody has said and in a sum over all
 * @param model as the exporter spells it, empty if nobody has said
 * @param spot whether it was spare capacity, which has a price of its own
 */
public record GpuTime(
    Instant hour,
    String workload,
    String namespace,
    String team,
    String model,
    boolean spot,
    GpuState state,
    long amount) {

  /** The amount that one card makes in an hour. */
  public static final long CARD_HOUR = CardParts.WHOLE * 3_600_000L;

  public GpuTime {
    hour = hour.truncatedTo(ChronoUnit.HOURS);
    if (amount < 0) {
      throw new IllegalArgumentException("time runs forward, and " + amount + " does not");
    }
  }

  /** Of nobody's team, and not spot. */
  public GpuTime(
      Instant hour, String workload, String namespace, String model, GpuState state, long amount) {
    this(hour, workload, namespace, "", model, false, state, amount);
  }

  /** For people; sums are made of amounts. */
  public double cardHours() {
    return (double) amount / CARD_HOUR;
  }
}
