package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.MetricName.Across;
import dev.fallow.core.autoscale.MetricName.Over;
import dev.fallow.core.autoscale.Selector.Operator;
import dev.fallow.core.autoscale.Selector.Requirement;
import dev.fallow.core.idle.Signal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What is to be known of each pod, whoever asks: two that ask the same share the answer.
 *
 * @param labels which series count
 * @param split whether a card's value is divided by the pods that share it
 */
public record Question(Subject subject, Across across, Over over, Selector labels, boolean split) {

  /** What is measured. */
  public sealed interface Subject {

    record OfMeasure(Measure measure) implements Subject {}

    /** A family under its own name, as it is. */
    record OfFamily(String family, Feed feed) implements Subject {}
  }

  /** What exporters measure per process. */
  static final Set<Feed> PER_PROCESS = Set.of(Feed.of(Signal.GPU_UTIL), Feed.FB_USED);

  private static final List<String> SHARES =
      List.of("perc", "ratio", "util", "usage", "seconds", "temp");

  /** The ways a name can be understood, the likelier first; none if it cannot be a metric's. */
  public static List<Question> of(String metric, Selector ofSamples) {
    List<Question> ways = new ArrayList<>();
    Optional<MetricName> ended = MetricName.ended(metric);
    if (ended.filter(name -> isKnown(name.base())).isEmpty()) {
      add(ways, MetricName.plain(metric), ofSamples);
    }
    ended.ifPresent(name -> add(ways, name, ofSamples));
    return ways;
  }

  /** With an ending it is ours as well, and nobody else's who publishes a family of that name. */
  private static boolean isKnown(String base) {
    return Measure.of(base).isPresent() || Feed.isKnown(base);
  }

  /** Whether a name can only be meant for us: of a measure, a GPU's family, or a workload's own. */
  public static boolean isOurs(String metric) {
    return metric.endsWith(MetricName.OF_WORKLOAD)
        || metric.startsWith(OldAverage.METRIC)
        || of(metric, Selector.ANY).stream()
            .anyMatch(way ->
                switch (way.subject()) {
                  case Subject.OfMeasure measure -> true;
                  case Subject.OfFamily family -> Feed.listed(family.family());
                });
  }

  /** What a workload's own name asks for. */
  public static Optional<Question> ofWorkload(Selector ofSamples) {
    return from(
        new Subject.OfMeasure(Measure.UTILIZATION),
        MetricName.plain(Measure.UTILIZATION.metric()),
        ofSamples);
  }

  public static Question of(Measure measure, Over over) {
    return new Question(new Subject.OfMeasure(measure), Across.USUAL, over, Selector.ANY, false);
  }

  private static void add(List<Question> ways, MetricName name, Selector ofSamples) {
    Optional<Measure> measure = Measure.of(name.base());
    if (measure.isPresent()) {
      from(new Subject.OfMeasure(measure.get()), name, ofSamples).ifPresent(ways::add);
    } else {
      Feed.of(name.base())
          .flatMap(feed -> from(new Subject.OfFamily(name.base(), feed), name, ofSamples))
          .ifPresent(ways::add);
    }
  }

  /**
   * Some keys of the selector choose how to count and not what: agg, window, sharing. Nothing, if
   * one of them cannot be understood: another number than was asked for is worse than none.
   */
  private static Optional<Question> from(Subject subject, MetricName name, Selector ofSamples) {
    for (Requirement one : ofSamples.requirements()) {
      boolean plain = one.operator() == Operator.IN && one.values().size() == 1;
      if (CONTROLS.contains(one.key()) && !plain) {
        return Optional.empty();
      }
    }
    String agg = value(ofSamples, "agg").orElse("");
    Optional<String> window = value(ofSamples, "window");
    Optional<Over> over =
        window.isPresent()
            ? MetricName.span(agg.isEmpty() || agg.equals("sum") ? "avg" : agg, window.get())
            : Optional.of(name.over());
    Optional<Across> across = across(agg, window.isPresent(), name);
    Optional<String> sharing = value(ofSamples, "sharing");
    if (over.isEmpty() || across.isEmpty() || !sharing.orElse("split").equals("split")) {
      return Optional.empty();
    }
    return Optional.of(
        new Question(
            subject, across.get(), over.get(), withoutControls(ofSamples), sharing.isPresent()));
  }

  private static Optional<Across> across(String agg, boolean overTime, MetricName name) {
    return switch (agg) {
      case "" -> Optional.of(name.across());
      case "avg", "mean" -> Optional.of(Across.MEAN);
      case "max", "min", "sum" -> Optional.of(Across.valueOf(agg.toUpperCase(Locale.ROOT)));
      // A percentile is taken over time, and of nothing else.
      default -> overTime ? Optional.of(name.across()) : Optional.empty();
    };
  }

  private static Optional<String> value(Selector selector, String key) {
    return selector.requirements().stream()
        .filter(one -> one.key().equals(key))
        .filter(one -> one.operator() == Operator.IN && one.values().size() == 1)
        .map(one -> one.values().iterator().next())
        .findFirst();
  }

  static Selector withoutControls(Selector selector) {
    List<Requirement> rest =
        selector.requirements().stream().filter(one -> !CONTROLS.contains(one.key())).toList();
    return rest.size() == selector.requirements().size() ? selector : new Selector(rest);
  }

  private static final Set<String> CONTROLS = Set.of("agg", "window", "sharing");

  public Set<Feed> feeds() {
    Set<Feed> feeds = new LinkedHashSet<>();
    switch (subject) {
      case Subject.OfMeasure of -> feeds.addAll(of.measure().feeds());
      case Subject.OfFamily of -> feeds.add(of.feed());
    }
    if (subject instanceof Subject.OfMeasure || isPerProcess()) {
      // Whether an exporter tells the pods on a shared card apart shows in this one.
      feeds.add(Feed.of(Signal.GPU_UTIL));
    }
    return feeds;
  }

  /** Whether this is what exporters measure per process. */
  boolean isPerProcess() {
    return switch (subject) {
      case Subject.OfMeasure of ->
          of.measure() == Measure.UTILIZATION || of.measure() == Measure.MEMORY_USED;
      case Subject.OfFamily of -> PER_PROCESS.contains(of.feed());
    };
  }

  /** Whether devices have it; else pods tell of themselves. */
  boolean ofDevices() {
    return switch (subject) {
      case Subject.OfMeasure of -> true;
      case Subject.OfFamily of -> of.feed().ofDevices();
    };
  }

  /** How a pod's several series become one: what counts things is added up, shares are not. */
  Across within() {
    if (across != Across.USUAL || ofDevices()) {
      return across == Across.USUAL ? Across.MEAN : across;
    }
    String family = subject instanceof Subject.OfFamily of ? of.family() : "";
    return SHARES.stream().anyMatch(family::contains) ? Across.MEAN : Across.SUM;
  }

  /** How pods become one: a workload's number is what one of its pods has on average. */
  Across among() {
    return across == Across.USUAL ? Across.MEAN : across;
  }
}
