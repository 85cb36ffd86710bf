package dev.fallow.server.metrics;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.core.savings.WorkloadCost;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The series that name a workload. They end with it; and there are only so many: who has series
 * keeps them, who comes when all are taken is counted in the one workload {@code _other}.
 */
final class WorkloadSeries {

  private final int most;
  private final PriceBook prices;
  private final Set<WorkloadLabels> named = new LinkedHashSet<>();
  private final Gauge gpus;
  private final Gauge verdict;
  private final Gauge wasted;
  private final Gauge idleSeconds;
  private final Counter scales;

  WorkloadSeries(int most, PriceBook prices, PrometheusRegistry registry) {
    this.most = most;
    this.prices = prices;
    this.gpus = gauge("gpus", "GPUs that the workload's live pods hold", registry);
    this.verdict =
        Gauge.builder()
            .name("fallow_workload_verdict")
            .help("1 for the verdict on the workload")
            .labelNames(new WorkloadLabels("kind", "namespace", "name").valuesAnd("verdict"))
            .register(registry);
    this.wasted =
        gauge("wasted_dollars_per_hour", "What the workload's idle GPUs cost an hour", registry);
    this.idleSeconds =
        gauge("idle_seconds", "How long the workload is known to have been idle", registry);
    this.scales =
        Counter.builder()
            .name("gpu_pruner_scales_total")
            .help("Times the workload was paused, counted after it was")
            .labelNames(WorkloadLabels.NAMES)
            .register(registry);
  }

  private static Gauge gauge(String name, String help, PrometheusRegistry registry) {
    return Gauge.builder()
        .name("fallow_workload_" + name)
        .help(help)
        .labelNames(WorkloadLabels.NAMES)
        .register(registry);
  }

  /**
   * @param paused those that have no pods any more, and come back
   */
  void show(CycleSeen seen, Set<ObjectId> paused) {
    Set<WorkloadLabels> alive = new HashSet<>();
    seen.decisions()
        .forEach(decision -> alive.add(WorkloadLabels.of(decision.assessment().workload().root())));
    paused.forEach(workload -> alive.add(WorkloadLabels.of(workload)));
    named.retainAll(alive);
    scales.removeIf(values -> {
      WorkloadLabels labels = WorkloadLabels.of(values);
      return !labels.equals(WorkloadLabels.OTHER) && !alive.contains(labels);
    });
    gpus.clear();
    verdict.clear();
    wasted.clear();
    idleSeconds.clear();
    seen.decisions().forEach(decision -> show(decision, seen));
  }

  /** Added, not set: a workload that looks like another, and all the others, are one series. */
  private void show(Decision decision, CycleSeen seen) {
    WorkloadLabels labels = labelsOf(decision.assessment().workload().root());
    gpus.labelValues(labels.values()).inc(decision.assessment().workload().gpus());
    verdict.labelValues(labels.valuesAnd(decision.assessment().verdict().name())).inc();
    wasted
        .labelValues(labels.values())
        .inc(WorkloadCost.of(decision.assessment(), prices).wastedPerHour());
    if (!labels.equals(WorkloadLabels.OTHER)) {
      decision
          .assessment()
          .idleSince()
          .map(since -> Duration.between(since, seen.at()))
          .ifPresent(
              idle -> idleSeconds.labelValues(labels.values()).set((double) idle.toSeconds()));
    }
  }

  void scaled(ObjectId workload) {
    scales.labelValues(labelsOf(workload).values()).inc();
  }

  private WorkloadLabels labelsOf(ObjectId workload) {
    WorkloadLabels labels = WorkloadLabels.of(workload);
    if (named.size() < most) {
      named.add(labels);
    }
    return named.contains(labels) ? labels : WorkloadLabels.OTHER;
  }
}
