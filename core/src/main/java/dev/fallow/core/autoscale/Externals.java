package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.MetricBook.Answer;
import dev.fallow.core.autoscale.MetricBook.Answer.Found;
import dev.fallow.core.autoscale.MetricBook.Answer.NotFound;
import dev.fallow.core.autoscale.MetricBook.OfSeries;
import dev.fallow.core.autoscale.MetricName.Over;
import dev.fallow.core.autoscale.Question.Subject;
import dev.fallow.core.fleet.ExporterPod;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.UsageSeries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Numbers that belong to no object: each workload's of a namespace, with its name in the labels;
 * what programs of the namespace tell, as they label it; and the cluster's old average.
 */
final class Externals {

  private static final int MOST = 5000;

  private final Numbers numbers;

  Externals(Numbers numbers) {
    this.numbers = numbers;
  }

  Answer<OfSeries> of(String namespace, String metric, Selector labels) {
    Optional<Over> old = OldAverage.asked(metric);
    if (old.isPresent()) {
      // It is of the whole cluster: there is nothing to choose from.
      return found(
          labels.requirements().isEmpty()
              ? OldAverage.of(numbers, old.get()).map(one -> series(Map.of(), one)).stream()
                  .toList()
              : List.of(),
          namespace,
          metric);
    }
    Optional<Question> question = numbers.understood(metric, controls(labels));
    if (question.isEmpty()) {
      return found(List.of(), namespace, metric);
    }
    Selector wanted = Question.withoutControls(labels);
    return question.get().ofDevices()
        ? workloads(namespace, metric, question.get(), wanted)
        : told(namespace, metric, question.get(), wanted);
  }

  private static Answer<OfSeries> found(List<OfSeries> values, String namespace, String metric) {
    return values.isEmpty()
        ? new NotFound<>(
            "there is no " + metric + " with these labels in the namespace " + namespace)
        : new Found<>(values);
  }

  /** An autoscaler adds the answers up, and what is missing would count as nothing. */
  private static Answer<OfSeries> incomplete(String metric, String who) {
    return new NotFound<>(
        metric
            + " of "
            + who
            + " is not known now, and without it the sum would be too low; a selector can leave it"
            + " out");
  }

  private Answer<OfSeries> workloads(
      String namespace, String metric, Question question, Selector wanted) {
    PodTable table = numbers.table(question);
    List<OfSeries> values = new ArrayList<>();
    for (Workload workload : numbers.workloads()) {
      Map<String, String> labels =
          Map.of(
              "namespace", workload.namespace(),
              "kind", workload.root().kind(),
              "workload", workload.root().name());
      if (workload.namespace().equals(namespace) && wanted.matches(labels)) {
        Optional<Reading> reading = table.together(workload.pods());
        boolean works = workload.pods().stream().anyMatch(pod -> isThere(table.of(pod).standing()));
        if (reading.isEmpty() && works) {
          return incomplete(metric, workload.root().toString());
        }
        reading.ifPresent(one -> values.add(series(labels, one)));
      }
    }
    return found(values, namespace, metric);
  }

