package dev.fallow.bench;

import dev.fallow.bench.FallowProcess.Run;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigPrometheus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code bin/fallow list} on a real API server and a real Prometheus: what it asks of them, how
 * long it takes and how much memory it holds at most.
 */
public final class ListFigures {

  private static final int RUNS = 3;

  /** Less than the launcher gives, to see how much room there is. */
  private static final String SMALL_HEAP = "-Xmx160m";

  private ListFigures() {}

  /**
   * @param arguments the numbers of GPU pods
   */
  public static void main(String... arguments) throws Exception {
    Progress.say("begins");
    for (String pods : arguments) {
      measure(new BenchFleet(Integer.parseInt(pods)));
    }
  }

  private static void measure(BenchFleet fleet) throws Exception {
    Path past = SampleBlocks.of(fleet);
    Progress.say(fleet.pods() + " pods: the samples are there");
    try (Rig rig = Rig.builder().start();
        RigPrometheus prometheus = RigPrometheus.builder().blocks(past).start()) {
      new ClusterLoad(fleet, rig.admin()).write();
      Progress.say(fleet.pods() + " pods: the objects are there");
      Asked before = Asked.of(rig, prometheus);
      List<Run> runs = new ArrayList<>(List.of(list(rig, prometheus, "")));
      Asked asked = Asked.of(rig, prometheus).since(before);
      while (runs.size() < RUNS) {
        runs.add(list(rig, prometheus, ""));
      }
      report(fleet, asked, runs);
      Run small = list(rig, prometheus, SMALL_HEAP);
      System.out.printf(
          "list, %d pods, %s: exit %d, %.1f s, peak %.0f MiB%n",
          fleet.pods(), SMALL_HEAP, small.exitCode(), small.seconds(), small.mebibytes());
    }
  }

  private static void report(BenchFleet fleet, Asked asked, List<Run> runs) {
    System.out.printf(
        "list, %d pods: exit %d, %s%n",
        fleet.pods(), runs.getFirst().exitCode(), runs.getFirst().said());
    System.out.printf(
        "list, %d pods: %d API requests; %d Prometheus queries; median of %d runs %.1f s; largest"
            + " peak %.0f MiB%n",
        fleet.pods(),
        asked.requests(),
        asked.queries(),
        RUNS,
        runs.stream().map(Run::seconds).sorted().toList().get(RUNS / 2),
        runs.stream().mapToDouble(Run::mebibytes).max().orElseThrow());
  }

  private static Run list(Rig rig, RigPrometheus prometheus, String options) throws IOException {
    return FallowProcess.run(
        List.of(
            "bin/fallow",
            "list",
            "--kubeconfig",
            rig.kubeconfig().toString(),
            "--prometheus-url",
            prometheus.url().toString(),
            "--at",
            BenchFleet.AT.toString()),
        Map.of("FALLOW_JAVA_OPTS", options));
  }
}
