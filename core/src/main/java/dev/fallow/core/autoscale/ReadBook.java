package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.MetricBook.Answer.Found;
import dev.fallow.core.autoscale.MetricBook.Answer.NotFound;
import dev.fallow.core.autoscale.Numbers.Owned;
import dev.fallow.core.autoscale.Surroundings.KindName;
import dev.fallow.core.autoscale.Surroundings.ServiceFacts;
import dev.fallow.core.fleet.GpuNode;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.idle.Device;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A snapshot's numbers as autoscalers ask for them. It knows nothing that was not read before. */
public final class ReadBook implements MetricBook {

  private static final String GRAMMAR =
      "; it may end in _max, _min, _avg_2m, _max_2m, _min_2m or _p95_2m, over 10s to 5m";

  private final Numbers numbers;
  private final Listing listing;

  /**
   * @param names the families that somebody publishes, read or not
   */
  public ReadBook(Numbers numbers, Set<String> names) {
    this.numbers = numbers;
    this.listing = new Listing(numbers, names);
  }

  public Numbers numbers() {
    return numbers;
  }

  @Override
  public List<Listed> listed() {
    return listing.custom();
  }

  @Override
  public Set<String> externals() {
    return listing.external();
  }

  @Override
  public Answer<OfObject> ofObjects(
      Resource resource, Which which, String metric, Selector ofSamples, Instant now) {
    Optional<KindName> kind = listing.kindOf(resource);
    boolean recipe =
        kind.isPresent()
            && which instanceof Which.Named named
            && MetricName.ofWorkload(named.name()).equals(metric);
    Optional<Question> question =
        recipe ? Question.ofWorkload(ofSamples) : numbers.understood(metric, ofSamples);
    if (question.isEmpty()) {
      return new NotFound<>(unknown(metric));
    }
    PodTable table = numbers.table(question.get());
    if (resource.equals(Resource.PODS)) {
      return pods(table, which, metric);
    }
    if (which instanceof Which.Labelled labelled && !labelled.labels().requirements().isEmpty()) {
      return new NotFound<>(
          "only pods are chosen by their labels here; name one of " + resource.plural());
    }
    List<OfObject> values = new ArrayList<>();
    if (resource.equals(Resource.NODES)) {
      nodes(question.get(), which, values);
    } else if (resource.equals(Resource.NAMESPACES)) {
      namespaces(table, which, values);
    } else if (resource.equals(Resource.SERVICES)) {
      services(table, which, values);
    } else if (kind.isPresent()) {
      workloads(table, kind.get(), which, values);
    }
    return values.isEmpty()
        ? new NotFound<>(why(resource, which, metric, table))
        : new Found<>(values);
  }

  private static String unknown(String metric) {
    boolean ours =
        List.of(Measure.values()).stream().anyMatch(one -> metric.startsWith(one.metric()));
    return "nobody publishes " + metric + (ours ? GRAMMAR : "");
  }

  private Answer<OfObject> pods(PodTable table, Which which, String metric) {
    List<OfObject> values = new ArrayList<>();
    Optional<PodNumber.Without> without = Optional.empty();
    for (GpuPod pod : numbers.podsIn(which.namespace())) {
      if (asked(which, pod)) {
        switch (table.of(pod)) {
          case PodNumber.Measured one -> values.add(value(pod.id(), "v1", one.reading()));
          case PodNumber.Without one -> without = Optional.of(without.orElse(one));
        }
      }
    }
    if (!values.isEmpty()) {
      return new Found<>(values);
    }
    return new NotFound<>(
        without
            .map(one ->
                "no pod that was asked for has "
                    + metric
                    + ": of "
                    + one.pod().id().name()
                    + ", "
                    + one.why())
            .orElse("there is no such GPU pod in the namespace " + which.namespace()));
  }

  private static boolean asked(Which which, GpuPod pod) {
    return switch (which) {
      case Which.Named named -> named.name().equals(pod.id().name());
      case Which.Labelled labelled -> labelled.labels().matches(pod.labels());
    };
  }

  private static boolean asked(Which which, String name) {
    return !(which instanceof Which.Named named) || named.name().equals(name);
  }

