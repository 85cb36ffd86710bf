package dev.fallow.bench;

import dev.fallow.app.Inspection;
import dev.fallow.app.settings.Settings;
import dev.fallow.app.web.FleetBoard;
import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.acknowledge.KeepTerm;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.idle.Judge;
import dev.fallow.core.idle.Usage;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import dev.fallow.server.Router;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import dev.fallow.server.access.Guard;
import dev.fallow.server.fleet.FleetPicture;
import dev.fallow.server.fleet.FleetRoutes;
import dev.fallow.server.fleet.FleetSource;
import dev.fallow.server.fleet.Hands;
import dev.fallow.server.fleet.WorkloadItem;
import dev.fallow.server.health.Health;
import dev.fallow.server.stream.FleetStream;
import dev.fallow.sim.SimClusterReader;
import dev.fallow.sim.SimUsageSource;
import dev.fallow.sim.SimulatedFleet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The dashboard's server over a simulated fleet, in a process of its own so that the figures are
 * the server's. For each line it reads it takes a new look, a minute after the one before. The
 * fleet is shown several times over, each time in other namespaces: so a heap like the daemon's
 * holds what is shown of a fleet whose samples, all at once, would not fit into it.
 */
public final class WebServer {

  /** Which of the fleets somebody sees; all of them without it. */
  static final String SEES = "X-Sees";

  private WebServer() {}

  /**
   * @param arguments the number of GPU pods, and how many times they are shown
   */
  public static void main(String... arguments) throws Exception {
    SimulatedFleet fleet = SimulatedFleet.sized(1, Integer.parseInt(arguments[0]));
    Settings settings = Settings.defaults();
    Shown shown = new Shown(Integer.parseInt(arguments[1]));
    Door door = new ByFleet();
    FleetStream stream = new FleetStream(door);
    List<Route> routes = new ArrayList<>(FleetRoutes.of(shown, new NoHands(), new Guard(door)));
    routes.addAll(stream.routes());
    HttpFront front =
        HttpFront.start("127.0.0.1", 0, new Router(routes), Throwable::printStackTrace);
    FleetBoard board =
        new FleetBoard(
            settings, Optional.empty(), new Health(), Map.of("cluster", "bench", "demo", false));
    FleetStream nobodys = new FleetStream(door);
    Instant at = SimulatedFleet.DEMO_START;
    int read;
    do {
      board.show(look(fleet, at, settings), decision -> Optional.empty(), nobodys, List.of());
      shown.show(board.picture());
      stream.publish(shown.picture(), List.of());
      System.out.println(front.port() + " " + shown.picture().items().size());
      at = at.plusSeconds(60);
      read = System.in.read();
    } while (read == '\n');
    front.stop(Duration.ofSeconds(1));
  }

  private static Inspection look(SimulatedFleet fleet, Instant at, Settings settings) {
    ClusterState cluster = new SimClusterReader(fleet, () -> at).read();
    Usage usage =
        new SimUsageSource(fleet).read(at, Judge.windowNeeded(cluster, settings.idleRule()));
    return Inspection.of(cluster, (when, window) -> usage, at, settings);
  }

  /** The same picture several times over. */
  private static final class Shown implements FleetSource {
    private final int times;
    private volatile FleetPicture picture = FleetPicture.NONE;

    Shown(int times) {
      this.times = times;
    }

    void show(FleetPicture one) {
      List<WorkloadItem> items = new ArrayList<>();
      for (WorkloadItem item : one.items()) {
        for (int i = 0; i < times; i++) {
          items.add(in(item.namespace() + "-" + i, item));
        }
      }
      picture = new FleetPicture(one.number(), one.at(), items, one.summary(), one.nodes());
    }

    private static WorkloadItem in(String namespace, WorkloadItem item) {
      String workload = item.kind() + "/" + namespace + "/" + item.name();
      Map<String, Object> fields = new LinkedHashMap<>(item.fields());
      fields.put("workload", workload);
      fields.put("namespace", namespace);
      return new WorkloadItem(
          workload,
          namespace,
          item.kind(),
          item.name(),
          item.state(),
          item.verdict(),
          item.words(),
          item.wastedPerHour(),
          item.costPerHour(),
          item.gpus(),
          item.use(),
          item.idleSince(),
          fields);
    }

    @Override
    public FleetPicture picture() {
      return picture;
    }

    @Override
    public Optional<Map<String, Object>> why(WorkloadItem item) {
      return Optional.empty();
    }
  }

  /** Whoever names a fleet sees its namespaces, and who names none sees all. */
  private static final class ByFleet implements Door {
    @Override
    public Caller caller(Request request) {
      return new Caller(request.header(SEES).orElse(""), List.of(), "none", true);
    }

    @Override
    public boolean sees(Caller caller, String namespace) {
      return caller.name().isEmpty() || namespace.endsWith("-" + caller.name());
    }

    @Override
    public boolean changes(Caller caller, String namespace, String kind, String name) {
      return false;
    }

    @Override
    public List<String> signIn() {
      return List.of();
    }

    @Override
    public String cure() {
      return "";
    }
  }

  /** Nothing is changed here. */
  private static final class NoHands implements Hands {
    @Override
    public Keep keep(WorkloadItem item, KeepTerm term, String reason, Caller caller) {
      return new Keep(Instant.EPOCH, "", "");
    }

    @Override
    public void endKeep(WorkloadItem item, Caller caller) {}

    @Override
    public void pause(WorkloadItem item, String reason, Caller caller) {}

    @Override
    public void resume(WorkloadItem item, Caller caller) {}
  }
}
