package dev.fallow.sim;

import dev.fallow.core.idle.Signal;
import java.util.Map;

/** One series as Prometheus would hold it: times in epoch milliseconds, ascending. */
final class SimSeries {

  private final String metric;
  private final Signal signal;
  private final Map<String, String> labels;
  private final long[] millis;
  private final double[] values;

  SimSeries(
      String metric, Signal signal, Map<String, String> labels, long[] millis, double[] values) {
    this.metric = metric;
    this.signal = signal;
    this.labels = labels;
    this.millis = millis;
    this.values = values;
  }

  String metric() {
    return metric;
  }

  Signal signal() {
    return signal;
  }

  Map<String, String> labels() {
    return labels;
  }

  int size() {
    return millis.length;
  }

  long millis(int index) {
    return millis[index];
  }

  double value(int index) {
    return values[index];
  }
}
