package dev.fallow.app.output;

import dev.fallow.app.Console;
import dev.fallow.core.autoscale.Hpa;
import dev.fallow.core.autoscale.HpaReckoning;
import dev.fallow.core.autoscale.HpaReckoning.OfMetric;
import dev.fallow.core.autoscale.PodNumber;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What an autoscaler will do, for people and programs. */
public final class HpaText {

  private static final List<String> COLUMNS =
      List.of(
          "hpa",
          "source",
          "metric",
          "targetType",
          "target",
          "value",
          "proposal",
          "desiredReplicas",
          "pod",
          "standing",
          "podValue",
          "why");

  private final HpaReckoning reckoning;

  public HpaText(HpaReckoning reckoning) {
    this.reckoning = reckoning;
  }

  public void print(Console console) {
    Hpa hpa = reckoning.hpa();
    line(
        console,
        0,
        Style.BOLD.on(Style.visible(hpa.namespace() + "/" + hpa.name()), console.coloured())
            + "  scales "
            + Style.visible(hpa.scales().toString())
            + " between "
            + hpa.minReplicas()
            + " and "
            + hpa.maxReplicas());
    for (OfMetric metric : reckoning.metrics()) {
      console.out().println();
      line(console, 1, Style.visible(describe(metric)));
      for (PodNumber pod : metric.pods()) {
        line(console, 2, Style.visible(describe(pod)));
      }
      line(
          console,
          2,
          metric.proposal().isPresent()
              ? "asks for " + metric.proposal().getAsInt()
              : "asks for nothing: " + Style.visible(metric.why()));
    }
    console.out().println();
    line(console, 1, "replicas: " + reckoning.current() + " now" + next(console));
    for (String finding : reckoning.lint()) {
      line(console, 1, Style.YELLOW.on("note", console.coloured()) + ": " + Style.visible(finding));
    }
  }

  private String next(Console console) {
    if (reckoning.replicas().isEmpty()) {
      return reckoning.isPartOnly()
          ? "; these metrics ask for no change, and what CPU and memory ask for is not known here"
          : "; it holds";
    }
    return (reckoning.isPartOnly() ? ", at least " : ", ")
        + Style.BOLD.on("" + reckoning.replicas().getAsInt(), console.coloured())
        + " next, as its behaviour rules allow"
        + (reckoning.isPartOnly() ? "; CPU and memory may ask for more" : "");
  }

  private static void line(Console console, int depth, String text) {
    console.out().println("  ".repeat(depth) + text);
  }

  private static String describe(OfMetric one) {
    Hpa.Metric metric = one.metric();
    String target =
        metric.targetMilli().isPresent()
            ? metric.targetType() + " " + number(metric.targetMilli().getAsLong() / 1000.0)
            : "no target";
    return metric.source().name().toLowerCase(Locale.ROOT)
        + " "
        + metric.name()
        + ": "
        + one.value()
            .map(value ->
                number(value.value())
                    + " at "
                    + value.at()
                    + (value.window().isZero() ? "" : " over " + value.window().toSeconds() + " s"))
            .orElse("no number")
        + (one.families().isEmpty() ? "" : " by " + String.join(" and ", one.families()))
        + ", target "
        + target;
  }

  private static String describe(PodNumber pod) {
    String name = pod.pod().id().name();
    return switch (pod) {
      case PodNumber.Measured one ->
          name
              + "  "
              + number(one.reading().value())
              + (one.devices().size() > 1 ? "  of " + one.devices().size() + " GPUs" : "");
      case PodNumber.Without one -> name + "  left out: " + one.why();
    };
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.3f", value);
  }

  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("hpa", reckoning.hpa().namespace() + "/" + reckoning.hpa().name());
    fields.put("scales", reckoning.hpa().scales().toString());
    fields.put("minReplicas", reckoning.hpa().minReplicas());
    fields.put("maxReplicas", reckoning.hpa().maxReplicas());
    fields.put("currentReplicas", reckoning.current());
    fields.put("holds", reckoning.replicas().isEmpty() && !reckoning.isPartOnly());
    fields.put("cpuOrMemoryToo", reckoning.isPartOnly());
    reckoning.replicas().ifPresent(replicas -> fields.put("desiredReplicas", replicas));
    fields.put("metrics", reckoning.metrics().stream().map(HpaText::fields).toList());
    fields.put("notes", reckoning.lint());
    return fields;
  }

  /** A line a metric, or a line each of its pods. */
  public List<String> csv() {
    List<String> lines = new ArrayList<>(List.of(Fields.csv(COLUMNS)));
    Map<String, Object> hpa = fields();
    for (OfMetric metric : reckoning.metrics()) {
      Map<String, Object> ofMetric = fields(metric);
      List<Map<String, Object>> pods = pods(metric);
      for (Map<String, Object> pod : pods.isEmpty() ? List.of(Map.<String, Object>of()) : pods) {
        lines.add(
            Fields.csv(
                List.of(
                    hpa.getOrDefault("hpa", ""),
                    ofMetric.getOrDefault("source", ""),
                    ofMetric.getOrDefault("metric", ""),
                    ofMetric.getOrDefault("targetType", ""),
                    ofMetric.getOrDefault("target", ""),
                    ofMetric.getOrDefault("value", ""),
                    ofMetric.getOrDefault("proposal", ""),
                    hpa.getOrDefault("desiredReplicas", ""),
                    pod.getOrDefault("pod", ""),
                    pod.getOrDefault("standing", ""),
                    pod.getOrDefault("value", ""),
                    pod.getOrDefault("why", ofMetric.getOrDefault("why", "")))));
      }
    }
    return lines;
  }

  private static Map<String, Object> fields(OfMetric metric) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("source", metric.metric().source().name());
    fields.put("metric", metric.metric().name());
    fields.put("targetType", metric.metric().targetType());
    metric.metric().targetMilli().ifPresent(milli -> fields.put("target", milli / 1000.0));
    metric
        .value()
        .ifPresent(value -> {
          fields.put("value", value.value());
          fields.put("at", value.at().toString());
          fields.put("windowSeconds", value.window().toSeconds());
        });
    if (!metric.families().isEmpty()) {
      fields.put("families", metric.families());
    }
    metric.proposal().ifPresent(proposal -> fields.put("proposal", proposal));
    if (!metric.why().isEmpty()) {
      fields.put("why", metric.why());
    }
    List<Map<String, Object>> pods = pods(metric);
    if (!pods.isEmpty()) {
      fields.put("pods", pods);
    }
    return fields;
  }

  private static List<Map<String, Object>> pods(OfMetric metric) {
    List<Map<String, Object>> pods = new ArrayList<>();
    for (PodNumber pod : metric.pods()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("pod", pod.pod().id().name());
      one.put("standing", pod.standing().name());
      switch (pod) {
        case PodNumber.Measured measured -> {
          one.put("value", measured.reading().value());
          if (!measured.devices().isEmpty()) {
            one.put("gpus", measured.devices().size());
          }
        }
        case PodNumber.Without without -> {
          one.put("leftOut", without.cause().name());
          one.put("why", without.why());
        }
      }
      pods.add(one);
    }
    return pods;
  }
}
