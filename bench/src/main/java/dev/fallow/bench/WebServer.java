package dev.fallow.bench;

import dev.fallow.app.Inspection;
import dev.fallow.app.settings.Settings;
import dev.fallow.app.web.Dashboard;
import dev.fallow.app.web.FleetBoard;
import dev.fallow.app.web.OpenDoor;
import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.acknowledge.KeepTerm;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.idle.Judge;
import dev.fallow.core.idle.Usage;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Router;
import dev.fallow.server.access.Caller;
import dev.fallow.server.autoscale.AutoscalerSource;
import dev.fallow.server.fleet.Hands;
import dev.fallow.server.fleet.WorkloadItem;
import dev.fallow.server.health.Health;
import dev.fallow.sim.SimClusterReader;
import dev.fallow.sim.SimUsageSource;
import dev.fallow.sim.SimulatedFleet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The dashboard's server over a simulated fleet, in a process of its own so that the figures are
 * the server's. It shows two looks a minute apart in turn, a new one for each line it reads.
 */
public final class WebServer {

  private WebServer() {}

  /**
   * @param arguments the number of GPU pods
   */
  public static void main(String... arguments) throws Exception {
    SimulatedFleet fleet = SimulatedFleet.sized(1, Integer.parseInt(arguments[0]));
    Settings settings = Settings.defaults();
    FleetBoard board =
        new FleetBoard(
            settings, Optional.empty(), new Health(), Map.of("cluster", "bench", "demo", false));
    Dashboard dashboard =
        new Dashboard(
            board, new NoHands(), new OpenDoor("visitor"), Optional.empty(), AutoscalerSource.NONE);
    HttpFront front =
        HttpFront.start("127.0.0.1", 0, new Router(dashboard.routes()), Throwable::printStackTrace);
    Inspection[] looks = {
      look(fleet, SimulatedFleet.DEMO_START, settings),
      look(fleet, SimulatedFleet.DEMO_START.plusSeconds(60), settings)
    };
    dashboard.show(looks[0], decision -> Optional.empty(), List.of());
    System.out.println(front.port() + " " + board.picture().items().size());
    int next = 1;
    while (System.in.read() == '\n') {
      dashboard.show(looks[next], decision -> Optional.empty(), List.of());
      System.out.println("shown");
      next = 1 - next;
    }
    front.stop(Duration.ofSeconds(1));
  }

  private static Inspection look(SimulatedFleet fleet, Instant at, Settings settings) {
    ClusterState cluster = new SimClusterReader(fleet, () -> at).read();
    Usage usage =
        new SimUsageSource(fleet).read(at, Judge.windowNeeded(cluster, settings.idleRule()));
    return Inspection.of(cluster, (when, window) -> usage, at, settings);
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
