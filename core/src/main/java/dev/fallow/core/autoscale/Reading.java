package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.MetricName.Across;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/**
 * A number that was measured.
 *
 * @param at when the newest sample in it was taken
 * @param window the time its samples span; zero for a single sample
 */
public record Reading(double value, Instant at, Duration window) {

  /**
   * Several as one.
   *
   * @param all not empty
   */
  static Reading together(Collection<Reading> all, Across across) {
    double value =
        switch (across) {
          case USUAL, MEAN -> all.stream().mapToDouble(Reading::value).average().orElseThrow();
          case MAX -> all.stream().mapToDouble(Reading::value).max().orElseThrow();
          case MIN -> all.stream().mapToDouble(Reading::value).min().orElseThrow();
          case SUM -> all.stream().mapToDouble(Reading::value).sum();
        };
    return new Reading(
        value,
        all.stream().map(Reading::at).max(Instant::compareTo).orElseThrow(),
        all.stream().map(Reading::window).max(Duration::compareTo).orElseThrow());
  }

  Reading with(double other) {
    return new Reading(other, at, window);
  }
}
