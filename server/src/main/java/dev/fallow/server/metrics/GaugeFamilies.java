package dev.fallow.server.metrics;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.Map;

/** Gauges gathered value by value. A series that is there already stays as it is. */
final class GaugeFamilies {

  private record Family(String help, Map<Labels, Double> values) {}

  private final Map<String, Family> families = new LinkedHashMap<>();

  void add(String family, String help, Labels labels, double value) {
    families
        .computeIfAbsent(family, name -> new Family(help, new LinkedHashMap<>()))
        .values()
        .putIfAbsent(labels, value);
  }

  void into(MetricSnapshots.Builder all) {
    families.forEach((name, family) -> {
      GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(family.help());
      family
          .values()
          .forEach((labels, value) ->
              gauge.dataPoint(
                  GaugeDataPointSnapshot.builder().labels(labels).value(value).build()));
      all.metricSnapshot(gauge.build());
    });
  }
}
