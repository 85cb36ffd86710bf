package dev.fallow.adapters;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A series as an exporter shows it and a source is given it. */
public record PublishedSeries(String metric, Map<String, String> labels, List<Sample> samples) {

  /** A value at a time in milliseconds. */
  public record Sample(long millis, double value) {}

  public static PublishedSeries of(String metric, Map<String, String> labels) {
    return new PublishedSeries(metric, labels, List.of());
  }

  public PublishedSeries with(long millis, double value) {
    List<Sample> more = new ArrayList<>(samples);
    more.add(new Sample(millis, value));
    return new PublishedSeries(metric, labels, List.copyOf(more));
  }
}