  /** By the namespace that was scraped, which the one who was scraped cannot choose. */
  private Answer<OfSeries> told(
      String namespace, String metric, Question question, Selector wanted) {
    if (!(question.subject() instanceof Subject.OfFamily family)) {
      return found(List.of(), namespace, metric);
    }
    Readings.Seen seen = numbers.readings().feeds().get(family.feed());
    List<UsageSeries> told = seen == null ? List.of() : seen.series();
    Set<String> there = thereIn(namespace);
    Map<String, Long> begun = begunIn(namespace);
    List<UsageSeries> here = new ArrayList<>();
    for (Map.Entry<String, List<UsageSeries>> one : byPod(namespace, told).entrySet()) {
      String pod = one.getKey();
      List<UsageSeries> lasting =
          LastingSeries.of(family.feed(), one.getValue(), begun.getOrDefault(pod, Long.MIN_VALUE));
      if (lasting.isEmpty()
          && there.contains(pod)
          && one.getValue().stream().anyMatch(series -> fits(wanted, series))) {
        return incomplete(metric, "the pod " + pod);
      }
      lasting.stream().filter(series -> fits(wanted, series)).forEach(here::add);
    }
    Meter meter = numbers.meter(question);
    List<Told> all = Told.of(here);
    if (all.size() > MOST) {
      return new NotFound<>(
          metric
              + " has more than "
              + MOST
              + " series in the namespace "
              + namespace
              + "; choose among them with a selector");
    }
    List<OfSeries> values = new ArrayList<>();
    for (Told thing : all) {
      Meter.Read read = meter.ofPod(thing.series(), family.feed());
      Optional<Reading> reading = read.line().over(question.over(), read.upTo());
      String pod = thing.series().getFirst().labels().plain().name();
      if (reading.isEmpty() && there.contains(pod)) {
        return incomplete(metric, "the pod " + pod);
      }
      reading.ifPresent(one -> values.add(series(thing.labels(), one)));
    }
    Optional<Answer<OfSeries>> unheard =
        told.stream()
            .filter(one -> one.labels().plain().namespace().equals(namespace))
            .filter(one -> !numbers.holdings().scrapers().believes(one) && fits(wanted, one))
            .findFirst()
            .map(one -> unheard(metric, one));
    return values.isEmpty() && unheard.isPresent()
        ? unheard.get()
        : found(values, namespace, metric);
  }

  private static Answer<OfSeries> unheard(String metric, UsageSeries series) {
    return new NotFound<>(
        metric
            + " of the pod "
            + series.labels().plain().name()
            + " is not believed: "
            + ScrapeTrust.why(series.labels().job()));
  }

  private Map<String, List<UsageSeries>> byPod(String namespace, List<UsageSeries> told) {
    Map<String, List<UsageSeries>> byPod = new LinkedHashMap<>();
    for (UsageSeries one : told) {
      if (one.labels().plain().namespace().equals(namespace)
          && numbers.holdings().scrapers().believes(one)) {
        byPod.computeIfAbsent(one.labels().plain().name(), pod -> new ArrayList<>(2)).add(one);
      }
    }
    return byPod;
  }

  private static boolean fits(Selector wanted, UsageSeries series) {
    return wanted.matches(Meter.ofWorkload(series));
  }

  /** Since when what its pods tell is their own, where that is known. */
  private Map<String, Long> begunIn(String namespace) {
    Map<String, Long> begun = new HashMap<>();
    for (GpuPod pod : numbers.podsIn(namespace)) {
      if (pod.live()) {
        begun.merge(pod.id().name(), PodTable.ownAfter(pod), Math::max);
      }
    }
    return begun;
  }

  /** Pods that would tell something if they were asked, with GPUs or without. */
  private Set<String> thereIn(String namespace) {
    Set<String> there = new HashSet<>();
    for (GpuPod pod : numbers.podsIn(namespace)) {
      if (isThere(numbers.holdings().standing(pod))) {
        there.add(pod.id().name());
      }
    }
    for (ExporterPod pod : numbers.readings().cluster().exporters()) {
      if (pod.live() && pod.namespace().equals(namespace)) {
        there.add(pod.name());
      }
    }
    return there;
  }

  private static boolean isThere(Standing standing) {
    return standing == Standing.READY || standing == Standing.UNREADY;
  }

  /** Only what chooses how to count: the other labels choose among the answers. */
  private static Selector controls(Selector labels) {
    List<Selector.Requirement> rest = Question.withoutControls(labels).requirements();
    return new Selector(labels.requirements().stream().filter(one -> !rest.contains(one)).toList());
  }

  private static OfSeries series(Map<String, String> labels, Reading reading) {
    return new OfSeries(labels, reading.value(), reading.at(), reading.window());
  }
}
