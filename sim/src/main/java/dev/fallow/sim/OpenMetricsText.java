package dev.fallow.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Series with their times as OpenMetrics text: one block a family, ended by {@code # EOF}. */
final class OpenMetricsText {

  private final Map<String, List<SimSeries>> families = new TreeMap<>();

  void add(SimSeries series) {
    families.computeIfAbsent(series.metric(), metric -> new ArrayList<>()).add(series);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    families.forEach((metric, ofFamily) -> {
      text.append("# TYPE ").append(metric).append(" gauge\n");
      ofFamily.forEach(series -> append(text, series));
    });
    return text.append("# EOF\n").toString();
  }

  private static void append(StringBuilder text, SimSeries series) {
    StringBuilder name = new StringBuilder();
    SeriesText.append(name, series.metric(), series.labels());
    for (int i = 0; i < series.size(); i++) {
      text.append(name);
      SeriesText.append(text, series.value(i));
      long millis = series.millis(i);
      long thousandths = Math.floorMod(millis, 1000L);
      text.append(' ').append(Math.floorDiv(millis, 1000L));
      text.append(thousandths < 10 ? ".00" : thousandths < 100 ? ".0" : ".");
      text.append(thousandths).append('\n');
    }
  }
}
