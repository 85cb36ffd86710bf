package dev.fallow.systemtests.campaign;

import java.time.Instant;

/**
 * A line of the product's own book.
 *
 * @param verb pause or resume
 * @param workload as in {@link GroundTruth.TrueWorkload#title}
 */
public record LedgerRecord(String actionId, String verb, Instant at, String workload) {}
