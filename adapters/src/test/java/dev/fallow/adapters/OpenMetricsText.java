package dev.fallow.adapters;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Series as promtool takes them in: OpenMetrics with a time at each sample. */
public final class OpenMetricsText {

  private OpenMetricsText() {}

  /** A TSDB has one series per set of labels, and its samples in the order of time. */
  public static String of(List<PublishedSeries> all) {
    Map<String, Map<Long, Double>> bySeries = new TreeMap<>();
    for (PublishedSeries series : all) {
      Map<Long, Double> samples =
          bySeries.computeIfAbsent(selector(series), name -> new TreeMap<>());
      series.samples().forEach(sample -> samples.put(sample.millis(), sample.value()));
    }
    StringBuilder text = new StringBuilder();
    bySeries.forEach((name, samples) ->
        samples.forEach((millis, value) ->
            text.append(name)
                .append(' ')
                .append(value.toString().replace("Infinity", "Inf"))
                .append(' ')
                .append(millis / 1000)
                .append('.')
                .append(String.format("%03d", millis % 1000))
                .append('\n')));
    return text.append("# EOF\n").toString();
  }

  private static String selector(PublishedSeries series) {
    StringBuilder text = new StringBuilder(series.metric()).append('{');
    new TreeMap<>(series.labels())
        .forEach((name, value) ->
            text.append(name)
                .append("=\"")
                .append(value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"))
                .append("\","));
    return text.append('}').toString().replace(",}", "}");
  }
}
