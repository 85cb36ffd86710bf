package dev.fallow.systemtests.campaign;

import dev.fallow.rig.AuditEntry;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A broken promise.
 *
 * @param invariant such as I1
 * @param entries the audit entries that show it; empty where the absence of one does
 */
public record Violation(
    String invariant, String subject, String sentence, List<AuditEntry> entries) {
  @Override
  public String toString() {
    return "%s %s: %s%s"
        .formatted(
            invariant,
            subject,
            sentence,
            entries.stream()
                .map(entry ->
                    "%n  %s %s %s %s -> %d %s"
                        .formatted(
                            entry.at(),
                            entry.user(),
                            entry.verb(),
                            entry.uri(),
                            entry.code(),
                            entry.event().at("requestObject")))
                .collect(Collectors.joining()));
  }
}
