package dev.fallow.systemtests.autoscale;

import com.sun.net.httpserver.HttpServer;
import dev.fallow.rig.ApiClient;
import dev.fallow.rig.FreePort;
import dev.fallow.rig.Json;
import dev.fallow.rig.Part;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigException;
import dev.fallow.rig.RigNode;
import dev.fallow.rig.RigPrometheus;
import dev.fallow.systemtests.faults.FallowProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * A cluster whose pods come and go, an exporter that tells what their GPUs do, and {@code fallow
 * serve --only metrics} with nothing but the rights it ships with. A Prometheus reads the exporter,
 * or there is none and the program does so itself.
 */
final class AutoscaleStage implements AutoCloseable {
  private static final String SCALE_TO_ZERO = "--feature-gates=HPAScaleToZero=true";

  final Rig rig;
  private final Optional<RigPrometheus> prometheus;
  private final FallowProcess served;
  private final FallowProcess publishing;
  private HttpServer exporter;
  private final Map<String, Scenario> scenarios = new ConcurrentHashMap<>();
  private final Map<String, Double> loads = new ConcurrentHashMap<>();

  static AutoscaleStage withPrometheus(Path folder) {
    return new AutoscaleStage(folder, true);
  }

  static AutoscaleStage withoutPrometheus(Path folder) {
    return new AutoscaleStage(folder, false);
  }

  private AutoscaleStage(Path folder, boolean scraped) {
    rig =
        Rig.builder()
            .everything()
            .withCrds()
            .flag(Part.API_SERVER, SCALE_TO_ZERO)
            .flag(Part.CONTROLLER_MANAGER, SCALE_TO_ZERO)
            .start();
    rig.admin().createNode(RigNode.named("n1").gpus(200).capacity("amd.com/gpu", "8"));
    rig.admin().createNode(RigNode.named("n2").capacity("nvidia.com/mig-1g.10gb", "7"));
    rig.admin()
        .createNode(
            RigNode.named("n3")
                .capacity("nvidia.com/gpu.shared", "16")
                .label("nvidia.com/gpu.sharing-strategy", "time-slicing")
                .label("nvidia.com/gpu.replicas", "2"));
    rig.kubectl("apply", "-k", root().resolve("deploy/metrics").toString());
    rig.kubectl("create", "namespace", "ml");
    rig.kubectl("create", "namespace", "alone");
    // The real Service leads to pods; here the program is a process of this machine.
    rig.kubectl("delete", "deployment,service", "-n", "fallow-system", "fallow-metrics");
    rig.kubectl(
        "create",
        "service",
        "externalname",
        "fallow-metrics",
        "-n",
        "fallow-system",
        "--external-name=localhost");
    exporter = exporter(0);
    String exposed = "127.0.0.1:" + exporter.getAddress().getPort();
    prometheus =
        scraped
            ? Optional.of(
                RigPrometheus.builder()
                    .scrape("dcgm-exporter", Duration.ofSeconds(2), exposed)
                    .start())
            : Optional.empty();
    List<String> source =
        prometheus
            .map(one -> List.of("--prometheus-url", one.url().toString()))
            .orElse(
                List.of(
                    "--source",
                    "scrape",
                    "--exporters",
                    "http://" + exposed + "/metrics",
                    "--scrape-interval",
                    "2s",
                    "--gpu-metrics",
                    "on"));
    int port = FreePort.pick();
    served =
        serve(
            folder,
            "metrics",
            source,
            "--metrics-apis",
            "custom,external",
            "--metrics-port",
            "" + port,
            "--metrics-service",
            "fallow-system/fallow-metrics:" + port);
    publishing = scraped ? serve(folder, "exporter", source) : served;
  }

  private FallowProcess serve(Path folder, String part, List<String> source, String... more) {
    List<String> words = new ArrayList<>(List.of("serve", "--only", part));
    words.addAll(
        List.of(
            "--kubeconfig",
            rig.kubeconfigForServiceAccount("fallow-system", "fallow-metrics").toString()));
    words.addAll(source);
    words.addAll(List.of(more));
    return FallowProcess.daemon(folder, part, Map.of(), words);
  }

