package dev.fallow.app.report;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.Cursor;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Span;
import dev.fallow.core.ledger.TimeQuery;
import dev.fallow.core.ledger.TimeQuery.Detail;
import dev.fallow.core.report.Extract;
import dev.fallow.core.report.Report;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.server.report.ReportSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads from the ledger what a report is made of. */
public final class LedgerReports implements ReportSource {

  private static final Duration USUAL = Duration.ofDays(7);
  private static final Duration DAY = Duration.ofDays(1);

  /** Longer than any ledger; who asks for more means all of it. */
  private static final Duration LONGEST = Duration.ofDays(3660);

  /** A long time is shown in as many parts at most. */
  private static final int MOST_PARTS = 31;

  private final Optional<Ledger> ledger;
  private final PriceBook prices;

  public LedgerReports(Optional<Ledger> ledger, PriceBook prices) {
    this.ledger = ledger.map(SqlLedger::forReaders);
    this.prices = prices;
  }

  @Override
  public Report read(Optional<Instant> from, Optional<Instant> to, Predicate<String> sees) {
    Ledger book =
        ledger.orElseThrow(() ->
            new Unavailable("ledger", "no ledger is kept here; name one with --ledger", false));
    Span period = period(from, to, book.countedUntil());
    Duration length = period.length();
    List<List<GpuTime>> before =
        parts(book, new Span(period.from().minus(length), period.from()), Detail.NAMESPACE, sees);
    // Where the ledger begins in the middle of it, the time before was shorter and is no measure.
    boolean comparable = !before.isEmpty() && !before.getFirst().isEmpty();
    return Report.of(
        new Extract(
            period,
            parts(book, period, Detail.WORKLOAD, sees).stream().flatMap(List::stream).toList(),
            comparable ? before.stream().flatMap(List::stream).toList() : List.of(),
            actions(book, period, sees)),
        prices);
  }

  /** Whole hours, as the ledger counts; what has not been counted yet is no part of it. */
  private static Span period(
      Optional<Instant> from, Optional<Instant> to, Optional<Instant> counted) {
    Instant known = nextHour(counted.orElse(Instant.EPOCH));
    Instant end =
        to.filter(asked -> asked.isBefore(known))
            .map(asked -> nextHour(later(asked, Instant.EPOCH)))
            .orElse(known);
    Instant begin = later(from.orElse(end.minus(USUAL)), end.minus(LONGEST));
    return new Span(begin.isBefore(end) ? begin.truncatedTo(ChronoUnit.HOURS) : end, end);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static Instant nextHour(Instant at) {
    Instant hour = at.truncatedTo(ChronoUnit.HOURS);
    return hour.equals(at) ? at : hour.plus(1, ChronoUnit.HOURS);
  }

  /** Day by day: the ledger sums each part, and its hour says which one it is. */
  private static List<List<GpuTime>> parts(
      Ledger book, Span span, Detail detail, Predicate<String> sees) {
    long days = Math.max(1, -Math.floorDiv(-span.length().toHours(), DAY.toHours()));
    Duration step = DAY.multipliedBy(-Math.floorDiv(-days, MOST_PARTS));
    List<List<GpuTime>> parts = new ArrayList<>();
    for (Instant from = span.from(); from.isBefore(span.to()); from = from.plus(step)) {
      Instant to = from.plus(step).isBefore(span.to()) ? from.plus(step) : span.to();
      parts.add(
          book.gpuTime(new TimeQuery(from, to, detail, false)).stream()
              .filter(time -> sees.test(time.namespace()))
              .toList());
    }
    return parts;
  }

  private static List<ActionRecord> actions(Ledger book, Span period, Predicate<String> sees) {
    List<ActionRecord> seen = new ArrayList<>();
    ActionQuery query =
        ActionQuery.latest(ActionQuery.MOST)
            .between(period.from(), period.to().plus(Report.SOON).plusMillis(1));
    List<ActionRecord> page = book.actions(query);
    while (!page.isEmpty()) {
      page.stream().filter(one -> sees.test(one.workload().namespace())).forEach(seen::add);
      page =
          page.size() < ActionQuery.MOST
              ? List.of()
              : book.actions(query.after(Cursor.after(page.getLast())));
    }
    return seen;
  }
}
