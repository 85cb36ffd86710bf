package dev.fallow.core.autoscale;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A metric's name with what its endings ask for: {@code gpu_utilization}, {@code
 * gpu_utilization_max}, {@code gpu_utilization_avg_2m}, {@code gpu_utilization_p95_5m}.
 *
 * @param base the measure or family
 * @param across how the values of several devices, or pods, become one
 * @param over how the values of one device become one
 */
public record MetricName(String base, Across across, Over over) {

  /** How several become one. */
  public enum Across {
    /** The mean of shares, the sum of counts: see {@link Question}. */
    USUAL,
    MEAN,
    MAX,
    MIN,
    SUM
  }

  /** How what was measured over time becomes one number. */
  public sealed interface Over {

    /** The newest sample. */
    record Latest() implements Over {}

    /**
     * @param quantile between 0 and 1, for the kind that takes one
     */
    record Span(Kind kind, double quantile, Duration length) implements Over {}

    Over LATEST = new Latest();
  }

  /** What is taken of a stretch of time. */
  public enum Kind {
    MEAN,
    MAX,
    MIN,
    QUANTILE
  }

  static final String OF_WORKLOAD = "_gpu_avg";

  public static final Duration SHORTEST = Duration.ofSeconds(10);
  public static final Duration LONGEST = Duration.ofMinutes(5);

  private static final Pattern OVER_TIME =
      Pattern.compile("(.+)_(avg|max|min|p[1-9][0-9]?)_([0-9]{1,4})([smh])");
  private static final Pattern ACROSS = Pattern.compile("(.+)_(avg|max|min|sum)");

  /** The name without endings: as it is. */
  public static MetricName plain(String name) {
    return new MetricName(name, Across.USUAL, Over.LATEST);
  }

  /** The name with its endings understood; nothing if it has none that are. */
  public static Optional<MetricName> ended(String name) {
    Matcher overTime = OVER_TIME.matcher(name);
    if (overTime.matches()) {
      return span(overTime.group(2), overTime.group(3) + overTime.group(4))
          .map(over -> new MetricName(overTime.group(1), acrossOf(overTime.group(2)), over));
    }
    Matcher across = ACROSS.matcher(name);
    return across.matches()
        ? Optional.of(new MetricName(across.group(1), acrossOf(across.group(2)), Over.LATEST))
        : Optional.empty();
  }

  /** A statistic over a length of time, such as {@code p95} and {@code 5m}. */
  static Optional<Over> span(String kind, String length) {
    Optional<Duration> asked = length(length);
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    return switch (kind) {
      case "avg" -> Optional.of(new Over.Span(Kind.MEAN, 0, asked.get()));
      case "max" -> Optional.of(new Over.Span(Kind.MAX, 0, asked.get()));
      case "min" -> Optional.of(new Over.Span(Kind.MIN, 0, asked.get()));
      default ->
          kind.matches("p[1-9][0-9]?")
              ? Optional.of(
                  new Over.Span(
                      Kind.QUANTILE, Integer.parseInt(kind.substring(1)) / 100.0, asked.get()))
              : Optional.empty();
    };
  }

  static Optional<Duration> length(String text) {
    if (!text.matches("[0-9]{1,4}[smh]")) {
      return Optional.empty();
    }
    long count = Long.parseLong(text.substring(0, text.length() - 1));
    Duration length =
        switch (text.charAt(text.length() - 1)) {
          case 's' -> Duration.ofSeconds(count);
          case 'm' -> Duration.ofMinutes(count);
          default -> Duration.ofHours(count);
        };
    return length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0
        ? Optional.empty()
        : Optional.of(length);
  }

  private static Across acrossOf(String word) {
    return switch (word) {
      case "max", "min", "sum" -> Across.valueOf(word.toUpperCase(Locale.ROOT));
      default -> Across.MEAN;
    };
  }

  /** The name that the public recipe gives to a Deployment's mean: {@code cuda_test_gpu_avg}. */
  public static String ofWorkload(String workload) {
    return workload.replace('-', '_').replace('.', '_') + OF_WORKLOAD;
  }
}
