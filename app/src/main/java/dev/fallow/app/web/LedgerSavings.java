package dev.fallow.app.web;

import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.TimeQuery;
import dev.fallow.core.ledger.TimeQuery.Detail;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.server.savings.SavingsQuery;
import dev.fallow.server.savings.SavingsSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** The ledger's GPU time, put together by hour, day, namespace, workload or model. */
public final class LedgerSavings implements SavingsSource {

  private static final Duration USUAL = Duration.ofDays(30);

  private final Optional<Ledger> ledger;
  private final PriceBook prices;

  public LedgerSavings(Optional<Ledger> ledger, PriceBook prices) {
    this.ledger = ledger;
    this.prices = prices;
  }

  /** What one line adds up. */
  private static final class Sum {
    private final Map<GpuState, Double> hours = new EnumMap<>(GpuState.class);
    private final Map<GpuState, Double> dollars = new EnumMap<>(GpuState.class);

    void add(GpuTime time, double perHour) {
      hours.merge(time.state(), time.cardHours(), Double::sum);
      dollars.merge(time.state(), time.cardHours() * perHour, Double::sum);
    }

    private double dollars(GpuState state) {
      return dollars.getOrDefault(state, 0.0);
    }

    Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      for (GpuState state : GpuState.values()) {
        fields.put(
            state.name().toLowerCase(Locale.ROOT), rounded(hours.getOrDefault(state, 0.0), 100));
      }
      double held =
          dollars.entrySet().stream()
              .filter(entry -> entry.getKey() != GpuState.SAVED)
              .mapToDouble(Map.Entry::getValue)
              .sum();
      fields.put("costDollars", rounded(held, 100));
      fields.put("wastedDollars", rounded(dollars(GpuState.IDLE), 100));
      fields.put("savedDollars", rounded(dollars(GpuState.SAVED), 100));
      return fields;
    }

    private static double rounded(double value, double parts) {
      return Math.round(value * parts) / parts;
    }
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
    Sum total = new Sum();
    Function<GpuTime, String> key = key(query.by());
    for (GpuTime time : times) {
      double perHour = prices.perHour(time.model()).orElse(0);
      sums.computeIfAbsent(key.apply(time), any -> new Sum()).add(time, perHour);
      total.add(time, perHour);
    }
    Comparator<Map.Entry<String, Sum>> order =
        byTime
            ? Map.Entry.comparingByKey()
            : Comparator.comparingDouble(entry ->
                -entry.getValue().dollars(GpuState.IDLE)
                    - entry.getValue().dollars(GpuState.SAVED));
    return new Savings(
        from,
        to,
        sums.entrySet().stream().sorted(order).map(LedgerSavings::line).toList(),
        total.fields());
  }

  private static Map<String, Object> line(Map.Entry<String, Sum> entry) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("key", entry.getKey());
    line.putAll(entry.getValue().fields());
    return line;
  }

  private static Function<GpuTime, String> key(SavingsQuery.By by) {
    return switch (by) {
      case HOUR -> time -> time.hour().toString();
      case DAY -> time -> time.hour().atZone(ZoneOffset.UTC).toLocalDate().toString();
      case NAMESPACE -> GpuTime::namespace;
      case WORKLOAD -> GpuTime::workload;
      case MODEL -> time -> time.model().isEmpty() ? "unknown" : time.model();
    };
  }
}
