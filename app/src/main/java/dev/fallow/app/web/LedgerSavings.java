package dev.fallow.app.web;

import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.TimeQuery;
import dev.fallow.core.ledger.TimeQuery.Detail;
import dev.fallow.core.report.Sum;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.server.savings.SavingsQuery;
import dev.fallow.server.savings.SavingsSource;
import dev.fallow.server.savings.SumFields;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** The ledger's GPU time, put together by hour, day, namespace, team, workload or model. */
public final class LedgerSavings implements SavingsSource {

  private static final Duration USUAL = Duration.ofDays(30);

  private final Optional<Ledger> ledger;
  private final PriceBook prices;

  public LedgerSavings(Optional<Ledger> ledger, PriceBook prices) {
    this.ledger = ledger;
    this.prices = prices;
  }

  @Override
  public Savings read(SavingsQuery query, Predicate<String> sees) {
    Ledger book =
        ledger.orElseThrow(() ->
            new Unavailable("ledger", "no ledger is kept here; name one with --ledger", false));
    Instant to = query.to().or(book::countedUntil).orElseGet(Instant::now);
    Instant from = query.from().orElse(to.minus(USUAL));
    boolean byTime = query.by() == SavingsQuery.By.HOUR || query.by() == SavingsQuery.By.DAY;
    boolean byWorkload = query.by() == SavingsQuery.By.WORKLOAD;
    List<GpuTime> times =
        book
            .gpuTime(
                new TimeQuery(from, to, byWorkload ? Detail.WORKLOAD : Detail.NAMESPACE, byTime))
            .stream()
            .filter(time -> sees.test(time.namespace()))
            .toList();
    Map<String, Sum> sums = new TreeMap<>();
    Function<GpuTime, String> key = key(query.by());
    for (GpuTime time : times) {
      sums.merge(key.apply(time), Sum.of(time, prices), Sum::plus);
    }
    Comparator<Map.Entry<String, Sum>> order =
        byTime
            ? Map.Entry.comparingByKey()
            : Comparator.comparingDouble(entry ->
                -entry.getValue().money(GpuState.IDLE) - entry.getValue().money(GpuState.SAVED));
    return new Savings(
        from,
        to,
        prices.currency(),
        sums.entrySet().stream().sorted(order).map(LedgerSavings::line).toList(),
        SumFields.of(sums.values().stream().reduce(Sum.ZERO, Sum::plus)));
  }

  private static Map<String, Object> line(Map.Entry<String, Sum> entry) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("key", entry.getKey());
    line.putAll(SumFields.of(entry.getValue()));
    return line;
  }

  private static Function<GpuTime, String> key(SavingsQuery.By by) {
    return switch (by) {
      case HOUR -> time -> time.hour().toString();
      case DAY -> time -> time.hour().atZone(ZoneOffset.UTC).toLocalDate().toString();
      case NAMESPACE -> GpuTime::namespace;
      case TEAM -> time -> time.team().isEmpty() ? "unknown" : time.team();
      case WORKLOAD -> GpuTime::workload;
      case MODEL -> time -> time.model().isEmpty() ? "unknown" : time.model();
    };
  }
}
