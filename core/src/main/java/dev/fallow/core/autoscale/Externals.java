package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.MetricBook.OfSeries;
import dev.fallow.core.autoscale.MetricName.Over;
import dev.fallow.core.autoscale.Question.Subject;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.UsageSeries;
import java.util.ArrayList;
import java.util.HashSet;
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

  List<OfSeries> of(String namespace, String metric, Selector labels) {
    Optional<Over> old = OldAverage.asked(metric);
    if (old.isPresent()) {
      // It is of the whole cluster: there is nothing to choose from.
      if (!labels.requirements().isEmpty()) {
        return List.of();
      }
      return OldAverage.of(numbers, old.get())
          .map(reading -> List.of(series(Map.of(), reading)))
          .orElse(List.of());
    }
    return numbers
        .understood(metric, controls(labels))
        .map(question ->
            question.ofDevices()
                ? workloads(namespace, question, Question.withoutControls(labels))
                : told(namespace, question, Question.withoutControls(labels)))
        .orElse(List.of());
  }

  private List<OfSeries> workloads(String namespace, Question question, Selector wanted) {
    PodTable table = numbers.table(question);
    List<OfSeries> values = new ArrayList<>();
    for (Workload workload : numbers.workloads()) {
      Map<String, String> labels =
          Map.of(
              "namespace", workload.namespace(),
              "kind", workload.root().kind(),
              "workload", workload.root().name());
      if (workload.namespace().equals(namespace) && wanted.matches(labels)) {
        table.together(workload.pods()).ifPresent(one -> values.add(series(labels, one)));
      }
    }
    return values;
  }

  /** By the namespace that was scraped, which the one who was scraped cannot choose. */
  private List<OfSeries> told(String namespace, Question question, Selector wanted) {
    List<OfSeries> values = new ArrayList<>();
    if (!(question.subject() instanceof Subject.OfFamily family)) {
      return values;
    }
    Readings.Seen seen = numbers.readings().feeds().get(family.feed());
    List<UsageSeries> here =
        (seen == null ? List.<UsageSeries>of() : seen.series())
            .stream()
                .filter(one -> one.labels().plain().namespace().equals(namespace))
                .filter(PodTable::speaksForItself)
                .filter(one -> wanted.matches(Meter.ofWorkload(one)))
                .toList();
    Meter meter = new Meter(question, numbers.readings().feeds());
    Set<String> ready = readyIn(namespace);
    for (Map.Entry<Map<String, String>, List<UsageSeries>> seenOnce :
        PodTable.byWhatWasSeen(here).entrySet()) {
      List<UsageSeries> same = seenOnce.getValue();
      Meter.Read read = meter.ofPod(same, family.feed());
      Optional<Reading> reading = read.line().over(question.over(), read.upTo());
      if (reading.isEmpty() && ready.contains(same.getFirst().labels().plain().name())) {
        // An autoscaler adds the answers up: what is missing would count as nothing.
        return List.of();
      }
      if (values.size() < MOST) {
        reading.ifPresent(one -> values.add(series(seenOnce.getKey(), one)));
      }
    }
    return values;
  }

  /** Pods that are there and would tell something if they were asked. */
  private Set<String> readyIn(String namespace) {
    Set<String> ready = new HashSet<>();
    for (GpuPod pod : numbers.podsIn(namespace)) {
      if (numbers.holdings().standing(pod) == Standing.READY) {
        ready.add(pod.id().name());
      }
    }
    return ready;
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
