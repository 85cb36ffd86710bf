package dev.fallow.sim;

import dev.fallow.sim.FleetBuilder.Order;
import java.time.Duration;
import java.time.Instant;

/**
 * A fleet of any size for measuring growth: nodes of eight cards, one GPU a pod, nine Deployments
 * to each StatefulSet, two fifths of them idle.
 */
final class SizedFleet {

  private static final int CARDS = 8;
  private static final int TEAMS = 50;

  private SizedFleet() {}

  static SimulatedFleet of(long seed, Instant start, int pods) {
    FleetBuilder fleet = new FleetBuilder(seed, start);
    int nodes = (pods + CARDS - 1) / CARDS;
    for (int i = 0; i < nodes; i++) {
      fleet.node(nodeName(i), GpuModel.A100, CARDS);
    }
    fleet.racked();
    int placed = 0;
    for (int i = 0; placed < pods; i++) {
      int room = Math.min(CARDS - placed % CARDS, pods - placed);
      int replicas = 1 + (int) Math.floorMod(Dice.roll(seed, i), (long) room);
      OwnerKind kind = i % 10 == 9 ? OwnerKind.STATEFUL_SET : OwnerKind.DEPLOYMENT;
      Order order = fleet.workload(kind, "team-" + i % TEAMS, "app-" + i).pods(replicas, 1);
      order.lives(
          new Life.Steady(start.minus(Duration.ofHours(1 + i % 500)), Duration.ofSeconds(30)));
      order.does(activity(seed, i)).on(nodeName(placed / CARDS));
      placed += replicas;
    }
    return fleet.build();
  }

  private static String nodeName(int index) {
    return "gpu-" + index;
  }

  private static Activity activity(long seed, int index) {
    long own = Dice.roll(seed, ~index);
    if (Dice.unit(own, 0) < 0.4) {
      return new Activity.Never();
    }
    return Dice.unit(own, 1) < 0.5
        ? new Activity.Training(own, Duration.ofMinutes(50), Duration.ofMinutes(5))
        : new Activity.Bursts(
            own, Work.INFERENCE, Duration.ofMinutes(20), 0.8, Duration.ofSeconds(120));
  }
}
