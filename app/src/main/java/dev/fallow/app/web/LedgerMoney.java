package dev.fallow.app.web;

import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.TimeQuery;
import dev.fallow.core.ledger.TimeQuery.Detail;
import dev.fallow.core.savings.PriceBook;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What was wasted and saved so far, as the ledger has it. */
final class LedgerMoney {

  private static final int TREND_HOURS = 7 * 24;

  private final Optional<Ledger> ledger;
  private final PriceBook prices;

  LedgerMoney(Optional<Ledger> ledger, PriceBook prices) {
    this.ledger = ledger;
    this.prices = prices;
  }

  /** For the summary; nothing without a ledger, or where it does not answer. */
  Map<String, Object> upTo(Instant at) {
    if (ledger.isEmpty()) {
      return Map.of();
    }
    try {
      Map<String, Object> fields = new LinkedHashMap<>();
      Instant midnight = at.truncatedTo(ChronoUnit.DAYS);
      Instant first =
          at.atZone(ZoneOffset.UTC).withDayOfMonth(1).truncatedTo(ChronoUnit.DAYS).toInstant();
      fields.put("wastedToday", dollars(midnight, at, GpuState.IDLE));
      fields.put("savedToday", dollars(midnight, at, GpuState.SAVED));
      fields.put("savedThisMonth", dollars(first, at, GpuState.SAVED));
      fields.put("trend", trend(at));
      return fields;
    } catch (Unavailable failed) {
      return Map.of();
    }
  }

  private double dollars(Instant from, Instant to, GpuState state) {
    double sum =
        ledger.orElseThrow().gpuTime(new TimeQuery(from, to, Detail.STATE, false)).stream()
            .filter(time -> time.state() == state)
            .mapToDouble(
                time -> time.cardHours() * prices.perHour(time.model(), time.spot()).orElse(0))
            .sum();
    return Math.round(sum * 100) / 100.0;
  }

  /** GPUs in each state, an hour at a time; the hour that runs is left out. */
  private Map<String, Object> trend(Instant at) {
    Instant end = at.truncatedTo(ChronoUnit.HOURS);
    Instant from = end.minus(Duration.ofHours(TREND_HOURS));
    List<GpuTime> times =
        ledger.orElseThrow().gpuTime(new TimeQuery(from, end, Detail.STATE, true));
    Instant begin = times.stream().map(GpuTime::hour).min(Instant::compareTo).orElse(end);
    int hours = (int) Math.max(0, Duration.between(begin, end).toHours());
    Map<String, Object> trend = new LinkedHashMap<>();
    trend.put("step", 3600);
    trend.put("from", begin);
    for (GpuState state : GpuState.values()) {
      double[] sums = new double[hours];
      times.stream()
          .filter(time -> time.state() == state)
          .forEach(time -> {
            int hour = (int) Duration.between(begin, time.hour()).toHours();
            if (hour >= 0 && hour < hours) {
              sums[hour] += time.cardHours();
            }
          });
      List<Object> values = new ArrayList<>();
      for (double sum : sums) {
        values.add(Math.round(sum * 10) / 10.0);
      }
      trend.put(state.name().toLowerCase(Locale.ROOT), values);
    }
    return trend;
  }
}
