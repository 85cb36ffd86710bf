package dev.fallow.core.autoscale;

import java.time.Duration;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * What a workload's ready pods had of a metric at moments of the past. Moments at which none was
 * measured are left out.
 *
 * @param queue whether it counts requests that wait; else it is a share of 100
 * @param looks how many moments were looked at
 * @param moments of each, every pod's number
 */
public record UseHistory(
    String metric, boolean queue, Duration span, int looks, List<List<Double>> moments) {

  /** Fewer say nothing. */
  static final int LEAST = 6;

  private static final int MOST_REPLICAS = 10_000;

  public UseHistory {
    moments = moments.stream().filter(pods -> !pods.isEmpty()).map(List::copyOf).toList();
  }

  boolean enough() {
    return moments.size() >= LEAST;
  }

  /** What a share of all numbers does not exceed. */
  double quantile(double share) {
    return quantile(moments.stream().flatMap(List::stream).mapToDouble(Double::doubleValue), share);
  }

  double most() {
    return quantile(1);
  }

  /** Replicas that would have had the target, at all but the busiest moments. */
  int needed(double target, double share) {
    DoubleStream sums =
        moments.stream().mapToDouble(pods -> pods.stream().mapToDouble(one -> one).sum());
    return (int) Math.clamp(Math.ceil(quantile(sums, share) / target), 0, MOST_REPLICAS);
  }

  private static double quantile(DoubleStream values, double share) {
    double[] sorted = values.sorted().toArray();
    return sorted.length == 0
        ? 0
        : sorted[(int) Math.clamp(Math.ceil(share * sorted.length) - 1, 0, sorted.length - 1)];
  }
}
