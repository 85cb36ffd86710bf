package dev.fallow.bench;

import dev.fallow.bench.FallowProcess.Run;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigPrometheus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * {@code bin/fallow list} on a real API server and a real Prometheus: what it asks of them, how
 * long it takes and how much memory it holds at most.
 */
public final class ListFigures {

  private static final int RUNS = 5;
  private static final List<String> HEAPS = List.of("96m", "112m", "128m", "144m", "160m", "192m");

  private ListFigures() {}

  /**
   * @param arguments the numbers of GPU pods
   */
  public static void main(String... arguments) throws Exception {
    Progress.say("begins");
    for (String pods : arguments) {
      measure(new BenchFleet(Integer.parseInt(pods)), pods.equals(arguments[arguments.length - 1]));
    }
  }

  private static void measure(BenchFleet fleet, boolean tryHeaps) throws Exception {
    Path past = SampleBlocks.of(fleet);
    Progress.say(fleet.pods() + " pods: the samples are there");
    try (Rig rig = Rig.builder().start();
        RigPrometheus prometheus = RigPrometheus.builder().blocks(past).start()) {
      new ClusterLoad(fleet, rig.admin()).write();
      Progress.say(fleet.pods() + " pods: the objects are there");
      report(fleet, rig, prometheus);
      if (tryHeaps) {
        heaps(fleet, rig, prometheus);
      }
    }
  }

  private static void report(BenchFleet fleet, Rig rig, RigPrometheus prometheus) throws Exception {
    long requestsBefore = requests(rig);
    long queriesBefore = queries(prometheus);
    Run first = list(rig, prometheus, Map.of());
    long requests = requests(rig) - requestsBefore;
    long queries = queries(prometheus) - queriesBefore;
    List<Run> runs = IntStream.range(0, RUNS).mapToObj(i -> quietly(rig, prometheus)).toList();
    System.out.printf(
        "list, %d pods: exit %d, %s; %d API requests; %d Prometheus queries; median %.1f s,"
            + " peak %.0f MiB (largest of %d)%n",
        fleet.pods(),
        first.exitCode(),
        first.said(),
        requests,
        queries,
        runs.stream().map(Run::seconds).sorted().toList().get(RUNS / 2),
        runs.stream().max(Comparator.comparing(Run::peakBytes)).orElseThrow().mebibytes(),
        RUNS);
  }

  private static void heaps(BenchFleet fleet, Rig rig, RigPrometheus prometheus)
      throws IOException {
    for (String heap : HEAPS) {
      Run run = list(rig, prometheus, Map.of("FALLOW_JAVA_OPTS", "-Xmx" + heap));
      System.out.printf(
          "list, %d pods, -Xmx%s: exit %d, %.1f s, peak %.0f MiB, %s%n",
          fleet.pods(), heap, run.exitCode(), run.seconds(), run.mebibytes(), run.said());
    }
  }

  private static Run quietly(Rig rig, RigPrometheus prometheus) {
    try {
      return list(rig, prometheus, Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Run list(Rig rig, RigPrometheus prometheus, Map<String, String> environment)
      throws IOException {
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
        environment);
  }

  /** The audit log is written a moment after the answer, so the count is taken once it rests. */
  private static long requests(Rig rig) throws InterruptedException {
    Thread.sleep(1_000);
    return rig.audit().entries(entry -> entry.userAgent().startsWith("fallow/")).size();
  }

  private static long queries(RigPrometheus prometheus) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(prometheus.url().resolve("/metrics")).build();
      return http.send(request, HttpResponse.BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith("prometheus_http_requests_total"))
          .filter(line -> line.contains("handler=\"/api/v1/query\""))
          .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
          .sum();
    }
  }
}
