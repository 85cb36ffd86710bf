package dev.fallow.core.report;

/**
 * A workload that let GPUs lie idle.
 *
 * @param team whose it is, empty if nobody says
 */
public record Offender(String workload, String namespace, String team, Sum sum) {}
