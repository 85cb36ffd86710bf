package dev.fallow.app.web;

import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.TimeQuery;
import dev.fallow.core.ledger.TimeQuery.Detail;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.server.fleet.PastSums;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** What was wasted and saved so far, as the ledger has it. */
final class LedgerMoney {

  private static final int TREND_HOURS = 7 * 24;

  private final Optional<Ledger> ledger;
  private final PriceBook prices;

  /** Hours that are over do not change, so the week is read once an hour. */
  private Optional<Trend> week = Optional.empty();

  LedgerMoney(Optional<Ledger> ledger, PriceBook prices) {
    this.ledger = ledger;
    this.prices = prices;
  }

  /** For the summary; nothing without a ledger, or where it does not answer. */
  synchronized PastSums upTo(Instant at) {
    if (ledger.isEmpty()) {
      return PastSums.NONE;
    }
    try {
      Ledger book = ledger.get();
      Instant midnight = at.truncatedTo(ChronoUnit.DAYS);
      Instant first =
          at.atZone(ZoneOffset.UTC).withDayOfMonth(1).truncatedTo(ChronoUnit.DAYS).toInstant();
      return new Sums(
          book.gpuTime(new TimeQuery(midnight, at, Detail.NAMESPACE, false)),
          book.gpuTime(new TimeQuery(first, at, Detail.NAMESPACE, false)),
          trend(book, at.truncatedTo(ChronoUnit.HOURS)),
          prices);
    } catch (Unavailable failed) {
      return PastSums.NONE;
    }
  }

  /** GPUs in each state, an hour at a time; the hour that runs is left out. */
  private Trend trend(Ledger book, Instant end) {
    if (week.filter(known -> known.end().equals(end)).isPresent()) {
      return week.get();
    }
    // Asked first: what is counted in between makes it too careful, not wrong.
    boolean complete = book.countedUntil().filter(until -> !until.isBefore(end)).isPresent();
    Instant from = end.minus(Duration.ofHours(TREND_HOURS));
    Trend read = Trend.of(book.gpuTime(new TimeQuery(from, end, Detail.NAMESPACE, true)), end);
    week = complete ? Optional.of(read) : Optional.empty();
    return read;
  }

  private record Sums(List<GpuTime> today, List<GpuTime> month, Trend trend, PriceBook prices)
      implements PastSums {

    @Override
    public Set<String> namespaces() {
      Set<String> namespaces = new HashSet<>(trend.namespaces());
      today.forEach(time -> namespaces.add(time.namespace()));
      month.forEach(time -> namespaces.add(time.namespace()));
      return namespaces;
    }

    @Override
    public Map<String, Object> of(Predicate<String> sees) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("wastedToday", dollars(today, GpuState.IDLE, sees));
      fields.put("savedToday", dollars(today, GpuState.SAVED, sees));
      fields.put("savedThisMonth", dollars(month, GpuState.SAVED, sees));
      fields.put("trend", trend.fields(sees));
      return fields;
    }

    private double dollars(List<GpuTime> times, GpuState state, Predicate<String> sees) {
      double sum =
          times.stream()
              .filter(time -> time.state() == state && sees.test(time.namespace()))
              .mapToDouble(
                  time -> time.cardHours() * prices.perHour(time.model(), time.spot()).orElse(0))
              .sum();
      return Math.round(sum * 100) / 100.0;
    }
  }
}
