/**
 * What was done and what the GPUs' time went to. The ledger is for reports: nothing that decides
 * over a workload is read from it, so losing it costs history and no workload.
 *
 * <p>The GPU time balances: over any hour, what pods held equals busy + idle + kept + unknown, to
 * the last unit, whatever the MIG slices and however many pods share a card. Saved time is what
 * paused workloads would have held and stands outside of that sum.
 */
@org.jspecify.annotations.NullMarked
package dev.fallow.core.ledger;
