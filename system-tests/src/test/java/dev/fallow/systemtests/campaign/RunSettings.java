package dev.fallow.systemtests.campaign;

import java.time.Duration;
import java.util.Set;

/**
 * What the product was told, as far as promises depend on it.
 *
 * @param user the name under which it writes
 * @param window how long a workload must have been idle
 * @param grace how much longer a pod must have run
 * @param notice how long an owner is warned before
 * @param cycle from one look to the next
 * @param slack how old the evidence may be when a write is sent, plus the time of the write itself
 * @param reaction how long a look and its writes take where nothing stands still
 * @param sampling from one sample to the next: what lies between two nobody can see
 * @param repair how long after a crash records may be missing
 * @param pausesPerCycle the budget of one cycle
 * @param namespaceShare the share of a namespace's workloads that may be paused per budget period
 * @param budgetPeriod the period of that share
 * @param protectedNamespaces where nothing is ever paused
 */
public record RunSettings(
    String user,
    Duration window,
    Duration grace,
    Duration notice,
    Duration cycle,
    Duration slack,
    Duration reaction,
    Duration sampling,
    Duration repair,
    int pausesPerCycle,
    double namespaceShare,
    Duration budgetPeriod,
    Set<String> protectedNamespaces) {}
