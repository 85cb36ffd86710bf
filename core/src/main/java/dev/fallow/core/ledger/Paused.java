package dev.fallow.core.ledger;

import dev.fallow.core.fleet.CardParts;
import dev.fallow.core.fleet.ObjectId;
import java.time.Instant;

/**
 * A workload that we paused.
 *
 * @param parts what it held, in {@link CardParts}
 * @param since when it was paused
 */
public record Paused(ObjectId workload, String model, long parts, Instant since) {

  /** One that held so many whole cards. */
  public static Paused cards(ObjectId workload, String model, int gpus, Instant since) {
    return new Paused(workload, model, (long) gpus * CardParts.WHOLE, since);
  }
}
