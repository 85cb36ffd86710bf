package dev.fallow.bench;

import dev.fallow.app.Inspection;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.idle.Judge;
import dev.fallow.core.idle.Usage;
import dev.fallow.sim.SimClusterReader;
import dev.fallow.sim.SimUsageSource;
import dev.fallow.sim.SimulatedFleet;
import java.time.Instant;
import java.util.Arrays;

/** How the time of one inspection grows with the fleet: the slope of log time over log pods. */
public final class GrowthFigures {

  private static final int[] PODS = {1_000, 10_000, 50_000};
  private static final int RUNS = 5;
  private static final Instant AT = SimulatedFleet.DEMO_START;

  private GrowthFigures() {}

  /** Seconds of one inspection: all of it, and what is left when the evidence is at hand. */
  private record Times(double whole, double decide) {}

  public static void main(String... none) {
    for (int i = 0; i < 10; i++) {
      inspect(SimulatedFleet.sized(1, PODS[0]));
    }
    Times[] medians = new Times[PODS.length];
    for (int i = 0; i < PODS.length; i++) {
      medians[i] = median(SimulatedFleet.sized(1, PODS[i]));
      System.out.printf(
          "growth, %d pods: read, judge and plan %.3f s; judge and plan alone %.3f s%n",
          PODS[i], medians[i].whole, medians[i].decide);
    }
    System.out.printf(
        "growth, slope of log time over log pods: read, judge and plan %.2f; alone %.2f%n",
        slope(Arrays.stream(medians).mapToDouble(Times::whole).toArray()),
        slope(Arrays.stream(medians).mapToDouble(Times::decide).toArray()));
  }

  private static Times median(SimulatedFleet fleet) {
    double[] whole = new double[RUNS];
    double[] decide = new double[RUNS];
    for (int i = 0; i < RUNS; i++) {
      Times times = inspect(fleet);
      whole[i] = times.whole;
      decide[i] = times.decide;
    }
    Arrays.sort(whole);
    Arrays.sort(decide);
    return new Times(whole[RUNS / 2], decide[RUNS / 2]);
  }

  private static Times inspect(SimulatedFleet fleet) {
    System.gc();
    Settings settings = Settings.defaults();
    long begin = System.nanoTime();
    ClusterState cluster = new SimClusterReader(fleet, () -> AT).read();
    Usage usage =
        new SimUsageSource(fleet).read(AT, Judge.windowNeeded(cluster, settings.idleRule()));
    long read = System.nanoTime();
    Inspection inspection = Inspection.of(cluster, (at, window) -> usage, AT, settings);
    long end = System.nanoTime();
    if (inspection.decisions().isEmpty()) {
      throw new IllegalStateException("nothing was judged");
    }
    return new Times((end - begin) / 1e9, (end - read) / 1e9);
  }

  /** Of the straight line that is nearest to the points. */
  private static double slope(double[] seconds) {
    double[] x = Arrays.stream(PODS).mapToDouble(Math::log).toArray();
    double[] y = Arrays.stream(seconds).map(Math::log).toArray();
    double meanX = Arrays.stream(x).average().orElseThrow();
    double meanY = Arrays.stream(y).average().orElseThrow();
    double above = 0;
    double below = 0;
    for (int i = 0; i < x.length; i++) {
      above += (x[i] - meanX) * (y[i] - meanY);
      below += (x[i] - meanX) * (x[i] - meanX);
    }
    return above / below;
  }
}
