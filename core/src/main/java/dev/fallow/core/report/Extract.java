package dev.fallow.core.report;

import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Span;
import java.util.List;

/**
 * What a report is made of.
 *
 * @param now the period's GPU time by workload; the hour of each line is where its day begins
 * @param before the same of as long a time just before, by workload or by namespace
 * @param actions of the period, and of a while after it
 */
public record Extract(
    Span period, List<GpuTime> now, List<GpuTime> before, List<ActionRecord> actions) {

  public Extract {
    now = List.copyOf(now);
    before = List.copyOf(before);
    actions = List.copyOf(actions);
  }
}
