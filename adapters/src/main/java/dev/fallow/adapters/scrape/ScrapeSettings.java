package dev.fallow.adapters.scrape;

import java.time.Duration;

/**
 * How often exporters are looked at and how long they are waited for.
 *
 * @param interval between two looks at the same exporter
 * @param rediscovery after which the list of exporters is read anew
 * @param connectTimeout for the connection
 * @param timeout for the whole answer
 * @param window that is remembered from the start; a read that asks for more widens it
 */
public record ScrapeSettings(
    Duration interval,
    Duration rediscovery,
    Duration connectTimeout,
    Duration timeout,
    Duration window,
    ScrapeLimits limits) {

  public ScrapeSettings {
    if (!interval.isPositive() || !connectTimeout.isPositive() || !timeout.isPositive()) {
      throw new IllegalArgumentException("intervals and time-outs have to be positive");
    }
    if (!window.isPositive() || window.compareTo(limits.longestWindow()) > 0) {
      throw new IllegalArgumentException(
          "a window of " + window + " is not remembered; the longest is " + limits.longestWindow());
    }
  }

  /** As Prometheus usually scrapes these exporters: every 15 s. */
  public static ScrapeSettings remembering(Duration window) {
    return new ScrapeSettings(
        Duration.ofSeconds(15),
        Duration.ofMinutes(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        window,
        ScrapeLimits.DEFAULT);
  }

  /** The time into a round after which no exporter is begun with, so that rounds stay apart. */
  Duration patience() {
    Duration left = interval.minus(timeout);
    Duration half = interval.dividedBy(2);
    return left.compareTo(half) > 0 ? left : half;
  }
}
