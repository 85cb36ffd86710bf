package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.ActingRights;
import dev.fallow.adapters.kubernetes.Autoscalers;
import dev.fallow.adapters.kubernetes.EventWriter;
import dev.fallow.adapters.kubernetes.FollowedKinds;
import dev.fallow.adapters.kubernetes.InformerClusterReader;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.LeaderLease;
import dev.fallow.adapters.kubernetes.NamedObject;
import dev.fallow.adapters.kubernetes.WorkloadWriter;
import dev.fallow.app.ExitCode;
import dev.fallow.app.autoscale.HpaReckoner;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.log.Log;
import dev.fallow.app.notice.DeedNews;
import dev.fallow.app.notice.NoticeBook;
import dev.fallow.app.notice.NoticeDesk;
import dev.fallow.app.prune.Books;
import dev.fallow.app.prune.Deed;
import dev.fallow.app.prune.Forgetting;
import dev.fallow.app.prune.GpuHours;
import dev.fallow.app.prune.LedgerPlace;
import dev.fallow.app.prune.PruneSigns;
import dev.fallow.app.prune.Pruner;
import dev.fallow.app.report.PriceFile;
import dev.fallow.app.report.WeeklyReport;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Catalogue.RunMode;
import dev.fallow.app.settings.ReportSettings;
import dev.fallow.app.settings.Settings;
import dev.fallow.app.web.ClusterHands;
import dev.fallow.app.web.Dashboard;
import dev.fallow.app.web.FleetBoard;
import dev.fallow.app.web.LiveAutoscalers;
import dev.fallow.core.Unavailable;
import dev.fallow.core.acknowledge.KeepRules;
import dev.fallow.core.idle.UsageSource;
import dev.fallow.core.idle.Verdict;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.Decision;
import dev.fallow.server.Route;
import dev.fallow.server.access.Door;
import dev.fallow.server.metrics.GpuUseMetrics;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.logging.Level;

/** Pruning that stays: a cycle, a pause, a cycle, until it is told to stop. */
final class PruneDaemon {

  /** The lease by which several daemons tell who acts. */
  static final String LEASE = "fallow-prune";

  private final Call call;
  private final LiveCluster cluster;

  /** Between cycles that follow at once there is nothing to give back. */
  private static final Duration WORTH_TIDYING = Duration.ofSeconds(30);

  /** However many people change something, so long a look is left without another. */
  private static final Duration LEAST_REST = Duration.ofSeconds(5);

  /** So long a right that is missing is not asked for again. */
  private static final Duration RIGHTS_HOLD = Duration.ofMinutes(10);

  private final Settings settings;
  private final Stopping stopping;
  private final PruneSigns signs;
  private final List<Deed> deeds = new ArrayList<>();
  private volatile Optional<NoticeDesk> desk = Optional.empty();
  private Optional<WeeklyReport> weekly = Optional.empty();
  private Optional<Forgetting> forgetting = Optional.empty();
  private volatile Optional<DeedNews> news = Optional.empty();
  private Instant rightsAskedAgain = Instant.MIN;

  private PruneDaemon(Call call, LiveCluster cluster, Stopping stopping) {
    this.call = call;
    this.cluster = cluster;
    this.settings = cluster.settings();
    this.stopping = stopping;
    this.signs = new PruneSigns(PriceFile.of(settings));
  }

  /**
   * @param use what else /metrics shows
   */
  static int run(Call call, LiveCluster cluster, Stopping stopping, Optional<GpuUseMetrics> use) {
    Settings settings = cluster.settings();
    Log.start(settings.of(Catalogue.LOG_FORMAT), Level.INFO, Level.SEVERE, call.console().err());
    WebAddress.warning(settings).ifPresent(Log::warn);
    PruneDaemon daemon = new PruneDaemon(call, cluster, stopping);
    use.ifPresent(daemon.signs.metrics()::with);
    daemon.loop();
    return ExitCode.DONE;
  }

