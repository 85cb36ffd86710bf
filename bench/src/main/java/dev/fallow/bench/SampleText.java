package dev.fallow.bench;

import dev.fallow.core.idle.Signal;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;
import java.util.stream.Collectors;

/** The fleet's samples in the two forms they travel in: to Prometheus, and from it. */
final class SampleText {

  private final BenchFleet fleet;

  SampleText(BenchFleet fleet) {
    this.fleet = fleet;
  }

  /** All of them in OpenMetrics format, for {@code promtool tsdb create-blocks-from}. */
  void openMetrics(Writer out) throws IOException {
    for (Signal signal : BenchFleet.SIGNALS) {
      String family = signal.metrics().getFirst();
      out.write("# TYPE " + family + " gauge\n");
      for (int pod = 0; pod < fleet.pods(); pod++) {
        String series = family + "{" + joined(fleet.labels(pod), "=", "") + "} ";
        for (int sample = fleet.samples(signal) - 1; sample >= 0; sample--) {
          out.write(series);
          out.write(number(fleet.value(pod, signal, sample)));
          out.write(' ');
          out.write(seconds(fleet.millis(pod, sample)));
          out.write('\n');
        }
      }
    }
    out.write("# EOF\n");
  }

  /** One signal's samples as Prometheus answers a query for them. */
  void reply(Signal signal, Appendable out) throws IOException {
    out.append("{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[");
    for (int pod = 0; pod < fleet.pods(); pod++) {
      out.append(pod == 0 ? "" : ",")
          .append("{\"metric\":{\"__name__\":\"")
          .append(signal.metrics().getFirst())
          .append("\",")
          .append(joined(fleet.labels(pod), ":", "\""))
          .append("},\"values\":[");
      for (int sample = fleet.samples(signal) - 1; sample >= 0; sample--) {
        out.append("[")
            .append(seconds(fleet.millis(pod, sample)))
            .append(",\"")
            .append(number(fleet.value(pod, signal, sample)))
            .append(sample == 0 ? "\"]" : "\"],");
      }
      out.append("]}");
    }
    out.append("]}}");
  }

  private static String joined(Map<String, String> labels, String between, String nameQuote) {
    return labels.entrySet().stream()
        .map(label ->
            nameQuote + label.getKey() + nameQuote + between + '"' + label.getValue() + '"')
        .collect(Collectors.joining(","));
  }

  private static String number(double value) {
    return value == (long) value ? Long.toString((long) value) : Double.toString(value);
  }

  private static String seconds(long millis) {
    long rest = millis % 1000;
    return millis / 1000 + (rest < 10 ? ".00" : rest < 100 ? ".0" : ".") + rest;
  }
}
