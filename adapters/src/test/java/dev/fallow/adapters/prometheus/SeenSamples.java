package dev.fallow.adapters.prometheus;

import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSeries;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The samples of an answer in a form that can be compared. */
final class SeenSamples {

  private SeenSamples() {}

  static Map<SeriesLabels, List<String>> of(Usage usage) {
    Map<SeriesLabels, List<String>> seen = new HashMap<>();
    for (UsageSeries series : usage.series()) {
      TreeMap<Long, Float> samples = new TreeMap<>();
      for (int i = 0; i < series.samples().size(); i++) {
        samples.put(series.samples().millis(i), series.samples().value(i));
      }
      seen.put(
          series.labels(),
          samples.entrySet().stream().map(one -> one.getKey() + "=" + one.getValue()).toList());
    }
    return seen;
  }
}
