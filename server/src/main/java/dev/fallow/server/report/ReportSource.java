package dev.fallow.server.report;

import dev.fallow.core.report.Report;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/** Where reports come from. */
@FunctionalInterface
public interface ReportSource {

  /**
   * @param from seven days before its end, if nothing is said
   * @param sees the namespaces that count for who asks; all totals are of those alone
   */
  Report read(Optional<Instant> from, Optional<Instant> to, Predicate<String> sees);
}
