package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.MetricName.Across;
import dev.fallow.core.autoscale.MetricName.Kind;
import dev.fallow.core.autoscale.MetricName.Over;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.Device;
import dev.fallow.core.idle.DeviceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * How the fleet's GPUs are used, for people and their dashboards: those in use, that is held by a
 * live pod, apart from all, and each workload by itself.
 *
 * @param inUse means over the GPUs in use
 * @param aboveZero means over the GPUs whose value is above 0, held or not
 * @param gpus how many are in each state
 */
public record FleetUse(
    Map<Scoped, Double> inUse,
    Map<Scoped, Double> aboveZero,
    List<OfWorkload> workloads,
    Map<State, Integer> gpus,
    Optional<Double> oldAverage,
    Optional<Double> oldRollingAverage) {

  /** What is measured for a scope. */
  public static final List<Measure> MEASURES =
      List.of(Measure.UTILIZATION, Measure.MEMORY_BANDWIDTH, Measure.MEMORY_USED);

  public static final Over ROLLING = new Over.Span(Kind.MEAN, 0, Duration.ofMinutes(5));

  private static final double ACTIVE_PERCENT = 1;

  /** What a GPU does. */
  public enum State {
    ACTIVE,
    IDLE,
    WARMING,
    UNKNOWN,
    FREE
  }

  /** What a mean is taken over. */
  public enum Scope {
    CLUSTER,
    NODE,
    NAMESPACE,
    MODEL
  }

  /** One mean. */
  public record Scoped(Measure measure, boolean rolling, Scope scope, String name) {}

  /**
   * @param values by measure and by how the GPUs of its ready pods become one
   * @param rolling means over the last minutes
   * @param gpus what its live pods hold, by state
   */
  public record OfWorkload(
      ObjectId root,
      Map<Measure, Map<Across, Double>> values,
      Map<Measure, Double> rolling,
      int allocated,
      Map<State, Integer> gpus) {}

  public static Set<Feed> feeds() {
    Set<Feed> all = new LinkedHashSet<>();
    MEASURES.forEach(measure -> all.addAll(Question.of(measure, Over.LATEST).feeds()));
    return all;
  }

  public static FleetUse of(Numbers numbers) {
    Map<Scoped, Mean> inUse = new HashMap<>();
    Map<Scoped, Mean> aboveZero = new HashMap<>();
    for (Measure measure : MEASURES) {
      for (Over over : List.of(Over.LATEST, ROLLING)) {
        Question question = Question.of(measure, over);
        boolean rolling = !over.equals(Over.LATEST);
        for (Device device : numbers.devices()) {
          Map<String, Long> holders = numbers.holdings().heldAfter(device);
          List<Scoped> scopes = scopes(device, measure, rolling);
          List<Scoped> ofHolders =
              holders.keySet().stream()
                  .map(name -> new Scoped(measure, rolling, Scope.NAMESPACE, name))
                  .toList();
          Meter.Read read = numbers.meter(question).read(device);
          value(read, over)
              .filter(above -> above > 0)
              .ifPresent(above -> {
                add(aboveZero, scopes, above);
                add(aboveZero, ofHolders, above);
              });
          // What it did for whoever held it before is nobody's use of now.
          holders.values().stream()
              .min(Long::compare)
              .flatMap(after -> value(read.after(after), over))
              .ifPresent(used -> add(inUse, scopes, used));
          for (Scoped scope : ofHolders) {
            value(read.after(holders.getOrDefault(scope.name(), Long.MAX_VALUE)), over)
                .ifPresent(used -> add(inUse, List.of(scope), used));
          }
        }
      }
    }
    List<OfWorkload> workloads = new ArrayList<>();
    Map<State, Integer> gpus = new EnumMap<>(State.class);
    Set<DeviceId> counted = new LinkedHashSet<>();
    for (Workload workload : numbers.workloads()) {
      if (workload.pods().stream().anyMatch(GpuPod::live)) {
        workloads.add(ofWorkload(numbers, workload, counted, gpus));
      }
    }
    int free = 0;
    for (Device device : numbers.devices()) {
      free += numbers.holdings().inUse(device) ? 0 : 1;
    }
    gpus.put(State.FREE, free);
    return new FleetUse(
        means(inUse),
        means(aboveZero),
        List.copyOf(workloads),
        Map.copyOf(gpus),
        OldAverage.of(numbers, Over.LATEST).map(Reading::value),
        OldAverage.of(numbers, ROLLING).map(Reading::value));
  }

  private static Optional<Double> value(Meter.Read read, Over over) {
    return read.over(over).map(Reading::value);
  }

  private static void add(Map<Scoped, Mean> means, List<Scoped> scopes, double value) {
    scopes.forEach(scope -> means.computeIfAbsent(scope, key -> new Mean()).add(value));
  }

  private static List<Scoped> scopes(Device device, Measure measure, boolean rolling) {
    List<Scoped> scopes = new ArrayList<>();
    scopes.add(new Scoped(measure, rolling, Scope.CLUSTER, ""));
    scopes.add(new Scoped(measure, rolling, Scope.NODE, device.id().node()));
    if (!device.model().isEmpty()) {
      scopes.add(new Scoped(measure, rolling, Scope.MODEL, device.model()));
    }
    return scopes;
  }

  /**
   * @param counted the devices that a workload before this one was counted with
   * @param fleet where the states are added up, a shared device once
   */
  private static OfWorkload ofWorkload(
      Numbers numbers, Workload workload, Set<DeviceId> counted, Map<State, Integer> fleet) {
    Map<Measure, Map<Across, Double>> values = new EnumMap<>(Measure.class);
    Map<Measure, Double> rolling = new EnumMap<>(Measure.class);
    for (Measure measure : MEASURES) {
      Question now = Question.of(measure, Over.LATEST);
      Map<Across, Double> byWay = new EnumMap<>(Across.class);
      for (Across across : List.of(Across.MEAN, Across.MAX, Across.MIN)) {
        numbers
            .table(now)
            .together(workload.pods(), across)
            .ifPresent(reading -> byWay.put(across, reading.value()));
      }
      values.put(measure, byWay);
      numbers
          .table(Question.of(measure, ROLLING))
          .together(workload.pods(), Across.MEAN)
          .ifPresent(reading -> rolling.put(measure, reading.value()));
    }
    Map<State, Integer> gpus = new EnumMap<>(State.class);
    for (GpuPod pod : workload.pods()) {
      if (pod.live() && pod.node().isPresent()) {
        states(numbers, pod)
            .forEach((device, state) -> {
              gpus.merge(state, 1, Integer::sum);
              if (device.card().isEmpty() || counted.add(device)) {
                fleet.merge(state, 1, Integer::sum);
              }
            });
      }
    }
    return new OfWorkload(workload.root(), values, rolling, workload.gpus(), gpus);
  }

  /** Each device a pod holds; those that no series shows are unknown, under names of their own. */
  private static Map<DeviceId, State> states(Numbers numbers, GpuPod pod) {
    Map<DeviceId, State> states = new TreeMap<>();
    Question question = Question.of(Measure.UTILIZATION, Over.LATEST);
    boolean warming = numbers.holdings().standing(pod) == Standing.WARMING;
    for (Holdings.Held held : numbers.holdings().of(pod)) {
      Optional<Reading> reading = numbers.ofDevice(held.device(), question);
      State seen =
          reading.isEmpty()
              ? State.UNKNOWN
              : reading.get().value() >= ACTIVE_PERCENT ? State.ACTIVE : State.IDLE;
      states.put(held.device().id(), warming ? State.WARMING : seen);
    }
    for (int unseen = states.size(); unseen < numbers.holdings().asked(pod); unseen++) {
      states.put(
          new DeviceId(pod.id().toString(), "", "unseen " + unseen),
          warming ? State.WARMING : State.UNKNOWN);
    }
    return states;
  }

  private static Map<Scoped, Double> means(Map<Scoped, Mean> sums) {
    Map<Scoped, Double> means = new HashMap<>();
    sums.forEach((scope, mean) -> means.put(scope, mean.sum / mean.count));
    return means;
  }

  private static final class Mean {
    private double sum;
    private int count;

    void add(double value) {
      sum += value;
      count++;
    }
  }
}
