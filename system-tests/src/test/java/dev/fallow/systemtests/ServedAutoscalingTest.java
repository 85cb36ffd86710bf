package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.fallow.rig.AuditEntry;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigException;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigNode;
import dev.fallow.rig.RigPrometheus;
import dev.fallow.systemtests.faults.FallowProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nothing but {@code fallow serve --only metrics} and plain HPAs: pods come and go, an exporter
 * tells what their GPUs do, Prometheus reads that, and the cluster's own autoscaler follows at its
 * usual pace. A faster one would look again before what it did can show.
 */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ServedAutoscalingTest {

  private static final Duration LIMIT = Duration.ofSeconds(180);
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/ml/deployments";
  private static final String CUSTOM = "/apis/custom.metrics.k8s.io/v1beta2/namespaces/ml";

  @TempDir static Path folder;

  /** Percent of GPUs that a Deployment's work takes, spread over the pods it has. */
  private static final Map<String, Double> LOADS = new ConcurrentHashMap<>();

  private static Rig rig;
  private static HttpServer exporter;
  private static RigPrometheus prometheus;
  private static FallowProcess served;

  @BeforeAll
  static void start() throws IOException {
    rig = Rig.builder().everything().start();
    rig.admin().createNode(RigNode.named("n1").gpus(32));
    Path metrics = Path.of(System.getProperty("fallow.root", ".")).resolve("deploy/metrics");
    rig.kubectl("apply", "-k", metrics.toString());
    rig.kubectl("create", "namespace", "ml");
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
    exporter = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    exporter.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    exporter.createContext(
        "/metrics",
        exchange -> {
          byte[] body = samples().getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    exporter.start();
    prometheus =
        RigPrometheus.builder()
            .scrape(
                "dcgm-exporter",
                Duration.ofSeconds(1),
                "127.0.0.1:" + exporter.getAddress().getPort())
            .start();
    int port;
    try (ServerSocket any = new ServerSocket(0)) {
      port = any.getLocalPort();
    }
    served =
        FallowProcess.daemon(
            folder,
            "metrics",
            Map.of(),
            List.of(
                "serve",
                "--only",
                "metrics",
                "--metrics-apis",
                "custom,external",
                "--metrics-port",
                "" + port,
                "--metrics-service",
                "fallow-system/fallow-metrics:" + port,
                "--kubeconfig",
                rig.kubeconfigForServiceAccount("fallow-system", "fallow-metrics").toString(),
                "--prometheus-url",
                prometheus.url().toString()));
  }

  /** What the exporter of the one node shows: a GPU for each running pod. */
  private static String samples() {
    StringBuilder text = new StringBuilder("# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n");
    List<Json> pods =
        rig.admin().get("/api/v1/namespaces/ml/pods").orThrow().json().at("items").items().stream()
            .filter(pod -> pod.at("status", "phase").text().equals("Running"))
            .filter(pod -> pod.at("metadata", "deletionTimestamp").isMissing())
            .toList();
    for (Json pod : pods) {
      String app = pod.at("metadata", "labels", "app").text();
      long replicas =
          pods.stream()
              .filter(one -> one.at("metadata", "labels", "app").text().equals(app))
              .count();
      String name = pod.at("metadata", "name").text();
      text.append(
          "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-%s\",Hostname=\"n1\",modelName=\"NVIDIA A100-SXM4-80GB\",namespace=\"ml\",pod=\"%s\",container=\"main\"} %s%n"
              .formatted(name, name, Math.min(100, LOADS.getOrDefault(app, 0.0) / replicas)));
    }
    return text.toString();
  }

  @AfterAll
  static void stop() {
    if (served != null) {
      served.close();
    }
    if (prometheus != null) {
      prometheus.close();
    }
    if (exporter != null) {
      exporter.stop(0);
    }
    if (rig != null) {
      rig.close();
    }
  }

  private static void deployment(String name, double load, String metric) {
    LOADS.put(name, load);
    rig.admin()
        .post(
            DEPLOYMENTS,
            """
            {"metadata":{"name":"%1$s"},"spec":{"replicas":1,"selector":{"matchLabels":{"app":"%1$s"}},
              "template":{"metadata":{"labels":{"app":"%1$s"}},"spec":{"containers":[{"name":"main",
                "image":"none","resources":{"limits":{"nvidia.com/gpu":"1"}}}]}}}}
            """
                .formatted(name))
        .orThrow();
    rig.admin()
        .post(
            "/apis/autoscaling/v2/namespaces/ml/horizontalpodautoscalers",
            """
            {"metadata":{"name":"%1$s"},"spec":{"minReplicas":1,"maxReplicas":8,
              "scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"%1$s"},
              "behavior":{"scaleDown":{"stabilizationWindowSeconds":0}},
              "metrics":[%2$s]}}
            """
                .formatted(name, metric))
        .orThrow();
  }

  private static void awaitReplicas(String name, int replicas) {
    await()
        .atMost(LIMIT)
        .untilAsserted(() ->
            assertThat(replicas(name))
                .as(
                    name
                        + " "
                        + rig.admin()
                            .get(
                                "/apis/autoscaling/v2/namespaces/ml/horizontalpodautoscalers/"
                                    + name)
                            .json()
                            .at("status"))
                .isEqualTo(replicas));
  }

  private static long replicas(String name) {
    return rig.admin()
        .get(DEPLOYMENTS + "/" + name)
        .orThrow()
        .json()
        .at("spec", "replicas")
        .number();
  }

  private static AuditLog atWork;

  private static String example(String file) {
    return Path.of(System.getProperty("fallow.root", "."), "deploy/examples/gpu-hpa", file)
        .toString();
  }

  /** The first step of the example: exporters come to the nodes that are named. */
  @Test
  @Order(1)
  void exportersComeToTheNodesThatAreNamed() {
    rig.kubectl("label", "node", "n1", "accelerator=nvidia-gpu");
    rig.kubectl("apply", "-f", example("dcgm-exporter.yaml"));
    await()
        .atMost(LIMIT)
        .untilAsserted(() ->
            assertThat(
                    rig.kubectl(
                        "get",
                        "pods",
                        "-n",
                        "gpu-monitoring",
                        "-l",
                        "app=dcgm-exporter",
                        "-o",
                        "wide"))
                .contains("Running")
                .contains("n1"));
  }

  @Test
  @Order(1)
  void plainAutoscalersReachWhatTheirFormulaSays() {
    deployment(
        "web",
        120,
        "{\"type\":\"Pods\",\"pods\":{\"metric\":{\"name\":\"gpu_utilization\"},"
            + "\"target\":{\"type\":\"AverageValue\",\"averageValue\":\"40\"}}}");
    LOADS.put("cuda-test", 100.0);
    rig.kubectl("apply", "-n", "ml", "-f", example("cuda-test.yaml"));
    await()
        .atMost(LIMIT)
        .ignoreException(RigException.class)
        .untilAsserted(() ->
            assertThat(rig.kubectl("get", "--raw", "/apis/custom.metrics.k8s.io/v1beta1"))
                .contains("deployments.apps/cuda_test_gpu_avg"));
    rig.kubectl("apply", "-n", "ml", "-f", example("hpa.yaml"));
    awaitReplicas("web", 3);
    awaitReplicas("cuda-test", 2);
    await()
        .atMost(LIMIT)
        .ignoreException(RigException.class)
        .untilAsserted(() -> {
          assertThat(
                  rig.kubectl(
                      "get", "--raw", CUSTOM + "/deployments.apps/cuda-test/cuda_test_gpu_avg"))
              .contains("\"value\":\"50\"");
          assertThat(rig.kubectl("get", "hpa", "-n", "ml")).contains("50/50");
        });
    atWork = rig.audit().fromHere();
  }

  @Test
  @Order(2)
  void lessWorkMeansFewerReplicas() {
    LOADS.put("web", 40.0);
    awaitReplicas("web", 1);
    LOADS.put("web", 200.0);
    awaitReplicas("web", 5);
  }

  /** Answers come from memory: however long it serves, nothing is listed anew. */
  @Test
  @Order(3)
  void theApiServerIsNotAskedForListsToAnswer() {
    List<AuditEntry> lists =
        atWork.entries(entry ->
            entry.user().equals("system:serviceaccount:fallow-system:fallow-metrics")
                && entry.verb().equals("list"));
    assertThat(lists).extracting(AuditEntry::uri).isEmpty();
  }

  @Test
  @Order(4)
  void whileNothingIsMeasuredNothingIsScaled() {
    prometheus.process().kill();
    LOADS.put("web", 0.0);
    await()
        .during(Duration.ofSeconds(20))
        .atMost(LIMIT)
        .until(() -> replicas("web") == 5 && replicas("cuda-test") == 2);
    await()
        .atMost(LIMIT)
        .until(() -> rig.admin().get(CUSTOM + "/pods/*/gpu_utilization").status() >= 400);
    assertThat(replicas("web")).isEqualTo(5);
  }
}
