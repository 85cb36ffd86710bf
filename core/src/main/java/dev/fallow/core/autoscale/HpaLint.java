package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.Hpa.Metric;
import dev.fallow.core.autoscale.Hpa.Source;
import dev.fallow.core.idle.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What will not work as it was probably meant, whatever is measured. */
public final class HpaLint {

  /** Families of programs that are shares of a whole by their names. */
  private static final List<String> OF_ONE = List.of("_perc", "_ratio");

  private HpaLint() {}

  public static List<String> of(Hpa hpa) {
    List<String> findings = new ArrayList<>();
    if (hpa.minReplicas() == hpa.maxReplicas()) {
      findings.add(
          "minReplicas and maxReplicas are both "
              + hpa.maxReplicas()
              + ", so nothing is ever scaled; raise maxReplicas");
    }
    hpa.metrics().forEach(metric -> check(hpa, metric, findings));
    return findings;
  }

  private static void check(Hpa hpa, Metric metric, List<String> findings) {
    if (metric.source() == Source.RESOURCE) {
      return;
    }
    Optional<Measure> measure = measureOf(metric);
    if (metric.targetMilli().isEmpty() || metric.targetMilli().getAsLong() <= 0) {
      findings.add(metric.name() + " has no target above 0 of the type Value or AverageValue");
      return;
    }
    double target = metric.targetMilli().getAsLong() / 1000.0;
    OptionalDouble full = full(metric);
    boolean shared = metric.source() != Source.PODS && metric.targetType().equals("AverageValue");
    if (full.isPresent() && shared) {
      findings.add(
          metric.name()
              + " is a mean already, and a target of the type AverageValue divides it by the"
              + " number of pods once more; use the type Value");
    }
    if (metric.targetType().equals("Value") && isTotal(metric)) {
      findings.add(
          metric.name()
              + " is a total, and a target of the type Value multiplies the replicas by it, at each"
              + " look anew: unless it falls as soon as there are more of them, which requests that"
              + " wait do not, this runs to maxReplicas; use the type AverageValue, which shares it"
              + " out among the replicas");
    }
    // What is full cannot be further above its target than this.
    double most = full.orElse(Double.MAX_VALUE);
    if (!shared && most / target <= 1 + hpa.tolerance().up()) {
      findings.add(
          metric.name()
              + " ends at "
              + number(most)
              + ", which is not more than the tolerance above the target "
              + number(target)
              + ", so it never scales up; choose a target of at most "
              + number(Math.floor(100 / (1 + hpa.tolerance().up())) / 100 * most));
    }
    if (measure.filter(one -> one == Measure.UTILIZATION).isPresent()) {
      findings.add(
          metric.name()
              + " says whether a kernel ran: on a server of language models one request keeps it"
              + " near 100, and this runs to maxReplicas; requests waiting or"
              + " gpu_engine_active_percent tell more");
    }
    if (measure.filter(one -> one == Measure.MEMORY_USED).isPresent()) {
      findings.add(
          metric.name()
              + " does not fall on servers that take their memory when they start, so this"
              + " scales up and never down");
    }
  }

  /**
   * The value of a GPU, or of a program, that cannot do more; nothing where there is no such end.
   */
  private static OptionalDouble full(Metric metric) {
    if (OldAverage.asked(metric.name()).isPresent() || isOfWorkload(metric)) {
      return OptionalDouble.of(Signal.Scale.PERCENT.full());
    }
    for (Question question : Question.of(metric.name(), Selector.ANY)) {
      if (question.among() == MetricName.Across.SUM) {
        continue;
      }
      OptionalDouble full =
          switch (question.subject()) {
            case Question.Subject.OfMeasure of ->
                of.measure() == Measure.POWER
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(Signal.Scale.PERCENT.full());
            case Question.Subject.OfFamily of -> fullOf(of.family());
          };
      if (full.isPresent()) {
        return full;
      }
    }
    return OptionalDouble.empty();
  }

  /** Whether it is added up over pods: by us, or by the autoscaler from what each of them tells. */
  private static boolean isTotal(Metric metric) {
    List<Question> ways = Question.of(metric.name(), metric.selector());
    boolean told =
        metric.source() == Source.EXTERNAL
            && !ways.isEmpty()
            && ways.stream()
                .allMatch(way -> !way.ofDevices() && way.within() == MetricName.Across.SUM);
    return told || ways.stream().anyMatch(way -> way.among() == MetricName.Across.SUM);
  }

  private static OptionalDouble fullOf(String family) {
    Optional<Signal.Scale> scale = Signal.ofMetric(family).map(Signal::scale);
    if (scale.isPresent()) {
      return scale.get() == Signal.Scale.WATTS
          ? OptionalDouble.empty()
          : OptionalDouble.of(scale.get().full());
    }
    return OF_ONE.stream().anyMatch(family::endsWith)
        ? OptionalDouble.of(Signal.Scale.RATIO.full())
        : OptionalDouble.empty();
  }

  private static boolean isOfWorkload(Metric metric) {
    return MetricName.ofWorkload(metric.object().name()).equals(metric.name());
  }

  private static Optional<Measure> measureOf(Metric metric) {
    for (Question question : Question.of(metric.name(), Selector.ANY)) {
      if (question.subject() instanceof Question.Subject.OfMeasure of) {
        return Optional.of(of.measure());
      }
      if (question.subject() instanceof Question.Subject.OfFamily family
          && family.feed().equals(Feed.of(Signal.GPU_UTIL))) {
        return Optional.of(Measure.UTILIZATION);
      }
    }
    return isOfWorkload(metric) ? Optional.of(Measure.UTILIZATION) : Optional.empty();
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
