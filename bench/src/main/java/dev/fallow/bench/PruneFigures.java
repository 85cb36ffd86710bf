package dev.fallow.bench;

import dev.fallow.bench.FallowProcess.Run;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigPrometheus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One dry run of {@code bin/fallow prune} on a real API server and a real Prometheus, the start of
 * the JVM included: once with every GPU idle, once with one Deployment of ten.
 */
public final class PruneFigures {

  private static final int RUNS = 3;

  private PruneFigures() {}

  /**
   * @param arguments the number of GPU pods
   */
  public static void main(String... arguments) throws Exception {
    int pods = Integer.parseInt(arguments[0]);
    List<BenchFleet> fleets = List.of(new BenchFleet(pods, 1, 1), new BenchFleet(pods, 1, 10));
    for (BenchFleet fleet : fleets) {
      SampleBlocks.of(fleet);
      Progress.say(fleet.idlePods() + " of " + pods + " pods idle: the samples are there");
    }
    try (Rig rig = Rig.builder().start()) {
      new ClusterLoad(fleets.getFirst(), rig.admin()).write();
      Progress.say(pods + " pods: the objects are there");
      for (BenchFleet fleet : fleets) {
        measure(fleet, rig);
      }
    }
  }

  private static void measure(BenchFleet fleet, Rig rig) throws Exception {
    try (RigPrometheus prometheus =
        RigPrometheus.builder().blocks(SampleBlocks.of(fleet)).start()) {
      Asked before = Asked.of(rig, prometheus);
      List<Run> runs = new ArrayList<>(List.of(prune(rig, prometheus)));
      Asked asked = Asked.of(rig, prometheus).since(before);
      while (runs.size() < RUNS) {
        runs.add(prune(rig, prometheus));
      }
      String which = "prune, %d of %d pods idle".formatted(fleet.idlePods(), fleet.pods());
      System.out.printf(
          "%s: exit %d, %s%n", which, runs.getFirst().exitCode(), runs.getFirst().said());
      System.out.printf(
          "%s: %d API requests; %d Prometheus queries; median of %d runs %.1f s (%s), %.1f s of the"
              + " processor; largest peak %.0f MiB%n",
          which,
          asked.requests(),
          asked.queries(),
          RUNS,
          median(runs, Run::seconds),
          String.join(", ", runs.stream().map(run -> "%.1f".formatted(run.seconds())).toList()),
          median(runs, run -> run.cpu().toMillis() / 1e3),
          runs.stream().mapToDouble(Run::mebibytes).max().orElseThrow());
    }
  }

  private static double median(List<Run> runs, Function<Run, Double> which) {
    return runs.stream().map(which).sorted().toList().get(runs.size() / 2);
  }

  private static Run prune(Rig rig, RigPrometheus prometheus) throws IOException {
    return FallowProcess.run(
        List.of(
            "bin/fallow",
            "prune",
            "--kubeconfig",
            rig.kubeconfig().toString(),
            "--prometheus-url",
            prometheus.url().toString(),
            "--at",
            BenchFleet.AT.toString()),
        Map.of());
  }
}
