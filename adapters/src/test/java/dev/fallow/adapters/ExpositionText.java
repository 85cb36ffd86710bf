package dev.fallow.adapters;

import dev.fallow.core.exposition.SeriesText;
import java.math.BigDecimal;
import java.util.List;

/** Series as text formats write them. */
public final class ExpositionText {

  private ExpositionText() {}

  public static String number(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return Double.toString(value);
  }

  /** What an exporter shows at a moment. */
  public static String at(long millis, List<PublishedSeries> series) {
    StringBuilder text = new StringBuilder();
    for (PublishedSeries one : series) {
      for (PublishedSeries.Sample sample : one.samples()) {
        if (sample.millis() == millis) {
          text.append(line(one, sample)).append('\n');
        }
      }
    }
    return text.toString();
  }

  /** OpenMetrics with a timestamp at every sample, in the order given. */
  public static String withTimes(List<PublishedSeries> series) {
    StringBuilder text = new StringBuilder();
    for (PublishedSeries one : series) {
      for (PublishedSeries.Sample sample : one.samples()) {
        String seconds = BigDecimal.valueOf(sample.millis(), 3).toPlainString();
        text.append(line(one, sample)).append(' ').append(seconds).append('\n');
      }
    }
    return text.append("# EOF\n").toString();
  }

  private static String line(PublishedSeries series, PublishedSeries.Sample sample) {
    return new SeriesText(series.metric(), series.labels()) + " " + number(sample.value());
  }
}