  private void workloads(PodTable table, KindName kind, Which which, List<OfObject> into) {
    List<Owned> candidates = new ArrayList<>();
    if (which instanceof Which.Named named) {
      Owned one =
          numbers
              .owned()
              .get(new ObjectId(kind.group(), kind.kind(), named.namespace(), named.name(), ""));
      if (one != null) {
        candidates.add(one);
      }
    } else {
      for (Owned one : numbers.owned().values()) {
        if (one.id().is(kind.group(), kind.kind())
            && one.id().namespace().equals(which.namespace())) {
          candidates.add(one);
        }
      }
    }
    for (Owned one : candidates) {
      table
          .together(one.pods())
          .ifPresent(reading -> into.add(value(one.id(), kind.apiVersion(), reading)));
    }
  }

  private void services(PodTable table, Which which, List<OfObject> into) {
    for (ServiceFacts service : numbers.readings().around().services()) {
      if (service.namespace().equals(which.namespace()) && asked(which, service.name())) {
        List<GpuPod> behind =
            numbers.podsIn(service.namespace()).stream()
                .filter(pod -> service.chooses(pod.labels()))
                .toList();
        ObjectId id = new ObjectId("", "Service", service.namespace(), service.name(), "");
        table.together(behind).ifPresent(reading -> into.add(value(id, "v1", reading)));
      }
    }
  }

  private void namespaces(PodTable table, Which which, List<OfObject> into) {
    for (String namespace : numbers.namespaces()) {
      if (asked(which, namespace)) {
        ObjectId id = new ObjectId("", "Namespace", "", namespace, "");
        table
            .together(numbers.podsIn(namespace))
            .ifPresent(reading -> into.add(value(id, "v1", reading)));
      }
    }
  }

  /** All of a node's devices, held or not: a node has no pods that are ready or not. */
  private void nodes(Question question, Which which, List<OfObject> into) {
    if (!question.ofDevices()) {
      return;
    }
    for (GpuNode node : numbers.readings().cluster().nodes()) {
      if (!asked(which, node.name())) {
        continue;
      }
      List<Reading> readings = new ArrayList<>();
      int devices = 0;
      for (Device device : numbers.devices()) {
        if (device.id().node().equals(node.name())) {
          devices++;
          numbers.ofDevice(device, question).ifPresent(readings::add);
        }
      }
      boolean speaks =
          question.among() == MetricName.Across.SUM
              ? readings.size() == devices && numbers.isWhole(question)
              : PodTable.enough(readings.size(), devices);
      if (!readings.isEmpty() && speaks) {
        ObjectId id = new ObjectId("", "Node", "", node.name(), "");
        into.add(value(id, "v1", Reading.together(readings, question.among())));
      }
    }
  }

  private static OfObject value(ObjectId id, String apiVersion, Reading reading) {
    return new OfObject(id, apiVersion, reading.value(), reading.at(), reading.window());
  }

  private String why(Resource resource, Which which, String metric, PodTable table) {
    String name = which instanceof Which.Named named ? named.name() : "*";
    List<GpuPod> pods =
        listing
            .kindOf(resource)
            .map(kind ->
                numbers
                    .owned()
                    .get(new ObjectId(kind.group(), kind.kind(), which.namespace(), name, "")))
            .map(Owned::pods)
            .orElse(List.of());
    long ready = pods.stream().filter(pod -> table.of(pod).standing() == Standing.READY).count();
    long measured =
        pods.stream()
            .filter(pod ->
                table.of(pod) instanceof PodNumber.Measured one && one.standing() == Standing.READY)
            .count();
    String what = resource.plural() + "/" + name;
    if (pods.isEmpty()) {
      return "there is no " + what + " with GPU pods that have " + metric;
    }
    if (ready > 0 && measured == ready) {
      return "a pod of "
          + what
          + " that was ready and is not now has no "
          + metric
          + ", and without it the sum would be too low";
    }
    return ready == 0
        ? "none of the GPU pods of " + what + " is ready"
        : "only " + measured + " of " + ready + " ready pods of " + what + " have " + metric;
  }

  @Override
  public Answer<OfSeries> external(String namespace, String metric, Selector labels, Instant now) {
    return new Externals(numbers).of(namespace, metric, labels);
  }
}
