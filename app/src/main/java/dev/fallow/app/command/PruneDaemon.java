package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.ActingRights;
import dev.fallow.adapters.kubernetes.EventWriter;
import dev.fallow.adapters.kubernetes.FollowedKinds;
import dev.fallow.adapters.kubernetes.InformerClusterReader;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.LeaderLease;
import dev.fallow.adapters.kubernetes.WorkloadWriter;
import dev.fallow.app.ExitCode;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.log.Log;
import dev.fallow.app.prune.Books;
import dev.fallow.app.prune.GpuHours;
import dev.fallow.app.prune.LedgerPlace;
import dev.fallow.app.prune.PruneSigns;
import dev.fallow.app.prune.Pruner;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Catalogue.RunMode;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.Unavailable;
import dev.fallow.core.idle.UsageSource;
import dev.fallow.core.ledger.Ledger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.logging.Level;

/** Pruning that stays: a cycle, a pause, a cycle, until it is told to stop. */
final class PruneDaemon {

  private final Call call;
  private final LiveCluster cluster;
  private final Settings settings;
  private final Stopping stopping;
  private final PruneSigns signs = new PruneSigns();
  private boolean rightsKnown;

  private PruneDaemon(Call call, LiveCluster cluster, Stopping stopping) {
    this.call = call;
    this.cluster = cluster;
    this.settings = cluster.settings();
    this.stopping = stopping;
  }

  static int run(Call call, LiveCluster cluster, Stopping stopping) {
    Settings settings = cluster.settings();
    Log.start(settings.of(Catalogue.LOG_FORMAT), Level.INFO, Level.SEVERE, call.console().err());
    new PruneDaemon(call, cluster, stopping).loop();
    return ExitCode.DONE;
  }

  private void loop() {
    boolean dryRun = settings.of(Catalogue.RUN_MODE) == RunMode.DRY_RUN;
    Optional<Ledger> ledger = LedgerPlace.open(settings, call.console().environment());
    ledger.ifPresent(cluster::closing);
    WebPort web = cluster.closing(WebPort.open(settings, signs, ledger));
    Log.info(
        "fallow prunes",
        "mode",
        dryRun ? "dry-run" : "scale-down",
        "duration",
        settings.of(Catalogue.DURATION),
        "interval",
        settings.of(Catalogue.CHECK_INTERVAL),
        "port",
        web.port());
    UsageSource usage = cluster.usage();
    InformerClusterReader reader =
        cluster.closing(
            new InformerClusterReader(
                cluster.connection(),
                cluster.scope(),
                FollowedKinds.of(settings.of(Catalogue.ENABLED_RESOURCES))));
    KubernetesConnection changes = cluster.forChanges();
    LeaderLease lease = cluster.closing(lease(changes).start());
    Pruner pruner =
        new Pruner(
            reader,
            usage,
            new WorkloadWriter(changes, Clock.systemUTC(), StepsOfTests.OBSERVER),
            new Books(ledger, new EventWriter(changes), StepsOfTests.OBSERVER)
                .telling(signs::deed, signs::ledger),
            settings,
            Clock.systemUTC(),
            new Leading(lease),
            StepsOfTests.OBSERVER);
    lease.awaitFirstAnswer(Duration.ofSeconds(10));
    ActingRights rights =
        new ActingRights(changes, cluster.scope(), settings.of(Catalogue.ENABLED_RESOURCES));
    Optional<GpuHours> hours =
        ledger.map(book -> new GpuHours(book, settings.of(Catalogue.CHECK_INTERVAL)));
    long interval = settings.of(Catalogue.CHECK_INTERVAL).toNanos();
    boolean stop;
    do {
      long begun = System.nanoTime();
      signs.begun();
      signs.alone(lease.impediment());
      checkRights(rights);
      cycle(pruner, dryRun, lease, hours, begun);
      stop =
          stopping.askedWithin(
              Duration.ofNanos(Math.max(interval - (System.nanoTime() - begun), 0)));
    } while (!stop);
    Log.info("fallow stops");
  }

  private void cycle(
      Pruner pruner, boolean dryRun, LeaderLease lease, Optional<GpuHours> hours, long begun) {
    try {
      if (!lease.leads() && !dryRun) {
        signs.standingBy();
        return;
      }
      Pruner.Report report = dryRun ? pruner.rehearse() : pruner.cycle();
      double seconds = (System.nanoTime() - begun) / 1e9;
      signs.cycle(report, dryRun, seconds);
      hours.ifPresent(book -> count(book, report));
    } catch (Unavailable failure) {
      signs.failed(failure);
    } catch (RuntimeException defect) {
      signs.defect(defect);
    }
  }

  /** Until there is an answer: a right that is granted later shows by what is done with it. */
  private void checkRights(ActingRights rights) {
    if (!rightsKnown) {
      try {
        signs.mayNotAct(rights.missing());
        rightsKnown = true;
      } catch (Unavailable silent) {
        // The cycle meets the same silence, and tells of it.
      }
    }
  }

  private void count(GpuHours hours, Pruner.Report report) {
    try {
      signs.saved(hours.count(report.inspection()));
      signs.ledger(Optional.empty());
    } catch (Unavailable failed) {
      signs.ledger(Optional.of(String.valueOf(failed.getMessage())));
    }
  }

  private LeaderLease lease(KubernetesConnection changes) {
    String named = settings.of(Catalogue.LEASE_NAMESPACE);
    return new LeaderLease(
        changes,
        named.isEmpty() ? changes.namespace() : named,
        "fallow-prune",
        host() + "-" + UUID.randomUUID().toString().substring(0, 8),
        LeaderLease.Terms.USUAL);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException unnamed) {
      return "host";
    }
  }

  private record Leading(LeaderLease lease) implements Pruner.Leadership {
    @Override
    public boolean leads() {
      return lease.leads();
    }

    @Override
    public String epoch() {
      return lease.epoch();
    }
  }
}
