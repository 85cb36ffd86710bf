package dev.fallow.core.idle;

import java.util.Map;

/**
 * One exporter series: what its labels say, and its samples.
 *
 * @param all every label as the source has it, for whoever chooses series by them; empty where
 *     nobody does
 */
public record UsageSeries(SeriesLabels labels, Samples samples, Map<String, String> all) {

  public UsageSeries(SeriesLabels labels, Samples samples) {
    this(labels, samples, Map.of());
  }
}