  private void loop() {
    boolean dryRun = settings.of(Catalogue.RUN_MODE) == RunMode.DRY_RUN;
    Optional<Ledger> ledger = LedgerPlace.open(settings, call.console().environment());
    ledger.ifPresent(cluster::closing);
    if (ledger.isEmpty() && LedgerPlace.wanted(settings)) {
      signs.withoutLedger();
    }
    KubernetesConnection changes = cluster.forChanges();
    Books books =
        new Books(ledger, new EventWriter(changes)::write, StepsOfTests.OBSERVER)
            .telling(this::heard, signs::ledger);
    Dashboard dashboard = dashboard(ledger, changes, books);
    List<Route> routes = new ArrayList<>(SlackButtons.open(cluster, dashboard, ledger));
    routes.addAll(dashboard.routes());
    WebPort web = cluster.closing(WebPort.open(settings, signs, routes));
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
    UsageSource usage = cluster.sources().growing();
    InformerClusterReader reader =
        cluster.closing(
            new InformerClusterReader(
                cluster.connection(),
                cluster.scope(),
                FollowedKinds.of(settings.of(Catalogue.ENABLED_RESOURCES)),
                settings.of(ReportSettings.TEAM_LABEL)));
    LeaderLease lease = cluster.closing(lease(changes).start());
    Pruner pruner =
        new Pruner(
            reader,
            usage,
            new WorkloadWriter(changes, Clock.systemUTC(), StepsOfTests.OBSERVER),
            books,
            settings,
            Clock.systemUTC(),
            new Leading(lease),
            StepsOfTests.OBSERVER);
    desk =
        Desks.of(
            cluster,
            () ->
                dryRun
                    ? Desks.rehearsed(ledger)
                    : NoticeBook.onTheWorkloads(
                        new WorkloadWriter(changes, Clock.systemUTC(), StepsOfTests.OBSERVER)),
            dryRun,
            signs);
    desk.ifPresent(pruner::telling);
    weekly = Desks.weekly(settings, ledger, desk, signs);
    forgetting = ledger.map(book -> new Forgetting(book, settings.of(Catalogue.LEDGER_RETENTION)));
    news = desk.flatMap(one -> ledger.map(one::news));
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
      cycle(pruner, dryRun, lease, hours, dashboard, begun);
      if (interval > WORTH_TIDYING.toNanos()) {
        // What a look took, somebody else may need until the next one.
        System.gc();
      }
      long took = System.nanoTime() - begun;
      long left = Math.max(interval - took, 0);
      long rest = Math.min(left, Math.max(LEAST_REST.toNanos(), 2 * took));
      stop =
          stopping.askedToStopWithin(Duration.ofNanos(rest))
              || stopping.askedWithin(Duration.ofNanos(left - rest));
    } while (!stop);
    Log.info("fallow stops");
  }

  private void cycle(
      Pruner pruner,
      boolean dryRun,
      LeaderLease lease,
      Optional<GpuHours> hours,
      Dashboard dashboard,
      long begun) {
    try {
      if (!lease.leads() && !dryRun) {
        Pruner.Report seen = pruner.observe();
        signs.standingBy(seen);
        dashboard.show(seen.inspection(), this::pausesAt, heard());
        return;
      }
      Pruner.Report report = dryRun ? rehearsed(pruner, lease) : pruner.cycle();
      double seconds = (System.nanoTime() - begun) / 1e9;
      signs.cycle(report, dryRun, seconds);
      hours.ifPresent(book -> count(book, report));
      weekly.ifPresent(one -> one.at(Instant.now()));
      forgetting.ifPresent(one -> one.at(Instant.now()));
      news.ifPresent(one -> one.at(Instant.now()));
      dashboard.show(report.inspection(), this::pausesAt, heard());
    } catch (Unavailable failure) {
      signs.failed(failure);
    } catch (RuntimeException defect) {
      signs.defect(defect);
    }
  }

  /** Owners are told by one of several instances only. */
  private static Pruner.Report rehearsed(Pruner pruner, LeaderLease lease) {
    return lease.leads() ? pruner.rehearse() : pruner.observe();
  }

  private Dashboard dashboard(Optional<Ledger> ledger, KubernetesConnection changes, Books books) {
    String name = settings.of(Catalogue.CLUSTER_NAME);
    String host = String.valueOf(cluster.connection().server().getHost());
    FleetBoard board =
        new FleetBoard(
            settings,
            ledger,
            signs.health(),
            Map.of("cluster", name.isEmpty() ? host : name, "demo", false, "speed", 1));
    Door door = Doors.of(cluster, board);
    ClusterHands hands =
        new ClusterHands(
            board,
            new WorkloadWriter(changes, Clock.systemUTC(), StepsOfTests.OBSERVER),
            books,
            new KeepRules(settings.of(Catalogue.LONGEST_KEEP)),
            Clock.systemUTC(),
            id ->
                new NamedObject(cluster.connection())
                    .find(id.kind().toLowerCase(Locale.ROOT), id.group(), id.namespace(), id.name())
                    .orElse(id),
            stopping::nudge);
    return new Dashboard(board, hands, door, ledger, autoscalers(board));
  }

  private LiveAutoscalers autoscalers(FleetBoard board) {
    Autoscalers autoscalers = new Autoscalers(cluster.connection());
    return new LiveAutoscalers(
        board,
        autoscalers::in,
        autoscalers::around,
        () ->
            new HpaReckoner(
                cluster.sources().samples(),
                settings.of(Catalogue.EXPORTER_NAMESPACES),
                Clock.systemUTC()));
  }

  /** When its notice ends; what is announced is paused by the next cycle. */
  private Optional<Instant> pausesAt(Decision decision) {
    Optional<Instant> told = desk.flatMap(one -> one.pausesAt(decision));
    if (told.isPresent() && decision.assessment().verdict() instanceof Verdict.Idle) {
      return told;
    }
    boolean pauses =
        decision.action() == Action.PAUSE && settings.of(Catalogue.RUN_MODE) == RunMode.SCALE_DOWN;
    return pauses
        ? Optional.of(
            Instant.now()
                .plus(settings.of(Catalogue.CHECK_INTERVAL))
                .truncatedTo(ChronoUnit.SECONDS))
        : Optional.empty();
  }

  private void heard(Deed deed) {
    signs.deed(deed);
    if (news.isEmpty()) {
      desk.ifPresent(one -> one.tell(deed));
    }
    synchronized (deeds) {
      deeds.add(deed);
    }
  }

  /** What was done since this was asked last. */
  private List<Deed> heard() {
    synchronized (deeds) {
      List<Deed> all = List.copyOf(deeds);
      deeds.clear();
      return all;
    }
  }

  /** A right that is granted later is seen before long; one that is withdrawn shows at once. */
  private void checkRights(ActingRights rights) {
    Instant now = Instant.now();
    if (!now.isBefore(rightsAskedAgain)) {
      try {
        List<String> missing = rights.missing();
        signs.mayNotAct(missing);
        rightsAskedAgain = missing.isEmpty() ? Instant.MAX : now.plus(RIGHTS_HOLD);
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
    return new LeaderLease(
        changes,
        leaseNamespace(settings, changes),
        leaseName(settings),
        host() + "-" + UUID.randomUUID().toString().substring(0, 8),
        LeaderLease.Terms.USUAL);
  }

  static String leaseNamespace(Settings settings, KubernetesConnection connection) {
    String named = settings.of(Catalogue.LEASE_NAMESPACE);
    return named.isEmpty() ? connection.namespace() : named;
  }

  /** Instances for different namespaces act beside each other, and share no lease. */
  static String leaseName(Settings settings) {
    return settings
        .text(Catalogue.NAMESPACE_PATTERN)
        .filter(pattern -> !pattern.isEmpty())
        .map(pattern -> LEASE + String.format(Locale.ROOT, "-%08x", pattern.hashCode()))
        .orElse(LEASE);
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
