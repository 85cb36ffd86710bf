package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.Question.Subject;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.Device;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.UsageSeries;
import dev.fallow.core.ownership.OwnerResolver;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Every number that a snapshot holds. Each question is worked out once, for all pods together, and
 * then looked up: how many ask does not matter. Safe to ask from any thread.
 */
public final class Numbers {

  private static final int MOST_TABLES = 256;

  /** Selectors come from whoever may ask, each with a table of its own. */
  private static final int MOST_LABELLED = 32;

  /** Snapshots for which a question that nobody repeats is still worked out beforehand. */
  private static final int MOST_IDLE = 6;

  /** An object above pods, and the pods. */
  record Owned(ObjectId id, List<GpuPod> pods) {}

  private final Holdings holdings;
  private final List<Device> devices;
  private final List<Workload> workloads;
  private final Map<String, List<GpuPod>> byNamespace = new HashMap<>();
  private final Map<ObjectId, Owned> owned = new LinkedHashMap<>();
  private final Map<Question, Integer> ages = new HashMap<>();
  private final KnownFeeds known;
  private final Map<Question, PodTable> tables = kept(MOST_TABLES);
  private final Map<Question, PodTable> labelled = kept(MOST_LABELLED);

  private Map<Question, PodTable> kept(int most) {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<Question, PodTable> eldest) {
        boolean full = size() > most;
        if (full) {
          ages.remove(eldest.getKey());
        }
        return full;
      }
    };
  }

  /**
   * @param exporterNamespaces where exporters live, if the operator has said so
   */
  public Numbers(Readings readings, Optional<Predicate<String>> exporterNamespaces) {
    this.holdings = new Holdings(readings, exporterNamespaces);
    this.devices = holdings.devices();
    this.known = new KnownFeeds(devices);
    this.workloads = OwnerResolver.workloadsOf(readings.cluster());
    for (GpuPod pod : readings.cluster().pods()) {
      byNamespace.computeIfAbsent(pod.id().namespace(), name -> new ArrayList<>()).add(pod);
      for (OwnerObject owner : holdings.owners(pod)) {
        owned
            .computeIfAbsent(place(owner.id()), key -> new Owned(owner.id(), new ArrayList<>()))
            .pods()
            .add(pod);
      }
    }
  }

  public Readings readings() {
    return holdings.readings();
  }

  Holdings holdings() {
    return holdings;
  }

  /** Every device that an exporter speaks of. */
  List<Device> devices() {
    return devices;
  }

  List<Workload> workloads() {
    return workloads;
  }

  List<GpuPod> podsIn(String namespace) {
    return byNamespace.getOrDefault(namespace, List.of());
  }

  Set<String> namespaces() {
    return byNamespace.keySet();
  }

  /** Every object that stands above a GPU pod, by where it lives. */
  Map<ObjectId, Owned> owned() {
    return owned;
  }

  static ObjectId place(ObjectId id) {
    return new ObjectId(id.group(), id.kind(), id.namespace(), id.name(), "");
  }

  /** What is known of each pod. */
  public PodNumber of(GpuPod pod, Question question) {
    return table(question).of(pod);
  }

  synchronized PodTable table(Question question) {
    boolean plain = question.labels().requirements().isEmpty();
    if (plain) {
      ages.put(question, 0);
    }
    return built(question, plain ? tables : labelled);
  }

  private PodTable built(Question question, Map<Question, PodTable> kept) {
    PodTable table = kept.get(question);
    if (table == null) {
      table = new PodTable(question, holdings, meter(question));
      kept.put(question, table);
    }
    return table;
  }

  Meter meter(Question question) {
    return new Meter(question, readings().feeds(), known);
  }

  /**
   * Works out beforehand what was asked of the snapshots before this one, so that nobody who asks
   * again waits for it; and remembers by what devices were measured then.
   */
  public synchronized Numbers after(Numbers before) {
    known.remember(before.known, readings().at());
    before
        .ages()
        .forEach((question, age) -> {
          if (age < MOST_IDLE && has(question)) {
            ages.put(question, age + 1);
            built(question, tables);
          }
        });
    return this;
  }

  /** How many questions are worked out and kept. */
  synchronized int worked() {
    return tables.size() + labelled.size();
  }

  private synchronized Map<Question, Integer> ages() {
    return Map.copyOf(ages);
  }

  /** A device by itself, whoever holds it. */
  Optional<Reading> ofDevice(Device device, Question question) {
    return meter(question).read(device).over(question.over());
  }

  /** Whether all was read that the question asks for. */
  boolean isWhole(Question question) {
    Meter meter = meter(question);
    return question.feeds().stream().allMatch(meter::isWhole);
  }

  /** Whether anything was read that the question asks for. */
  boolean has(Question question) {
    return switch (question.subject()) {
      case Subject.OfMeasure of -> true;
      case Subject.OfFamily of -> {
        Readings.Seen seen = readings().feeds().get(of.feed());
        yield seen != null
            && seen.series().stream()
                .anyMatch(one -> one.labels().family().name().equals(of.family()));
      }
    };
  }

  /** The first way to understand a name that there is anything for. */
  Optional<Question> understood(String metric, Selector ofSamples) {
    return Question.of(metric, ofSamples).stream().filter(this::has).findFirst();
  }

  /** How many samples later than a moment could not be true, and why. */
  public Map<Drop, Integer> drops(long after) {
    Map<Drop, Integer> drops = new EnumMap<>(Drop.class);
    readings()
        .feeds()
        .forEach((feed, seen) -> {
          for (UsageSeries one : seen.series()) {
            Samples samples = one.samples();
            for (int i = samples.firstAfter(after); i < samples.size(); i++) {
              Drop.of(feed, one.labels().family().signal(), samples.value(i))
                  .ifPresent(drop -> drops.merge(drop, 1, Integer::sum));
            }
          }
        });
    return drops;
  }
}
