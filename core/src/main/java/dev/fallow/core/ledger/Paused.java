package dev.fallow.core.ledger;

import dev.fallow.core.fleet.CardParts;
import dev.fallow.core.fleet.ObjectId;
import java.time.Instant;

/**
 * A workload that we paused.
 *
 * @param team whose it is, empty if nobody says
 * @param spot whether what it held was spare capacity
 * @param parts what it held, in {@link CardParts}
 * @param since when it was paused
 */
public record Paused(
    ObjectId workload, String team, String model, boolean spot, long parts, Instant since) {}
