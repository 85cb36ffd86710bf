package dev.fallow.core.autoscale;

import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.UsageSeries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The series of a pod that go on. One that began anew under its old name, or labels what it tells
 * in another way now, leaves series behind that are still in the window: they neither count nor are
 * missed. One scrape delivers all that a program tells, so what ends while others go on has ended.
 */
final class LastingSeries {

  private LastingSeries() {}

  /**
   * @param ofPod what a pod tells of one feed
   * @param after since when what it tells is its own
   */
  static List<UsageSeries> of(Feed feed, List<UsageSeries> ofPod, long after) {
    Map<String, UsageSeries> newest = new HashMap<>();
    for (UsageSeries one : ofPod) {
      newest.merge(Told.port(one), one, LastingSeries::newer);
    }
    Map<String, Long> ended = new HashMap<>();
    newest.forEach((port, one) -> {
      long stale = last(one) - Line.of(feed, List.of(one), 1).staleAfter();
      ended.put(port, Math.max(stale, first(one)));
    });
    List<UsageSeries> lasting = new ArrayList<>();
    for (UsageSeries one : ofPod) {
      if (last(one) > after && last(one) >= ended.getOrDefault(Told.port(one), Long.MIN_VALUE)) {
        lasting.add(one);
      }
    }
    return lasting;
  }

  /** Of two that are as new the older one: what has just begun ends nothing that goes on. */
  private static UsageSeries newer(UsageSeries one, UsageSeries other) {
    if (last(one) != last(other)) {
      return last(one) > last(other) ? one : other;
    }
    return first(one) <= first(other) ? one : other;
  }

  private static long last(UsageSeries series) {
    Samples samples = series.samples();
    return samples.size() == 0 ? Long.MIN_VALUE : samples.millis(samples.size() - 1);
  }

  private static long first(UsageSeries series) {
    Samples samples = series.samples();
    return samples.size() == 0 ? Long.MIN_VALUE : samples.millis(0);
  }
}