  /** What the exporter of use publishes; nothing while it does not. */
  String published() {
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI page = URI.create("http://127.0.0.1:" + publishing.port() + "/metrics");
      return http.send(
              HttpRequest.newBuilder(page).timeout(Duration.ofSeconds(10)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException notYet) {
      return "";
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  static Path root() {
    return Path.of(System.getProperty("fallow.root", "."));
  }

  /** From now on nobody listens where the exporter was. */
  void stopExporter() {
    exporter.stop(0);
  }

  void startExporter() {
    exporter = exporter(exporter.getAddress().getPort());
  }

  private HttpServer exporter(int port) {
    try {
      HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext(
          "/metrics",
          exchange -> {
            byte[] body = samples().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
          });
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String samples() {
    Map<String, List<Exposed.Pod>> byApp = new HashMap<>();
    rig.admin().get("/api/v1/pods").orThrow().json().at("items").items().stream()
        .filter(pod -> pod.at("status", "phase").text().equals("Running"))
        .filter(pod -> pod.at("metadata", "deletionTimestamp").isMissing())
        .sorted(
            Comparator.comparing((Json pod) -> pod.at("metadata", "creationTimestamp").text())
                .thenComparing(pod -> pod.at("metadata", "name").text()))
        .forEach(pod ->
            byApp
                .computeIfAbsent(
                    pod.at("metadata", "labels", "app").text(), app -> new ArrayList<>())
                .add(
                    new Exposed.Pod(
                        pod.at("metadata", "namespace").text(),
                        pod.at("metadata", "name").text(),
                        pod.at("spec", "nodeName").text())));
    StringBuilder text = new StringBuilder();
    scenarios.forEach((name, scenario) ->
        text.append(
            scenario
                .exposed()
                .of(byApp.getOrDefault(name, List.of()), loads.getOrDefault(name, 0.0))));
    return text.toString();
  }

  ApiClient api() {
    return rig.admin();
  }

  RigPrometheus prometheus() {
    return prometheus.orElseThrow();
  }

  /** Its GPUs are measured from now on, and it has this much to do. */
  void measure(Scenario scenario, double load) {
    loads.put(scenario.name(), load);
    scenarios.put(scenario.name(), scenario);
  }

  /** Puts the workload there, without an autoscaler. */
  void deploy(Scenario scenario) {
    measure(scenario, scenario.load());
    api().post(scenario.collection(), scenario.workloadJson()).orThrow();
  }

  void autoscale(Scenario scenario) {
    api().post(scenario.autoscalers(), scenario.autoscalerJson()).orThrow();
  }

  long replicas(Scenario scenario) {
    return api().get(scenario.path()).orThrow().json().at("spec", "replicas").number();
  }

  Json autoscaler(Scenario scenario) {
    return api().get(scenario.autoscalers() + "/" + scenario.name()).orThrow().json();
  }

  /** The status of an HPA's condition: True, False, or nothing. */
  String condition(Scenario scenario, String type) {
    return autoscaler(scenario).at("status", "conditions").items().stream()
        .filter(condition -> condition.at("type").text().equals(type))
        .map(condition -> condition.at("status").text())
        .findFirst()
        .orElse("");
  }

  List<Json> pods(Scenario scenario) {
    return api()
        .get(
            "/api/v1/namespaces/"
                + scenario.namespace()
                + "/pods?labelSelector=app="
                + scenario.name())
        .orThrow()
        .json()
        .at("items")
        .items();
  }

  boolean allRunning(Scenario scenario) {
    return pods(scenario).stream()
        .allMatch(pod -> pod.at("status", "phase").text().equals("Running"));
  }

  /** Those that are not where they should be, with what their autoscaler says. */
  List<String> astray(Map<Scenario, Integer> wanted) {
    List<String> astray = new ArrayList<>();
    wanted.forEach((one, replicas) -> {
      long is = replicas(one);
      if (is != replicas) {
        astray.add(
            "%s has %d and not %d: %s"
                .formatted(one.name(), is, replicas, autoscaler(one).at("status")));
      }
    });
    return astray;
  }

  /** Whether the metrics APIs answer at all. */
  boolean answers() {
    try {
      return rig.kubectl("get", "--raw", "/apis/custom.metrics.k8s.io/v1beta1")
          .contains("pods/gpu_utilization");
    } catch (RigException notYet) {
      return false;
    }
  }

  @Override
  public void close() {
    served.close();
    publishing.close();
    prometheus.ifPresent(RigPrometheus::close);
    exporter.stop(0);
    rig.close();
  }
}
