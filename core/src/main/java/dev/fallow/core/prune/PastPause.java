package dev.fallow.core.prune;

import dev.fallow.core.fleet.ObjectId;
import java.time.Instant;

/** A pause of ours that the budget has to remember. */
public record PastPause(String actionId, ObjectId workload, Instant at) {}
