package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.MetricName.Kind;
import dev.fallow.core.autoscale.MetricName.Over;
import dev.fallow.core.idle.Device;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * {@code avg_GPU_utilization} as it has always been meant: the mean of MEM_COPY_UTIL over the GPUs
 * on which it is above 0. Where it is above 0 nowhere there is none: the 0 that used to be given
 * then told autoscalers to scale down when nothing was measured.
 */
public final class OldAverage {

  public static final String METRIC = "avg_GPU_utilization";

  public static final Feed FEED = Feed.of(Signal.MEM_COPY_UTIL);

  private static final long STEP_MILLIS = 15_000;

  /**
   * @param onANode whether it is of a node that is there: one that falls silent is missed
   */
  private record Watched(Line line, boolean onANode) {

    boolean isMissedAt(long moment) {
      return onANode && line.begins() <= moment && line.at(moment).isEmpty();
    }
  }

  private OldAverage() {}

  /** What the name asks for: the number of now, or its mean over a time. */
  public static Optional<Over> asked(String metric) {
    if (metric.equals(METRIC)) {
      return Optional.of(Over.LATEST);
    }
    return MetricName.ended(metric)
        .filter(name -> name.base().equals(METRIC))
        .map(MetricName::over)
        .filter(over -> over instanceof Over.Span span && span.kind() == Kind.MEAN);
  }

  public static Optional<Reading> of(Numbers numbers, Over over) {
    Readings.Seen seen = numbers.readings().feeds().get(FEED);
    if (seen == null || !seen.whole()) {
      // A mean of those that happen to be seen is another number, and may be a lower one.
      return Optional.empty();
    }
    Set<String> nodes = new HashSet<>();
    numbers.readings().cluster().nodes().forEach(node -> nodes.add(node.name()));
    List<Watched> lines = new ArrayList<>();
    for (Device device : numbers.devices()) {
      List<UsageSeries> series =
          device.claims().stream()
              .map(Device.Claim::series)
              .filter(one -> one.labels().shows(Signal.MEM_COPY_UTIL))
              .toList();
      Line line = Line.of(FEED, series, 1);
      if (!line.isEmpty()) {
        lines.add(new Watched(line, nodes.contains(device.id().node())));
      }
    }
    long until = seen.at().toEpochMilli();
    return switch (over) {
      case Over.Latest latest -> at(lines, until);
      case Over.Span span -> rolling(lines, until, span.length());
    };
  }

  /** None either while a GPU of a node is missed that was seen before. */
  private static Optional<Reading> at(List<Watched> lines, long moment) {
    if (lines.stream().anyMatch(one -> one.isMissedAt(moment))) {
      return Optional.empty();
    }
    OptionalDouble mean =
        lines.stream()
            .flatMap(one -> one.line().at(moment).stream())
            .mapToDouble(Double::doubleValue)
            .filter(value -> value > 0)
            .average();
    return mean.isEmpty()
        ? Optional.empty()
        : Optional.of(new Reading(mean.getAsDouble(), newest(lines), Duration.ZERO));
  }

  /** As often as a scrape would have found it; moments without a number do not count. */
  private static Optional<Reading> rolling(List<Watched> lines, long until, Duration length) {
    List<Double> means = new ArrayList<>();
    long spanned = 0;
    for (long ago = 0; ago < length.toMillis(); ago += STEP_MILLIS) {
      Optional<Reading> then = at(lines, until - ago);
      if (then.isPresent()) {
        means.add(then.get().value());
        spanned = ago;
      }
    }
    OptionalDouble mean = means.stream().mapToDouble(Double::doubleValue).average();
    return mean.isEmpty()
        ? Optional.empty()
        : Optional.of(new Reading(mean.getAsDouble(), newest(lines), Duration.ofMillis(spanned)));
  }

  private static Instant newest(List<Watched> lines) {
    return Instant.ofEpochMilli(
        lines.stream().mapToLong(one -> one.line().newest()).max().orElse(0));
  }
}
