package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.EventWriter;
import dev.fallow.adapters.kubernetes.FollowedKinds;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.OneShotClusterReader;
import dev.fallow.adapters.kubernetes.WorkloadWriter;
import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.notice.NoticeBook;
import dev.fallow.app.notice.NoticeChannels;
import dev.fallow.app.notice.NoticeDesk;
import dev.fallow.app.output.OutputFormat;
import dev.fallow.app.output.PruneTable;
import dev.fallow.app.prune.Books;
import dev.fallow.app.prune.Deed;
import dev.fallow.app.prune.Journal;
import dev.fallow.app.prune.LedgerPlace;
import dev.fallow.app.prune.Pruner;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Catalogue.RunMode;
import dev.fallow.app.settings.NoticeSettings;
import dev.fallow.app.settings.ReportSettings;
import dev.fallow.app.settings.Setting;
import dev.fallow.app.settings.Settings;
import dev.fallow.app.settings.SignInSettings;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ClusterReader;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSource;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.RefusalReason;
import dev.fallow.core.prune.Step;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** Finds idle GPU workloads and pauses them; shows what it would do unless told to do it. */
final class PruneCommand {

  private PruneCommand() {}

  /** What pruning goes by, whichever command starts it. */
  static List<Setting<?>> settings() {
    List<Setting<?>> all = new ArrayList<>(Catalogue.rules());
    all.add(Catalogue.NAMESPACE_PATTERN);
    all.addAll(Catalogue.pruning());
    all.addAll(Catalogue.limits());
    all.addAll(Catalogue.sources());
    all.addAll(SignInSettings.all());
    all.addAll(NoticeSettings.all());
    all.addAll(ReportSettings.all());
    return all;
  }

  static CommandSpec spec(String name, Console console) {
    return new CommandBuilder(
            name,
            console,
            "Finds idle GPU workloads and pauses them. Changes nothing unless --run-mode is"
                + " scale-down.")
        .output()
        .settings(settings())
        .settings(Catalogue.notYetWired())
        .cluster()
        .option("--at", "TIME", "The moment to judge in a dry run, in RFC 3339; now by default.")
        .build(PruneCommand::run);
  }

  private static int run(Call call) {
    Settings settings = call.settings();
    warn(call.console(), settings);
    call.output();
    if (call.option("--at").isPresent()
        && (settings.of(Catalogue.DAEMON_MODE)
            || settings.of(Catalogue.RUN_MODE) == RunMode.SCALE_DOWN)) {
      throw new WrongUse(
          "--at: another moment than now can only be judged in a single dry run; leave out "
              + (settings.of(Catalogue.DAEMON_MODE) ? "--daemon-mode" : "--run-mode scale-down"));
    }
    if (!settings.of(Catalogue.DAEMON_MODE)) {
      try (LiveCluster cluster = LiveCluster.open(call, scope(settings))) {
        return once(call, cluster);
      }
    }
    try (Stopping stopping = Stopping.onSignal();
        LiveCluster cluster = LiveCluster.open(call, scope(settings))) {
      return PruneDaemon.run(call, cluster, stopping, Optional.empty());
    }
  }

  /** A pattern that is a plain name needs no other namespace to be read. */
  static Optional<String> scope(Settings settings) {
    return settings
        .text(Catalogue.NAMESPACE_PATTERN)
        .filter(pattern -> pattern.matches("[a-z0-9]([a-z0-9-]*[a-z0-9])?"));
  }

  private static void warn(Console console, Settings settings) {
    List<String> idle =
        Catalogue.notYetWired().stream()
            .filter(settings::isWritten)
            .map(Setting::name)
            .map(name -> "--" + name)
            .toList();
    if (!idle.isEmpty()) {
      console.say("without effect yet: " + String.join(", ", idle));
    }
    NoticeChannels.unheard(settings).forEach(console::say);
  }

