package dev.fallow.core.report;

import dev.fallow.core.fleet.ObjectId;
import java.time.Instant;

/**
 * A pause of ours that somebody took back soon.
 *
 * @param by who did
 */
public record Regret(ObjectId workload, int gpus, Instant paused, Instant resumed, String by) {}
