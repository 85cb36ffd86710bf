package dev.fallow.core.report;

import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Span;
import dev.fallow.core.savings.PriceBook;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Where GPU hours and money went in some time. It balances: the rows of each kind add up to the
 * totals, of this period and of the one before.
 *
 * @param currency of all money in it
 * @param before the total of as long a time just before
 * @param days the period in parts, the first one first
 * @param worst the workloads that wasted most, the worst first
 */
public record Report(
    Span period,
    String currency,
    Sum total,
    Sum before,
    List<Row> namespaces,
    List<Row> teams,
    List<Row> models,
    List<Day> days,
    List<Offender> worst,
    Regrets regrets) {

  /** A resume that comes so soon after a pause is a regret. */
  public static final Duration SOON = Duration.ofHours(1);

  private static final int WORST = 10;

  private static final Comparator<Row> GREATEST_FIRST =
      Comparator.comparing(Row::sum, Report::byWaste).thenComparing(Row::key);

  public Report {
    namespaces = List.copyOf(namespaces);
    teams = List.copyOf(teams);
    models = List.copyOf(models);
    days = List.copyOf(days);
    worst = List.copyOf(worst);
  }

  public static Report of(Extract extract, PriceBook prices) {
    return new Report(
        extract.period(),
        prices.currency(),
        total(extract.now(), prices),
        total(extract.before(), prices),
        rows(extract, prices, GpuTime::namespace),
        rows(extract, prices, GpuTime::team),
        rows(extract, prices, GpuTime::model),
        days(extract.now(), prices),
        worst(extract.now(), prices),
        Regrets.of(extract.actions(), extract.period(), SOON));
  }

  /**
   * How much more of something there was than before, as a share: 0.1 is a tenth more. Nothing if
   * there was none before.
   */
  public OptionalDouble change(ToDoubleFunction<Sum> something) {
    double then = something.applyAsDouble(before);
    return then > 0
        ? OptionalDouble.of(something.applyAsDouble(total) / then - 1)
        : OptionalDouble.empty();
  }

  private static Sum total(List<GpuTime> times, PriceBook prices) {
    return times.stream().map(time -> Sum.of(time, prices)).reduce(Sum.ZERO, Sum::plus);
  }

  private static <K> Map<K, Sum> sums(
      List<GpuTime> times, PriceBook prices, Function<GpuTime, K> key) {
    Map<K, Sum> sums = new HashMap<>();
    times.forEach(time -> sums.merge(key.apply(time), Sum.of(time, prices), Sum::plus));
    return sums;
  }

  /** Whoever had something in either period. */
  private static List<Row> rows(Extract extract, PriceBook prices, Function<GpuTime, String> key) {
    Map<String, Sum> now = sums(extract.now(), prices, key);
    Map<String, Sum> then = sums(extract.before(), prices, key);
    Map<String, Sum> all = new TreeMap<>(then);
    all.putAll(now);
    return all.keySet().stream()
        .map(one -> new Row(one, now.getOrDefault(one, Sum.ZERO), then.getOrDefault(one, Sum.ZERO)))
        .sorted(GREATEST_FIRST)
        .toList();
  }

  private static List<Day> days(List<GpuTime> times, PriceBook prices) {
    Map<Instant, Sum> sums = new TreeMap<>(sums(times, prices, GpuTime::hour));
    return sums.entrySet().stream().map(day -> new Day(day.getKey(), day.getValue())).toList();
  }

  private record Name(String workload, String namespace) {}

  private static List<Offender> worst(List<GpuTime> times, PriceBook prices) {
    Map<Name, String> teams = new HashMap<>();
    times.forEach(time ->
        teams.merge(
            new Name(time.workload(), time.namespace()),
            time.team(),
            (one, other) -> one.isEmpty() ? other : one));
    return sums(times, prices, time -> new Name(time.workload(), time.namespace()))
        .entrySet()
        .stream()
        .filter(one -> one.getValue().hours(GpuState.IDLE) > 0)
        .map(one ->
            new Offender(
                one.getKey().workload(),
                one.getKey().namespace(),
                teams.getOrDefault(one.getKey(), ""),
                one.getValue()))
        .sorted(
            Comparator.comparing(Offender::sum, Report::byWaste).thenComparing(Offender::workload))
        .limit(WORST)
        .toList();
  }

  /** By money, and where nobody has priced them, by hours. */
  private static int byWaste(Sum one, Sum other) {
    return Comparator.<Sum>comparingDouble(sum -> -sum.money(GpuState.IDLE))
        .thenComparingDouble(sum -> -sum.hours(GpuState.IDLE))
        .thenComparingDouble(sum -> -sum.hours(GpuState.SAVED))
        .thenComparingDouble(sum -> -sum.heldHours())
        .compare(one, other);
  }
}
