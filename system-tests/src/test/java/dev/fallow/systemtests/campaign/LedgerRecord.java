package dev.fallow.systemtests.campaign;

import java.time.Instant;

/**
 * A line of the product's own book.
 *
 * @param verb what was done; a doubtful pause is one of which the product says itself that nobody
 *     saw how it ended
 * @param workload as in {@link GroundTruth.TrueWorkload#title}
 */
public record LedgerRecord(String actionId, String verb, Instant at, String workload) {
  public static final String PAUSE = "pause";
  public static final String DOUBTFUL_PAUSE = "doubtful pause";
}
