package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.Hpa.Metric;
import dev.fallow.core.autoscale.Hpa.Source;
import dev.fallow.core.autoscale.HpaFormula.Count;
import dev.fallow.core.autoscale.HpaFormula.PodValue;
import dev.fallow.core.autoscale.MetricBook.Answer;
import dev.fallow.core.autoscale.MetricBook.OfObject;
import dev.fallow.core.autoscale.MetricBook.OfSeries;
import dev.fallow.core.autoscale.MetricBook.Resource;
import dev.fallow.core.autoscale.MetricBook.Which;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What an HPA will make of the numbers of a snapshot, metric by metric.
 *
 * @param current the replicas it starts from
 * @param replicas what it will ask for, before its behaviour rules; nothing if it holds. Where CPU
 *     or memory have a say, too, what the other metrics ask for: it takes the highest.
 */
public record HpaReckoning(
    Hpa hpa, int current, List<OfMetric> metrics, OptionalInt replicas, List<String> lint) {

  /**
   * @param value what was found, if it is one number
   * @param pods each pod, for a metric of pods
   * @param families what pods' GPUs were measured by, where that is known
   * @param why why there is no proposal, if there is none
   */
  public record OfMetric(
      Metric metric,
      Optional<Reading> value,
      List<PodNumber> pods,
      List<String> families,
      OptionalInt proposal,
      String why) {

    private OfMetric without(String reason) {
      return new OfMetric(metric, value, pods, families, OptionalInt.empty(), reason);
    }
  }

  private static final String SWITCHED_OFF =
      " has 0 replicas, and what somebody has switched off so an autoscaler with minReplicas above"
          + " 0 leaves alone; scale it to 1, and it goes on";

  /** What has to be read before this can be reckoned. */
  public static Set<Feed> feeds(Hpa hpa) {
    Set<Feed> feeds = new LinkedHashSet<>();
    for (Metric metric : hpa.metrics()) {
      Question.of(metric.name(), metric.selector())
          .forEach(question -> feeds.addAll(question.feeds()));
      Question.ofWorkload(Selector.ANY).ifPresent(one -> feeds.addAll(one.feeds()));
      if (OldAverage.asked(metric.name()).isPresent()) {
        feeds.add(OldAverage.FEED);
      }
    }
    return feeds;
  }

  public static HpaReckoning of(Hpa hpa, ReadBook book) {
    Numbers.Owned target = book.numbers().owned().get(hpa.scales());
    List<GpuPod> pods = target == null ? List.of() : target.pods();
    int ready = 0;
    int live = 0;
    for (GpuPod pod : pods) {
      ready += countsAsReady(pod) ? 1 : 0;
      live += pod.live() ? 1 : 0;
    }
    int current = hpa.current() > 0 ? hpa.current() : live;
    List<OfMetric> metrics = new ArrayList<>();
    for (Metric metric : hpa.metrics()) {
      metrics.add(
          switch (metric.source()) {
            case PODS -> ofPods(hpa, metric, book, pods, current);
            case OBJECT, EXTERNAL -> ofOne(hpa, metric, book, current, ready);
            case RESOURCE -> without(metric, "CPU and memory are not answered here");
          });
    }
    if (isSwitchedOff(hpa, book, current)) {
      metrics.replaceAll(one -> one.without(hpa.scales() + SWITCHED_OFF));
    }
    OptionalInt replicas =
        HpaFormula.together(
            metrics.stream()
                .filter(one -> one.metric().source() != Source.RESOURCE)
                .map(OfMetric::proposal)
                .toList(),
            current,
            hpa.minReplicas(),
            hpa.maxReplicas());
    return new HpaReckoning(hpa, current, List.copyOf(metrics), replicas, HpaLint.of(hpa));
  }

  /** As the autoscaler counts them for a target of type Value: also those that warm up or end. */
  private static boolean countsAsReady(GpuPod pod) {
    return pod.phase() == GpuPod.Phase.RUNNING && pod.readySince().isPresent();
  }

  /** Whether CPU or memory have a say, which are not measured here and may ask for more. */
  public boolean isPartOnly() {
    return metrics.stream()
        .filter(one -> !one.why().endsWith(SWITCHED_OFF))
        .anyMatch(one -> one.metric().source() == Source.RESOURCE);
  }

  /**
   * By what the object says; a status that is not written yet tells of 0 replicas as well. An
   * autoscaler that may scale to zero tells its own zero from somebody else's.
   */
  private static boolean isSwitchedOff(Hpa hpa, ReadBook book, int current) {
    OptionalLong asked =
        book.numbers().readings().cluster().owners().stream()
            .filter(owner -> hpa.aimsAt(owner.id()))
            .map(OwnerObject::replicas)
            .findFirst()
            .orElse(OptionalLong.empty());
    return (hpa.minReplicas() > 0 || hpa.disabled()) && asked.orElse(current) == 0;
  }

  private static OfMetric ofPods(
      Hpa hpa, Metric metric, ReadBook book, List<GpuPod> pods, int current) {
    Optional<Question> question = book.numbers().understood(metric.name(), metric.selector());
    if (question.isEmpty()) {
      return without(metric, "nobody publishes " + metric.name());
    }
    if (metric.targetMilli().isEmpty()) {
      return without(metric, "it has no target of the type AverageValue");
    }
    List<PodNumber> numbers = new ArrayList<>();
    List<PodValue> values = new ArrayList<>();
    for (GpuPod pod : pods) {
      PodNumber number = book.numbers().of(pod, question.get());
      numbers.add(number);
      OptionalLong milli =
          number instanceof PodNumber.Measured one
              ? OptionalLong.of(HpaFormula.milli(one.reading().value()))
              : OptionalLong.empty();
      values.add(new PodValue(pod.id().name(), countOf(pod), milli));
    }
    OptionalInt proposal =
        HpaFormula.ofPods(values, current, metric.targetMilli().getAsLong(), hpa.tolerance());
    List<Reading> measured =
        numbers.stream()
            .flatMap(number ->
                number instanceof PodNumber.Measured one
                    ? Stream.of(one.reading())
                    : Stream.empty())
            .toList();
    return new OfMetric(
        metric,
        measured.isEmpty()
            ? Optional.empty()
            : Optional.of(Reading.together(measured, MetricName.Across.MEAN)),
        numbers,
        families(numbers),
        proposal,
        proposal.isPresent()
            ? ""
            : pods.isEmpty() ? "no GPU pod is below " + hpa.scales() : "no pod has a number");
  }

  private static Count countOf(GpuPod pod) {
    if (pod.terminating() || pod.phase() == GpuPod.Phase.FAILED) {
      return Count.IGNORED;
    }
    return pod.phase() == GpuPod.Phase.PENDING ? Count.PENDING : Count.RUNNING;
  }

  private static OfMetric ofOne(Hpa hpa, Metric metric, ReadBook book, int current, int ready) {
    if (metric.targetMilli().isEmpty()) {
      return without(metric, "it has no target of the type Value or AverageValue");
    }
    Optional<Reading> value = Optional.empty();
    String why = "";
    if (metric.source() == Source.OBJECT) {
      switch (ofObject(metric, book)) {
        case Answer.Found<OfObject> found -> {
          OfObject one = found.values().getFirst();
          value = Optional.of(new Reading(one.value(), one.at(), one.window()));
        }
        case Answer.NotFound<OfObject> none -> why = none.why();
        case Answer.Away<OfObject> away -> why = away.why();
      }
    } else {
      switch (book.external(
          hpa.namespace(), metric.name(), metric.selector(), book.numbers().readings().at())) {
        case Answer.Found<OfSeries> found ->
            value =
                Optional.of(
                    Reading.together(
                        found.values().stream()
                            .map(one -> new Reading(one.value(), one.at(), one.window()))
                            .toList(),
                        MetricName.Across.SUM));
        case Answer.NotFound<OfSeries> none -> why = none.why();
        case Answer.Away<OfSeries> away -> why = away.why();
      }
    }
    if (value.isEmpty()) {
      return without(metric, why);
    }
    long milli = HpaFormula.milli(value.get().value());
    long target = metric.targetMilli().getAsLong();
    int proposal =
        metric.targetType().equals("AverageValue")
            ? HpaFormula.ofAverageValue(milli, target, current, hpa.tolerance())
            : HpaFormula.ofValue(milli, target, current, ready, hpa.tolerance());
    return new OfMetric(
        metric, value, List.of(), families(metric, book), OptionalInt.of(proposal), "");
  }

  private static List<String> families(List<PodNumber> numbers) {
    return numbers.stream()
        .flatMap(number ->
            number instanceof PodNumber.Measured one
                ? one.devices().values().stream().map(PodNumber.Part::from)
                : Stream.empty())
        .distinct()
        .sorted()
        .toList();
  }

  /** Of a workload: an object of another kind, or of none, may be of many. */
  private static List<String> families(Metric metric, ReadBook book) {
    Numbers.Owned owned = book.numbers().owned().get(metric.object());
    boolean recipe = MetricName.ofWorkload(metric.object().name()).equals(metric.name());
    Optional<Question> question =
        recipe
            ? Question.ofWorkload(metric.selector())
            : book.numbers().understood(metric.name(), metric.selector());
    return metric.source() != Source.OBJECT || owned == null || question.isEmpty()
        ? List.of()
        : families(
            owned.pods().stream().map(pod -> book.numbers().of(pod, question.get())).toList());
  }

  private static Answer<OfObject> ofObject(Metric metric, ReadBook book) {
    ObjectId object = metric.object();
    Surroundings.KindName kind =
        book.numbers().readings().around().nameOf(object.group(), object.kind());
    return book.ofObjects(
        new Resource(object.group(), kind.plural()),
        new Which.Named(object.namespace(), object.name()),
        metric.name(),
        metric.selector(),
        book.numbers().readings().at());
  }

  private static OfMetric without(Metric metric, String why) {
    return new OfMetric(metric, Optional.empty(), List.of(), List.of(), OptionalInt.empty(), why);
  }
}
