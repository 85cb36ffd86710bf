package dev.fallow.systemtests.campaign;

import dev.fallow.rig.AuditEntry;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * All that is known of one run, from sources that the product does not control, its ledger aside.
 *
 * @param audit the API server's log, with the bodies and answers of all writes
 * @param dark when evidence was not to be trusted
 * @param blind when the API server may have done something without writing it down, as one that is
 *     killed may
 * @param cycles when the product began its cycles, if somebody saw that; may be empty
 * @param healed when the last fault had ended
 * @param rested until when the product was left to itself: what came after was to tidy up
 * @param end when the run had
 */
public record Evidence(
    List<AuditEntry> audit,
    GroundTruth truth,
    List<KeepRequest> keeps,
    List<LedgerRecord> ledger,
    List<Darkness> dark,
    List<Span> blind,
    List<Instant> cycles,
    Instant healed,
    Instant rested,
    Instant end) {
  /** The same, and what the faults know of the times in which they were on. */
  public Evidence and(List<Darkness> moreDark, List<Span> moreBlind) {
    return new Evidence(
        audit,
        truth,
        keeps,
        ledger,
        Stream.concat(dark.stream(), moreDark.stream()).toList(),
        Stream.concat(blind.stream(), moreBlind.stream()).toList(),
        cycles,
        healed,
        rested,
        end);
  }

  public boolean isBlindAt(Instant at) {
    return blind.stream().anyMatch(span -> span.contains(at));
  }
}
