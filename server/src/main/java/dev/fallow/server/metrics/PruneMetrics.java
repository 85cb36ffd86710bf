package dev.fallow.server.metrics;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.DeviceFinding;
import dev.fallow.core.idle.DeviceId;
import dev.fallow.core.idle.Reason;
import dev.fallow.core.idle.Verdict;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.PausableKind;
import dev.fallow.core.prune.RefusalReason;
import dev.fallow.core.savings.PriceBook;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the process did and sees, for Prometheus. Counters count what has happened, after it has;
 * gauges are of the latest cycle, and a scrape never sees half of one.
 *
 * <p>Several series have a label {@code namespace} that is the workload's. A Prometheus that finds
 * its targets in Kubernetes puts its own {@code namespace}, ours, in its place unless the scrape
 * says {@code honorLabels: true} (in a scrape configuration {@code honor_labels}); else the
 * workload's is found in {@code exported_namespace}.
 *
 * <p>Safe to tell and to ask from any thread.
 */
public final class PruneMetrics implements Scraped.Source {

  /** Workloads that have series of their own. */
  static final int MOST_WORKLOADS = 2000;

  private static final int MOST_VALUES = 64;
  private static final List<String> STATES = List.of("busy", "idle", "kept", "unknown", "paused");

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final BoundedLabel kinds = new BoundedLabel(MOST_VALUES);
  private final BoundedLabel verbs = new BoundedLabel(MOST_VALUES);
  private final BoundedLabel reasons = new BoundedLabel(MOST_VALUES);
  private final BoundedLabel sources = new BoundedLabel(MOST_VALUES);

  private final Counter successes =
      counter("gpu_pruner_scale_successes", "Workloads paused, counted after they were", "kind");
  private final Counter failures =
      counter("gpu_pruner_scale_failures", "Pauses that failed", "kind", "reason");
  private final Gauge idleGpus =
      gauge("gpu_pruner_idle_gpus", "GPUs (a shared one once) of workloads that are idle");
  private final Counter podsChecked =
      counter("gpu_pruner_pods_checked", "Pods with GPUs that were looked at, in all cycles");
  private final Counter querySuccesses =
      counter("gpu_pruner_query_successes", "Cycles whose source of GPU use answered");
  private final Counter queryFailures =
      counter("gpu_pruner_query_failures", "Cycles whose source of GPU use did not answer");
  private final Counter candidates =
      counter("gpu_pruner_query_candidates", "Workloads found idle, in all cycles");
  private final Gauge acknowledged =
      gauge("gpu_pruner_acknowledged_workloads", "Idle workloads that somebody asked to keep");
  private final Counter acknowledgments =
      counter("gpu_pruner_acknowledgments", "Keeps that people set through Fallow");
  private final Counter prevented =
      counter(
          "gpu_pruner_scaledowns_prevented",
          "Times a keep began to hold off the pause of an idle workload");
  private final Counter slackSent =
      counter("gpu_pruner_slack_notifications_sent", "Messages that Slack took");
  private final Counter slackFailed =
      counter("gpu_pruner_slack_notification_failures", "Messages that Slack did not take");

