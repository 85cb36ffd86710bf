package dev.fallow.core.prune;

import java.time.Instant;

/**
 * A pause that is meant to be made, as it is announced on the workload.
 *
 * @param id names the action from here to the ledger
 * @param epoch whose intent it is; another leader's is cleared, which fences that leader off
 */
public record Intent(String id, String epoch, Instant at) {}
