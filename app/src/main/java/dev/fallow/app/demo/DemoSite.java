package dev.fallow.app.demo;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.app.log.Log;
import dev.fallow.app.notice.NoticeBook;
import dev.fallow.app.notice.NoticeDesk;
import dev.fallow.app.notice.NoticeSigns;
import dev.fallow.app.prune.Books;
import dev.fallow.app.prune.Deed;
import dev.fallow.app.prune.GpuHours;
import dev.fallow.app.prune.PruneSigns;
import dev.fallow.app.prune.Pruner;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.NoticeSettings;
import dev.fallow.app.settings.Settings;
import dev.fallow.app.web.ClusterHands;
import dev.fallow.app.web.Dashboard;
import dev.fallow.app.web.FleetBoard;
import dev.fallow.app.web.OpenDoor;
import dev.fallow.core.Unavailable;
import dev.fallow.core.acknowledge.KeepRules;
import dev.fallow.core.idle.Verdict;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.RetrySchedule;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.Step;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Route;
import dev.fallow.server.Router;
import dev.fallow.server.health.HealthRoutes;
import dev.fallow.server.metrics.MetricsRoutes;
import dev.fallow.sim.SimCluster;
import dev.fallow.sim.SimulatedFleet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The product on the simulated cluster: the same pruner, ledger, API and page as on a real one. */
final class DemoSite implements AutoCloseable {

  private static final int USUAL_PORT = 8080;

  private final FastClock clock;
  private final Settings settings;
  private final PruneSigns signs = new PruneSigns(PriceBook.standard());
  private final Path folder;
  private final Ledger ledger;
  private final Pruner pruner;
  private final Dashboard dashboard;
  private final HttpFront front;
  private final Thread historian;
  private final List<Deed> deeds = new ArrayList<>();
  private final GpuHours hours;
  private final NoticeDesk desk;
  private volatile boolean closed;

  /**
   * @param port where to serve; without one at the usual place, or anywhere if that is taken
   * @param nudge told that a visitor has changed something
   */
  DemoSite(SimulatedFleet fleet, FastClock clock, OptionalInt port, Runnable nudge) {
    this.clock = clock;
    this.settings = Settings.ofFile(Map.of(Catalogue.RUN_MODE.name(), "scale-down"), "the demo");
    this.folder = temporary();
    this.ledger = SqlLedger.at(folder.resolve("ledger.db").toString());
    Books books =
        new Books(Optional.of(ledger), Books.Events.NONE, Step.Observer.NONE)
            .telling(this::heard, signs::ledger);
    SimCluster cluster = new SimCluster(fleet, clock);
    SimActuator actuator = new SimActuator(cluster, clock);
    this.pruner = DemoPruner.on(cluster, actuator, books, settings, clock);
    // Owners are made up here, and take every notice at once; what follows from it is real.
    this.desk =
        new NoticeDesk(
            (to, message) -> new Delivery.Confirmed(clock.instant(), "demo"),
            NoticeBook.onTheWorkloads(actuator),
            new NoticeDesk.Office(
                List.of(new Address(Address.SLACK, "#demo")),
                namespace -> List.of(),
                "demo",
                "",
                false,
                settings.of(NoticeSettings.ACK_GRACE_PERIOD),
                new RetrySchedule(Duration.ofSeconds(10), Duration.ofMinutes(15)),
                PriceBook.standard()),
            clock,
            NoticeSigns.NONE);
    pruner.telling(desk);
    FleetBoard board =
        new FleetBoard(
            settings,
            Optional.of(ledger),
            signs.health(),
            Map.of("cluster", "demo", "demo", true, "speed", clock.speed()));
    ClusterHands hands =
        new ClusterHands(
            board,
            actuator,
            books,
            new KeepRules(settings.of(Catalogue.LONGEST_KEEP)),
            clock,
            id -> id,
            nudge);
    this.dashboard =
        new Dashboard(
            board,
            hands,
            new OpenDoor("visitor"),
            Optional.of(ledger),
            DemoAutoscaler.on(cluster, board, clock));
    try {
      this.front = serve(port);
    } catch (Unavailable taken) {
      desk.close();
      clear(ledger, folder);
      throw taken;
    }
    this.hours = new GpuHours(ledger, Duration.ofMinutes(10));
    this.historian =
        Thread.ofPlatform()
            .daemon()
            .name("history")
            .start(() -> new DemoHistory(fleet, settings, ledger).write(() -> closed));
  }

  private HttpFront serve(OptionalInt port) {
    List<Route> routes = new ArrayList<>(HealthRoutes.of(signs.health()));
    routes.addAll(MetricsRoutes.of(signs.metrics()));
    routes.addAll(dashboard.routes());
    Router router = new Router(routes);
    try {
      return HttpFront.start("127.0.0.1", port.orElse(USUAL_PORT), router, DemoSite::failed);
    } catch (Unavailable taken) {
      if (port.isPresent()) {
        throw new Unavailable(
            taken.source(),
            taken.getMessage() + "; name another with --port, or none",
            false,
            taken);
      }
      return HttpFront.start("127.0.0.1", 0, router, DemoSite::failed);
    }
  }

  private static void failed(Throwable defect) {
    Log.error("a request failed", defect);
  }

  String url() {
    return "http://127.0.0.1:" + front.port() + "/";
  }

  private synchronized void heard(Deed deed) {
    signs.deed(deed);
    deeds.add(deed);
  }

  /** One cycle: judges, pauses, and shows what it found. */
  Pruner.Report cycle() {
    signs.begun();
    long begun = System.nanoTime();
    Pruner.Report report = pruner.cycle();
    signs.cycle(report, false, (System.nanoTime() - begun) / 1e9);
    if (!historian.isAlive()) {
      signs.saved(hours.count(report.inspection()));
    }
    List<Deed> done;
    synchronized (this) {
      done = List.copyOf(deeds);
      deeds.clear();
    }
    dashboard.show(report.inspection(), this::pausesAt, done);
    return report;
  }

  private Optional<Instant> pausesAt(Decision decision) {
    if (!(decision.assessment().verdict() instanceof Verdict.Idle)) {
      return Optional.empty();
    }
    return decision.action() == Action.PAUSE
        ? Optional.of(clock.instant().plus(Duration.ofSeconds(2 * clock.speed())))
        : desk.pausesAt(decision);
  }

  @Override
  public void close() {
    closed = true;
    desk.close();
    front.stop(Duration.ofSeconds(1));
    try {
      historian.join(Duration.ofSeconds(2));
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
    clear(ledger, folder);
  }

  private static void clear(Ledger ledger, Path folder) {
    ledger.close();
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(folder);
    } catch (IOException left) {
      // The system clears its temporary folder.
    }
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("fallow-demo-");
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }
}
