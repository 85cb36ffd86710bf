package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.MetricName.Over;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.UsageSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What was measured of one thing over time, in the order of the times; what cannot be true is left
 * out. A device that several exporters or Prometheis watch has one line, that of the stream with
 * the newest sample: two who look at the same card do not add up.
 */
final class Line {

  /** A series may miss one scrape; a card that is scraped seldom may be silent for longer. */
  static final long STALE_AFTER_MILLIS = 45_000;

  static final Line NONE = new Line(new long[0], new double[0]);

  private final long[] millis;
  private final double[] values;

  private Line(long[] millis, double[] values) {
    this.millis = millis;
    this.values = values;
  }

  /** The line of one thing by series that all speak of it. */
  static Line of(Feed feed, List<UsageSeries> series, double scale) {
    if (series.size() == 1) {
      return merged(feed, series, scale);
    }
    Map<Long, List<UsageSeries>> streams = new TreeMap<>();
    for (UsageSeries one : series) {
      streams.computeIfAbsent(one.labels().stream(), key -> new ArrayList<>(2)).add(one);
    }
    Line best = NONE;
    for (List<UsageSeries> stream : streams.values()) {
      Line line = merged(feed, stream, scale);
      best = line.betterThan(best) ? line : best;
    }
    return best;
  }

  /**
   * The newer one; of two that are as new, the higher: beside a card's own series an exporter may
   * write zeros for pods whose processes it does not see.
   */
  private boolean betterThan(Line other) {
    if (isEmpty() || other.isEmpty()) {
      return !isEmpty();
    }
    return newest() == other.newest() ? mean() > other.mean() : newest() > other.newest();
  }

  private double mean() {
    return Arrays.stream(values).average().orElse(0);
  }

  /**
   * The series of one stream as one: at the same moment they are a card's own value and copies or
   * parts of it for the pods that share it, so the highest is the card's.
   */
  private static Line merged(Feed feed, List<UsageSeries> stream, double scale) {
    if (stream.size() == 1) {
      return alone(feed, stream.getFirst(), scale);
    }
    Map<Long, Double> points = new TreeMap<>();
    for (UsageSeries one : stream) {
      Samples samples = one.samples();
      for (int i = 0; i < samples.size(); i++) {
        double value = samples.value(i);
        if (Drop.of(feed, one.labels().family().signal(), value).isEmpty()) {
          points.merge(samples.millis(i), value * scale, Math::max);
        }
      }
    }
    long[] millis = new long[points.size()];
    double[] values = new double[points.size()];
    int size = 0;
    for (Map.Entry<Long, Double> point : points.entrySet()) {
      millis[size] = point.getKey();
      values[size++] = point.getValue();
    }
    return new Line(millis, values);
  }

  private static Line alone(Feed feed, UsageSeries series, double scale) {
    Samples samples = series.samples();
    long[] millis = new long[samples.size()];
    double[] values = new double[samples.size()];
    int size = 0;
    for (int i = 0; i < samples.size(); i++) {
      double value = samples.value(i);
      if (Drop.of(feed, series.labels().family().signal(), value).isEmpty()) {
        millis[size] = samples.millis(i);
        values[size++] = value * scale;
      }
    }
    return new Line(Arrays.copyOf(millis, size), Arrays.copyOf(values, size));
  }

  boolean isEmpty() {
    return millis.length == 0;
  }

  long begins() {
    return millis[0];
  }

  long newest() {
    return millis[millis.length - 1];
  }

  double newestValue() {
    return values[values.length - 1];
  }

  /** The last value at or before a moment, if it is not stale by then. */
  Optional<Double> at(long moment) {
    int index = Arrays.binarySearch(millis, moment);
    int last = index >= 0 ? index : -index - 2;
    return last >= 0 && moment - millis[last] <= staleAfter()
        ? Optional.of(values[last])
        : Optional.empty();
  }

  boolean freshAt(Instant moment) {
    return !isEmpty() && moment.toEpochMilli() - newest() <= staleAfter();
  }

  /** Twice the usual time between its samples, and no less than a scrape or two take. */
  long staleAfter() {
    if (millis.length < 2) {
      return STALE_AFTER_MILLIS;
    }
    long[] gaps = new long[millis.length - 1];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = millis[i + 1] - millis[i];
    }
    Arrays.sort(gaps);
    return Math.max(2 * gaps[gaps.length / 2], STALE_AFTER_MILLIS);
  }

  /** This line as shares of another thing's newest value, or of the sum of some. */
  Line dividedBy(double whole, double scale) {
    double[] shares = new double[values.length];
    Arrays.setAll(shares, i -> Math.min(values[i] / whole, 1) * scale);
    return new Line(millis, shares);
  }

  /** The part of it after a moment. */
  Line after(long moment) {
    int from = 0;
    while (from < millis.length && millis[from] <= moment) {
      from++;
    }
    return from == 0
        ? this
        : new Line(
            Arrays.copyOfRange(millis, from, millis.length),
            Arrays.copyOfRange(values, from, values.length));
  }

  /** What is asked of it; nothing if it is stale at that moment. */
  Optional<Reading> over(Over over, Instant moment) {
    if (!freshAt(moment)) {
      return Optional.empty();
    }
    Instant newest = Instant.ofEpochMilli(newest());
    return switch (over) {
      case Over.Latest latest -> Optional.of(new Reading(newestValue(), newest, Duration.ZERO));
      case Over.Span span -> {
        Line part = after(moment.toEpochMilli() - span.length().toMillis());
        Line used = part.isEmpty() ? after(newest() - 1) : part;
        yield Optional.of(
            new Reading(used.taken(span), newest, Duration.ofMillis(newest() - used.millis[0])));
      }
    };
  }

  private double taken(Over.Span span) {
    return switch (span.kind()) {
      case MEAN -> Arrays.stream(values).average().orElseThrow();
      case MAX -> Arrays.stream(values).max().orElseThrow();
      case MIN -> Arrays.stream(values).min().orElseThrow();
      case QUANTILE -> {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(span.quantile() * sorted.length);
        yield sorted[Math.clamp(rank - 1, 0, sorted.length - 1)];
      }
    };
  }
}
