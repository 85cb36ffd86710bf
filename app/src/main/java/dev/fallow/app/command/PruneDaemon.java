package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.EventWriter;
import dev.fallow.adapters.kubernetes.FollowedKinds;
import dev.fallow.adapters.kubernetes.InformerClusterReader;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.LeaderLease;
import dev.fallow.adapters.kubernetes.WorkloadWriter;
import dev.fallow.app.ExitCode;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.output.PruneTable;
import dev.fallow.app.prune.Pruner;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Catalogue.RunMode;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.Unavailable;
import dev.fallow.core.idle.UsageSource;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

/** Pruning that stays: a cycle, a pause, a cycle, until it is told to stop. */
final class PruneDaemon {

  private final Call call;
  private final LiveCluster cluster;
  private final Settings settings;
  private final Stopping stopping;

  private PruneDaemon(Call call, LiveCluster cluster, Stopping stopping) {
    this.call = call;
    this.cluster = cluster;
    this.settings = cluster.settings();
    this.stopping = stopping;
  }

  static int run(Call call, LiveCluster cluster, Stopping stopping) {
    new PruneDaemon(call, cluster, stopping).loop();
    return ExitCode.DONE;
  }

  private void loop() {
    boolean dryRun = settings.of(Catalogue.RUN_MODE) == RunMode.DRY_RUN;
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
            new EventJournal(new EventWriter(changes)),
            settings,
            Clock.systemUTC(),
            new Leading(lease),
            StepsOfTests.OBSERVER);
    lease.awaitFirstAnswer(Duration.ofSeconds(10));
    lease.impediment().ifPresent(call.console()::say);
    long interval = settings.of(Catalogue.CHECK_INTERVAL).toNanos();
    do {
      long begun = System.nanoTime();
      cycle(pruner, dryRun, lease);
      long rest = interval - (System.nanoTime() - begun);
      if (stopping.askedWithin(Duration.ofNanos(Math.max(rest, 0)))) {
        return;
      }
    } while (true);
  }

  private void cycle(Pruner pruner, boolean dryRun, LeaderLease lease) {
    try {
      if (!lease.leads()) {
        call.console().say("standing by: another instance leads");
        return;
      }
      Pruner.Report report = dryRun ? pruner.rehearse() : pruner.cycle();
      call.console().say(PruneTable.summary(report, dryRun));
    } catch (Unavailable failure) {
      call.console().say("nothing is judged in this cycle: " + failure.getMessage());
    }
    call.console().flush();
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
