package dev.fallow.bench;

import dev.fallow.bench.Daemon.Cycles;
import dev.fallow.rig.AuditEntry;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigPrometheus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a daemon costs that has nothing to do: once in a dry run, once allowed to pause but with all
 * namespaces protected. The samples go on while it runs. What it asks of the API server depends on
 * the time and not on the cycles, so it is counted over a whole number of usual intervals.
 */
public final class DaemonFigures {

  private static final Duration USUAL_INTERVAL = Duration.ofSeconds(180);
  private static final Duration LIMIT = Duration.ofMinutes(4);

  private DaemonFigures() {}

  /**
   * @param arguments the seconds between cycles, the usual intervals to count over, and the numbers
   *     of GPU pods
   */
  public static void main(String... arguments) throws Exception {
    Duration interval = Duration.ofSeconds(Integer.parseInt(arguments[0]));
    int intervals = Integer.parseInt(arguments[1]);
    for (int i = 2; i < arguments.length; i++) {
      BenchFleet fleet = new BenchFleet(Integer.parseInt(arguments[i])).at(Instant.now());
      try (Rig rig = Rig.builder().start();
          RigPrometheus prometheus =
              RigPrometheus.builder().flag("--web.enable-remote-write-receiver").start()) {
        new ClusterLoad(fleet, rig.admin()).write();
        Progress.say(fleet.pods() + " pods: the objects are there");
        measure(fleet, rig, prometheus, interval, intervals);
      }
    }
  }

  private static void measure(
      BenchFleet fleet, Rig rig, RigPrometheus prometheus, Duration interval, int intervals)
      throws Exception {
    try (SampleFeed feed = new SampleFeed(fleet.at(Instant.now()), prometheus.url())) {
      feed.past();
      feed.start();
      Progress.say(fleet.pods() + " pods: the samples are there");
      measure(fleet, rig, prometheus, interval, intervals, List.of("--run-mode=dry-run"));
      measure(
          fleet,
          rig,
          prometheus,
          interval,
          intervals,
          List.of("--run-mode=scale-down", "--excluded-namespaces=team-*"));
    }
  }

  private static void measure(
      BenchFleet fleet,
      Rig rig,
      RigPrometheus prometheus,
      Duration interval,
      int intervals,
      List<String> mode)
      throws Exception {
    List<String> flags =
        new ArrayList<>(
            List.of(
                "--check-interval",
                "" + interval.toSeconds(),
                "--kubeconfig",
                rig.kubeconfig().toString(),
                "--prometheus-url",
                prometheus.url().toString()));
    flags.addAll(mode);
    String which = "daemon, %d pods, %s".formatted(fleet.pods(), mode.getFirst());
    AuditLog start = rig.audit().fromHere();
    try (Daemon daemon = Daemon.start(flags)) {
      Cycles first = daemon.awaitCycles(1, LIMIT);
      System.out.printf(
          "%s: first cycle %.1f s, %d API requests; %.0f of %.0f GPUs idle%n",
          which,
          first.mean(),
          ofFallow(start, entry -> true).size(),
          daemon.sum("gpu_pruner_idle_gpus"),
          daemon.sum("fallow_gpus"));
      AuditLog audit = rig.audit().fromHere();
      Queries before = Queries.of(prometheus);
      Thread.sleep(USUAL_INTERVAL.multipliedBy(intervals));
      Thread.sleep(5_000);
      Cycles steady = daemon.cycles().since(first);
      Queries queries = Queries.of(prometheus).since(before);
      long leases = ofFallow(audit, DaemonFigures::ofLease).size();
      long others = ofFallow(audit, entry -> !ofLease(entry)).size();
      Vitals vitals = daemon.vitals();
      System.out.printf(
          "%s: in %d intervals of %d s %d API requests beside %d of the lease; %d cycles, %.1f s on"
              + " average, %.1f Prometheus queries and %.1f MB of answers each; %.0f MiB resident,"
              + " peak %.0f MiB, %d threads, %d handles%n",
          which,
          intervals,
          USUAL_INTERVAL.toSeconds(),
          others,
          leases,
          steady.count(),
          steady.mean(),
          (double) queries.count() / steady.count(),
          queries.bytes() / 1e6 / steady.count(),
          vitals.residentKiB() / 1024.0,
          vitals.peakKiB() / 1024.0,
          vitals.threads(),
          vitals.handles());
      ofFallow(audit, entry -> !ofLease(entry))
          .forEach(entry -> Progress.say("  " + entry.verb() + " " + entry.uri()));
    }
  }

  private static List<AuditEntry> ofFallow(AuditLog audit, Predicate<AuditEntry> wanted) {
    return audit.entries(entry -> entry.userAgent().startsWith("fallow/") && wanted.test(entry));
  }

  private static boolean ofLease(AuditEntry entry) {
    return entry.uri().contains("/leases");
  }
}