  private final Gauge gpus =
      gauge(
          "fallow_gpus", "GPUs held, or given back by a pause, by their workload's state", "state");
  private final Counter deeds =
      counter("fallow_deeds", "What was done to workloads", "kind", "verb", "outcome");
  private final Counter refusals =
      counter("fallow_refusals", "Idle workloads left alone, in all cycles", "reason");
  private final Counter errors =
      counter("fallow_errors", "Failures of what Fallow stands on", "source", "reason");
  private final Counter savedGpuHours =
      counter("fallow_saved_gpu_hours", "Hours that GPUs were free because of a pause");
  private final Histogram cycleSeconds =
      Histogram.builder()
          .name("fallow_cycle_seconds")
          .help("How long cycles took")
          .classicOnly()
          .classicUpperBounds(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
          .register(registry);

  private final WorkloadSeries workloads;
  private final Map<ObjectId, Integer> paused = new HashMap<>();
  private final Map<ObjectId, Integer> held = new HashMap<>();
  private Set<ObjectId> kept = Set.of();

  public PruneMetrics(PriceBook prices) {
    this(prices, MOST_WORKLOADS);
  }

  PruneMetrics(PriceBook prices, int mostWorkloads) {
    this.workloads = new WorkloadSeries(mostWorkloads, prices, registry);
    STATES.forEach(state -> gpus.labelValues(state).set(0));
    // What has not happened yet is 0: without it an alert on the first failure would miss it.
    for (String kind : PausableKind.usualNames()) {
      successes.labelValues(kinds.of(kind)).inc(0);
      failures.labelValues(kinds.of(kind), reasons.of("WRITE_FAILED")).inc(0);
    }
    for (String reason : List.of(Reason.METRICS_UNAVAILABLE.name(), Reason.PARTIAL_ANSWER.name())) {
      errors.labelValues(sources.of("prometheus"), reasons.of(reason)).inc(0);
    }
  }

  private Counter counter(String name, String help, String... labels) {
    return Counter.builder().name(name).help(help).labelNames(labels).register(registry);
  }

  private Gauge gauge(String name, String help, String... labels) {
    return Gauge.builder().name(name).help(help).labelNames(labels).register(registry);
  }

  /** A cycle has ended. */
  public synchronized void cycle(CycleSeen seen) {
    cycleSeconds.observe(seen.seconds());
    podsChecked.inc(seen.podsChecked());
    (seen.usageRead() ? querySuccesses : queryFailures).inc();
    Set<DeviceId> idle = new HashSet<>();
    Set<ObjectId> keptNow = new HashSet<>();
    held.clear();
    for (Decision decision : seen.decisions()) {
      Assessment assessment = decision.assessment();
      ObjectId root = assessment.workload().root();
      held.merge(root, assessment.workload().gpus(), Integer::sum);
      if (assessment.verdict() instanceof Verdict.Idle) {
        candidates.inc();
        idle.addAll(idleDevices(assessment));
      }
      if (decision.action() == Action.KEEP) {
        keptNow.add(root);
      }
      decision.refusal().ifPresent(refusal -> refusals.labelValues(refusal.reason().name()).inc());
    }
    idleGpus.set(idle.size());
    acknowledged.set(keptNow.size());
    prevented.inc(keptNow.stream().filter(workload -> !kept.contains(workload)).count());
    kept = keptNow;
    workloads.show(seen, paused.keySet());
    showGpus(seen.decisions());
  }

  /** Another process acts and shows the fleet: a sum over all of them counts it once. */
  public synchronized void standingBy(Instant at) {
    held.clear();
    paused.clear();
    kept = Set.of();
    idleGpus.set(0);
    acknowledged.set(0);
    workloads.show(new CycleSeen(at, 0, List.of(), true, 0), Set.of());
    showGpus(List.of());
  }

  /** A change was refused when it was about to be made, after the plan had allowed it. */
  public synchronized void refused(RefusalReason reason) {
    refusals.labelValues(reason.name()).inc();
  }

  private static Set<DeviceId> idleDevices(Assessment assessment) {
    Set<DeviceId> devices = new HashSet<>();
    assessment.pods().stream()
        .filter(pod -> pod.pod().live())
        .flatMap(pod -> pod.devices().stream())
        .filter(device -> device.state() == DeviceFinding.State.IDLE)
        .forEach(device -> devices.add(device.device()));
    return devices;
  }

  private void showGpus(List<Decision> decisions) {
    Map<String, Integer> byState = new HashMap<>();
    for (Decision decision : decisions) {
      byState.merge(stateOf(decision), decision.assessment().workload().gpus(), Integer::sum);
    }
    // Pods of a paused workload may still be about; what they hold is counted above.
    paused.forEach((workload, count) ->
        byState.merge("paused", held.containsKey(workload) ? 0 : count, Integer::sum));
    STATES.forEach(state -> gpus.labelValues(state).set(byState.getOrDefault(state, 0)));
  }

  private static String stateOf(Decision decision) {
    boolean zeroAlready =
        decision.refusal().filter(r -> r.reason() == RefusalReason.PAUSED_ALREADY).isPresent();
    return switch (decision.assessment().verdict()) {
      case Verdict.Busy busy -> "busy";
      case Verdict.Unknown unknown -> "unknown";
      case Verdict.Idle idle when decision.action() == Action.KEEP -> "kept";
      case Verdict.Idle idle when zeroAlready -> "paused";
      case Verdict.Idle idle -> "idle";
    };
  }

  /**
   * Which workloads are paused, as the cluster has it, and how many GPUs each would hold. Without
   * this, what deeds tell counts; a paused workload that was deleted then stays until it is said.
   */
  public synchronized void paused(Map<ObjectId, Integer> gpusOfWorkload) {
    paused.clear();
    paused.putAll(gpusOfWorkload);
  }

  /**
   * Something was done to a workload, or was tried in vain.
   *
   * @param verb {@code pause}, {@code resume}, {@code keep}, …
   * @param reason why it failed; not looked at if it did not
   */
  public synchronized void deed(ObjectId workload, String verb, boolean success, String reason) {
    String kind = kinds.of(workload.qualifiedKind());
    deeds.labelValues(kind, verbs.of(verb), success ? "success" : "failure").inc();
    switch (verb) {
      case "pause" -> {
        if (success) {
          successes.labelValues(kind).inc();
          workloads.scaled(workload);
          paused.put(workload, held.getOrDefault(workload, 0));
        } else {
          failures.labelValues(kind, reasons.of(reason)).inc();
        }
      }
      case "resume" -> {
        if (success) {
          paused.remove(workload);
        }
      }
      default -> {
        // Only what changes how many GPUs are held is counted further.
      }
    }
  }

  /** Somebody asked to keep a workload, and it was written down. */
  public synchronized void acknowledged(ObjectId workload) {
    acknowledgments.inc();
    deed(workload, "keep", true, "");
  }

  /** Something outside failed, or we did. */
  public synchronized void error(String source, String reason) {
    errors.labelValues(sources.of(source), reasons.of(reason)).inc();
  }

  public synchronized void slack(boolean sent) {
    (sent ? slackSent : slackFailed).inc();
  }

  /** Hours, times GPUs, that were free because of a pause since this was last said. */
  public synchronized void saved(double gpuHours) {
    savedGpuHours.inc(gpuHours);
  }

  /** Adds what others count to what is scraped here. */
  public void with(MultiCollector more) {
    registry.register(more);
  }

  @Override
  public synchronized Scraped expose(String accept) {
    return Scraped.of(registry, accept);
  }
}
