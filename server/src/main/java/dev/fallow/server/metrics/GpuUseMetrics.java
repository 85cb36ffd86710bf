package dev.fallow.server.metrics;

import dev.fallow.core.autoscale.Drop;
import dev.fallow.core.autoscale.FleetUse;
import dev.fallow.core.autoscale.FleetUse.OfWorkload;
import dev.fallow.core.autoscale.FleetUse.Scoped;
import dev.fallow.core.autoscale.FleetUse.State;
import dev.fallow.core.autoscale.Measure;
import dev.fallow.core.autoscale.MetricName;
import dev.fallow.core.autoscale.MetricName.Across;
import dev.fallow.core.autoscale.OldAverage;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How the fleet's GPUs are used, for Prometheus. Each scrape shows one reading whole; where there
 * is none that may be given out, there are no series, and never a zero.
 */
public final class GpuUseMetrics implements MultiCollector, Scraped.Source {

  /** Scopes and workloads that have series, of each kind. */
  static final int MOST = 2000;

  private static final Map<Measure, String> NAMES =
      Map.of(
          Measure.UTILIZATION, "utilization_percent",
          Measure.MEMORY_BANDWIDTH, "memory_bandwidth_percent",
          Measure.MEMORY_USED, "memory_used_percent");
  private static final Map<Measure, String> SAYING =
      Map.of(
          Measure.UTILIZATION, "utilisation",
          Measure.MEMORY_BANDWIDTH, "memory bandwidth in use",
          Measure.MEMORY_USED, "memory in use");
  private static final String ROLLING = "_avg_5m";
  private static final Map<Across, String> WAYS =
      Map.of(Across.MEAN, "avg", Across.MAX, "max", Across.MIN, "min");

  private final Supplier<Optional<FleetUse>> use;
  private final Supplier<Map<Drop, Long>> dropped;

  /**
   * @param use what there is to show now
   * @param dropped how many samples could not be true, since the process began
   */
  public GpuUseMetrics(Supplier<Optional<FleetUse>> use, Supplier<Map<Drop, Long>> dropped) {
    this.use = use;
    this.dropped = dropped;
  }

  @Override
  public Scraped expose(String accept) {
    PrometheusRegistry registry = new PrometheusRegistry();
    registry.register(this);
    return Scraped.of(registry, accept);
  }

  @Override
  public MetricSnapshots collect() {
    GaugeFamilies families = new GaugeFamilies();
    use.get()
        .ifPresent(now -> {
          scopes(families, "gpu_inuse_", "over the GPUs that a live pod holds", now.inUse());
          scopes(families, "gpu_nonzero_", "over the GPUs whose value is above 0", now.aboveZero());
          for (State state : State.values()) {
            families.add(
                "gpu_fleet_gpus",
                "GPUs by what they do; a shared one counts once",
                Labels.of("state", lower(state)),
                now.gpus().getOrDefault(state, 0));
          }
          now.workloads().stream()
              .sorted(Comparator.comparing(OfWorkload::root))
              .limit(MOST)
              .forEach(workload -> workload(families, workload));
          now.oldAverage()
              .ifPresent(value ->
                  families.add(
                      OldAverage.METRIC,
                      "Mean of MEM_COPY_UTIL over the GPUs on which it is above 0",
                      Labels.EMPTY,
                      value));
          now.oldRollingAverage()
              .ifPresent(value ->
                  families.add(
                      OldAverage.METRIC + ROLLING,
                      "Mean of avg_GPU_utilization over the last 5 minutes",
                      Labels.EMPTY,
                      value));
        });
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    families.into(all);
    return all.metricSnapshot(drops()).build();
  }

  private static void scopes(
      GaugeFamilies families, String prefix, String over, Map<Scoped, Double> means) {
    for (FleetUse.Scope scope : FleetUse.Scope.values()) {
      for (Measure measure : FleetUse.MEASURES) {
        for (boolean rolling : List.of(false, true)) {
          means.entrySet().stream()
              .filter(one -> one.getKey().scope() == scope)
              .filter(one -> one.getKey().measure() == measure)
              .filter(one -> one.getKey().rolling() == rolling)
              .sorted(Comparator.comparing(one -> one.getKey().name()))
              .limit(MOST)
              .forEach(one ->
                  families.add(
                      prefix + NAMES.get(measure) + (rolling ? ROLLING : ""),
                      "Mean " + SAYING.get(measure) + " " + over + lasting(rolling),
                      Labels.of(
                          "scope", lower(scope), "name", BoundedLabel.clean(one.getKey().name())),
                      one.getValue()));
        }
      }
    }
  }

  private static void workload(GaugeFamilies families, OfWorkload workload) {
    String namespace = BoundedLabel.clean(workload.root().namespace());
    String kind = BoundedLabel.clean(workload.root().qualifiedKind());
    String name = BoundedLabel.clean(workload.root().name());
    Labels labels = Labels.of("namespace", namespace, "workload", name, "workload_kind", kind);
    for (Measure measure : FleetUse.MEASURES) {
      String family = "gpu_workload_" + NAMES.get(measure);
      workload
          .values()
          .getOrDefault(measure, Map.of())
          .forEach((across, value) ->
              families.add(
                  family,
                  "The " + SAYING.get(measure) + " of the GPUs of its ready pods",
                  labels.merge(Labels.of("agg", WAYS.getOrDefault(across, lower(across)))),
                  value));
      Optional.ofNullable(workload.rolling().get(measure))
          .ifPresent(value ->
              families.add(
                  family + ROLLING,
                  "Mean " + SAYING.get(measure) + " of its ready pods' GPUs" + lasting(true),
                  labels,
                  value));
    }
    String held = "GPUs that its live pods hold, by what they do";
    families.add(
        "gpu_workload_gpus",
        held,
        labels.merge(Labels.of("state", "allocated")),
        workload.allocated());
    for (State state : List.of(State.ACTIVE, State.IDLE, State.WARMING, State.UNKNOWN)) {
      families.add(
          "gpu_workload_gpus",
          held,
          labels.merge(Labels.of("state", lower(state))),
          workload.gpus().getOrDefault(state, 0));
    }
    Double mean = workload.values().getOrDefault(Measure.UTILIZATION, Map.of()).get(Across.MEAN);
    if (mean != null && workload.root().is("apps", "Deployment")) {
      String recipe = MetricName.ofWorkload(workload.root().name());
      families.add(
          Character.isDigit(recipe.charAt(0)) ? "_" + recipe : recipe,
          "Mean utilisation of the GPUs of the Deployment's ready pods",
          Labels.of("deployment", name, "namespace", namespace),
          mean);
    }
  }

  private CounterSnapshot drops() {
    CounterSnapshot.Builder counter =
        CounterSnapshot.builder()
            .name("fallow_samples_dropped")
            .help("Samples of GPU metrics that cannot be true");
    Map<Drop, Long> counts = dropped.get();
    for (Drop drop : Drop.values()) {
      counter.dataPoint(
          CounterSnapshot.CounterDataPointSnapshot.builder()
              .labels(Labels.of("reason", drop.name()))
              .value(counts.getOrDefault(drop, 0L))
              .build());
    }
    return counter.build();
  }

  private static String lasting(boolean rolling) {
    return rolling ? ", over the last 5 minutes" : "";
  }

  private static String lower(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT);
  }
}