  private static int once(Call call, LiveCluster cluster) {
    OutputFormat format = call.output();
    Settings settings = cluster.settings();
    UsageSource usage = cluster.sources().usage();
    boolean dryRun = settings.of(Catalogue.RUN_MODE) == RunMode.DRY_RUN;
    ClusterReader reader =
        new OneShotClusterReader(
            cluster.connection(),
            cluster.scope(),
            FollowedKinds.of(settings.of(Catalogue.ENABLED_RESOURCES)));
    call.console().progress("reading pods, their owners and their GPUs' samples");
    Pruner.Report report =
        dryRun ? rehearsed(call, cluster, reader, usage) : pruned(cluster, reader, usage);
    call.console().progressDone();
    PruneTable.print(call.console(), format, report, dryRun);
    report.inspection().cluster().notes().forEach(call.console()::say);
    return conclude(call.console(), report, dryRun);
  }

  /** Owners are told as in earnest, with a mark; of another moment than now nobody is told. */
  private static Pruner.Report rehearsed(
      Call call, LiveCluster cluster, ClusterReader reader, UsageSource usage) {
    boolean now = call.option("--at").isEmpty();
    Pruner pruner =
        new Pruner(
            reader,
            usage,
            NoActuator.INSTANCE,
            Journal.NONE,
            call.settings(),
            now ? Clock.systemUTC() : Clock.fixed(call.at(), ZoneOffset.UTC),
            Pruner.Leadership.ALONE,
            Step.Observer.NONE);
    Optional<NoticeDesk> desk =
        now
            ? Desks.of(
                cluster,
                () -> Desks.rehearsed(ledger(cluster)),
                true,
                SpokenNotices.to(cluster.console()))
            : Optional.empty();
    desk.ifPresent(pruner::telling);
    Pruner.Report report = pruner.rehearse();
    desk.ifPresent(one -> one.drain(Duration.ofMinutes(1)));
    return report;
  }

  private static Optional<Ledger> ledger(LiveCluster cluster) {
    Optional<Ledger> ledger = LedgerPlace.open(cluster.settings(), cluster.console().environment());
    ledger.ifPresent(cluster::closing);
    return ledger;
  }

  private static Pruner.Report pruned(
      LiveCluster cluster, ClusterReader reader, UsageSource usage) {
    KubernetesConnection changes = cluster.forChanges();
    Optional<Ledger> ledger = ledger(cluster);
    Actuator actuator = new WorkloadWriter(changes, Clock.systemUTC(), StepsOfTests.OBSERVER);
    Pruner pruner =
        new Pruner(
            reader,
            usage,
            actuator,
            new Books(ledger, new EventWriter(changes)::write, StepsOfTests.OBSERVER),
            cluster.settings(),
            Clock.systemUTC(),
            Pruner.Leadership.ALONE,
            StepsOfTests.OBSERVER);
    Optional<NoticeDesk> desk =
        Desks.of(
            cluster,
            () -> NoticeBook.onTheWorkloads(actuator),
            false,
            SpokenNotices.to(cluster.console()));
    desk.ifPresent(pruner::telling);
    Pruner.Report report = pruner.runOnce();
    desk.ifPresent(one -> {
      ledger.ifPresentOrElse(
          book -> one.news(book).at(Instant.now()), () -> report.deeds().forEach(one::tell));
      one.drain(Duration.ofMinutes(1));
    });
    return report;
  }

  /** What a person should hear after the table. */
  private static int conclude(Console console, Pruner.Report report, boolean dryRun) {
    Usage usage = report.inspection().usage();
    if (usage instanceof Usage.Missing missing) {
      throw new Unavailable("prometheus", missing.failure(), missing.retryable());
    }
    if (usage instanceof Usage.Partial partial) {
      console.say(partial.warning());
    }
    report.inspection().decisions().stream()
        .flatMap(decision -> decision.refusal().stream())
        .filter(refusal -> refusal.reason() == RefusalReason.FLEET_IMPLAUSIBLE)
        .findFirst()
        .ifPresent(
            refusal -> console.say("nothing is paused, FLEET_IMPLAUSIBLE: " + refusal.sentence()));
    List<Deed> failed =
        report.deeds().stream().filter(deed -> deed.outcome() instanceof Outcome.Failed).toList();
    failed.forEach(deed ->
        console.say(deed.workload() + " could not be paused: " + deed.outcome().sentence()));
    console.say(PruneTable.summary(report, dryRun));
    return failed.isEmpty() ? ExitCode.DONE : ExitCode.UNAVAILABLE;
  }
}
