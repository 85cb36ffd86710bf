package dev.fallow.bench;

import dev.fallow.rig.ApiClient;
import dev.fallow.rig.ApiResponse;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.FreePort;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigException;
import dev.fallow.rig.RigPrometheus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * How long autoscalers wait for the number of their pods, through the API server and its
 * aggregator, as replicas and autoscalers become more. Each asks every 15 seconds, as the cluster's
 * own does; the fleet is always as large.
 */
public final class AutoscaleFigures {

  private static final int PODS = 3_000;
  private static final Duration PERIOD = Duration.ofSeconds(15);
  private static final int PERIODS = 4;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private AutoscaleFigures() {}

  /**
   * @param arguments the replicas of a Deployment, and after a dash the numbers of autoscalers
   */
  public static void main(String... arguments) throws Exception {
    int dash = Arrays.asList(arguments).indexOf("-");
    List<Integer> autoscalers =
        Arrays.stream(arguments).skip(dash + 1L).map(Integer::parseInt).toList();
    for (int i = 0; i < dash; i++) {
      BenchFleet fleet =
          new BenchFleet(PODS).ofReplicas(Integer.parseInt(arguments[i])).at(Instant.now());
      try (Rig rig = Rig.builder().start();
          RigPrometheus prometheus =
              RigPrometheus.builder().flag("--web.enable-remote-write-receiver").start()) {
        new ClusterLoad(fleet, rig.admin()).write();
        try (SampleFeed feed = new SampleFeed(fleet.at(Instant.now()), prometheus.url())) {
          feed.past();
          feed.start();
          Progress.say(fleet.replicas() + " replicas: objects and samples are there");
          measure(fleet, rig, prometheus, autoscalers);
        }
      }
    }
  }

  private static void measure(
      BenchFleet fleet, Rig rig, RigPrometheus prometheus, List<Integer> autoscalers)
      throws Exception {
    int port = FreePort.pick();
    rig.kubectl("create", "namespace", "fallow-system");
    rig.kubectl(
        "create",
        "service",
        "externalname",
        "fallow-metrics",
        "-n",
        "fallow-system",
        "--external-name=localhost");
    try (Daemon served =
        Daemon.start(
            List.of("serve", "--only", "metrics"),
            List.of(
                "--metrics-apis",
                "custom",
                "--metrics-port",
                "" + port,
                "--metrics-service",
                "fallow-system/fallow-metrics:" + port,
                "--kubeconfig",
                rig.kubeconfig().toString(),
                "--prometheus-url",
                prometheus.url().toString()))) {
      awaitNumbers(fleet, rig.admin());
      for (int count : autoscalers) {
        AuditLog audit = rig.audit().fromHere();
        Queries before = Queries.of(prometheus);
        long begun = System.nanoTime();
        Waits waits = ask(fleet, rig.admin(), count);
        double seconds = (System.nanoTime() - begun) / 1e9;
        long lists =
            audit
                .entries(
                    entry -> entry.userAgent().startsWith("fallow/") && entry.verb().equals("list"))
                .size();
        System.out.printf(
            "autoscale, %d replicas, %d autoscalers: %s; %.2f Prometheus queries a second, %d"
                + " lists, %.0f MiB resident%n",
            fleet.replicas(),
            count,
            waits,
            Queries.of(prometheus).since(before).count() / seconds,
            lists,
            served.vitals().residentKiB() / 1024.0);
      }
    }
  }

  private static String path(BenchFleet fleet, int deployment) {
    return "/apis/custom.metrics.k8s.io/v1beta1/namespaces/%s/pods/*/gpu_utilization?labelSelector=app%%3D%s"
        .formatted(fleet.namespace(deployment), fleet.deployment(deployment));
  }

  private static void awaitNumbers(BenchFleet fleet, ApiClient api) throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < deadline) {
      try {
        if (items(api.get(path(fleet, 0))) == fleet.replicas()) {
          return;
        }
      } catch (RigException notYet) {
        // The API server finds the registration in its own time.
      }
      Thread.sleep(500);
    }
    throw new IllegalStateException("there are no numbers: " + api.get(path(fleet, 0)).body());
  }

  private static int items(ApiResponse answer) {
    return answer.status() == 200 ? answer.json().at("items").items().size() : 0;
  }

  /** How long answers took, and how large they were. */
  private record Waits(List<Long> nanos, int bytes) {
    @Override
    public String toString() {
      return "p50 %.1f ms, p99 %.1f ms of %d, %d KB"
          .formatted(at(50), at(99), nanos.size(), bytes / 1024);
    }

    private double at(int percent) {
      return nanos.get(Math.min(nanos.size() - 1, nanos.size() * percent / 100)) / 1e6;
    }
  }

  private static Waits ask(BenchFleet fleet, ApiClient api, int count) throws InterruptedException {
    List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
    int bytes = api.get(path(fleet, 0)).body().length();
    try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        int number = i;
        askers.submit(() -> {
          Thread.sleep(PERIOD.toMillis() * number / count);
          for (int period = 0; period < PERIODS; period++) {
            long begun = System.nanoTime();
            ApiResponse answer = api.get(path(fleet, number % fleet.deployments()));
            long took = System.nanoTime() - begun;
            if (answer.status() != 200) {
              throw new IllegalStateException(answer.body());
            }
            nanos.add(took);
            Thread.sleep(Math.max(0, PERIOD.toMillis() - took / 1_000_000));
          }
          return null;
        });
      }
    }
    if (nanos.size() != count * PERIODS) {
      throw new IllegalStateException("of " + count * PERIODS + " only " + nanos.size());
    }
    List<Long> sorted = new ArrayList<>(nanos);
    Collections.sort(sorted);
    return new Waits(sorted, bytes);
  }
}
