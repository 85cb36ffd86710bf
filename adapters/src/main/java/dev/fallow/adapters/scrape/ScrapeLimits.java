package dev.fallow.adapters.scrape;

import java.time.Duration;

/**
 * How much is taken in and kept. An exporter that goes beyond its share counts as failed: it may
 * cost its own devices their verdict but never the process.
 *
 * @param concurrency exporters that are looked at at the same time
 * @param bodyBytes the largest answer
 * @param seriesPerTarget the most that one answer may hold
 * @param series the most that are kept in all
 * @param longestWindow up to which a read can widen what is remembered
 */
public record ScrapeLimits(
    int concurrency, int bodyBytes, int seriesPerTarget, int series, Duration longestWindow) {

  public static final ScrapeLimits DEFAULT =
      new ScrapeLimits(64, 16 << 20, 20_000, 400_000, Duration.ofHours(24));

  public ScrapeLimits {
    if (concurrency <= 0 || bodyBytes <= 0 || seriesPerTarget <= 0 || series <= 0) {
      throw new IllegalArgumentException("limits have to be positive");
    }
    if (longestWindow.compareTo(Duration.ofDays(7)) > 0) {
      throw new IllegalArgumentException("more than seven days are not remembered");
    }
  }
}
