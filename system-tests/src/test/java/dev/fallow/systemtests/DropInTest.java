package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.fallow.rig.ApiClient;
import dev.fallow.rig.FreePort;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The assembled program in gpu-pruner's place: under the arguments, the environment, the rights and
 * the memory limit of its two published sets of manifests. Only what a test cannot have is other:
 * the address of Prometheus, the port, and, through the environment, a shorter time between cycles
 * and namespaces of each set's own.
 */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class DropInTest {

  private static final int LIMIT = 128;
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int BUSY = 18;

  @TempDir static Path folder;

  private static Rig rig;
  private static RigPrometheus prometheus;

  @BeforeAll
  static void start() throws IOException {
    assumeTrue(
        Files.isReadable(root().resolve("app/target/fallow/lib/build-id")),
        "the program is not assembled; run: make build");
    rig = Rig.builder().withCrds().start();
    LiveFleet fleet = new LiveFleet(rig);
    for (String set : List.of("a", "b")) {
      account(fleet, set, set);
      fleet.pod(fleet.deployment("ml-" + set, "trainer", 1), LiveFleet::idle);
    }
    account(fleet, "c", "b");
    for (int i = 0; i < BUSY; i++) {
      fleet.pod(fleet.deployment("others", "server-" + i, 1), LiveFleet::busy);
    }
    prometheus = RigPrometheus.builder().backfill(fleet.samples(folder)).start();
  }

  /** An account of its own, with the rights of a published role. */
  private static void account(LiveFleet fleet, String set, String role) throws IOException {
    String namespace = "gpu-pruner-" + set;
    fleet.namespace(namespace);
    Path file = folder.resolve(set + ".yaml");
    try (InputStream text =
        DropInTest.class.getResourceAsStream("/dropin/role-" + role + ".yaml")) {
      Files.copy(Objects.requireNonNull(text), file);
    }
    rig.kubectl("apply", "-f", file.toString());
    rig.kubectl("create", "serviceaccount", "gpu-pruner", "-n", namespace);
    rig.kubectl(
        "create",
        "clusterrolebinding",
        namespace,
        "--clusterrole=gpu-pruner-" + role,
        "--serviceaccount=" + namespace + ":gpu-pruner");
  }

  @AfterAll
  static void stop() {
    if (rig != null) {
      rig.close();
    }
    if (prometheus != null) {
      prometheus.close();
    }
  }

  @Test
  void underTheManifestsOfGpuPrunerItPrunes() throws Exception {
    int port = FreePort.pick();
    prunes(
        "a",
        port,
        Map.of(),
        "gpu-pruner",
        "-d",
        "--run-mode=scale-down",
        "--prometheus-url=" + prometheus.url(),
        "--metrics-addr=0.0.0.0:" + port);
  }

  /** It has a Slack webhook: nothing is paused before that has taken the notice. */
  @Test
  void underTheManifestsOfItsForkItPrunes() throws Exception {
    int port = FreePort.pick();
    List<String> told = new CopyOnWriteArrayList<>();
    HttpServer slack = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    slack.createContext(
        "/hook",
        exchange -> {
          told.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("ok".getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
    slack.start();
    try {
      prunes(
          "b",
          port,
          Map.of(
              "SLACK_WEBHOOK_URL",
              "http://127.0.0.1:" + slack.getAddress().getPort() + "/hook",
              "FALLOW_DASHBOARD_PORT",
              "" + port,
              // Theirs is five minutes as well; nobody waits for that here.
              "FALLOW_ACK_GRACE_PERIOD",
              "1s",
              "FALLOW_CHECK_INTERVAL",
              "3s"),
          "gpu-pruner",
          "-d",
          "--run-mode=scale-down",
          "--prometheus-url=" + prometheus.url(),
          "--honor-labels",
          "--slack-interaction-port=3002",
          "--slack-channel=#test-pruner");
      assertThat(told.getFirst()).contains("trainer").contains("will be paused");
    } finally {
      slack.stop(0);
    }
  }

  /** The rights that the page for newcomers adds are taken from that page. */
  @Test
  void withTheRightsThatThePageAddsNothingIsMissing() throws Exception {
    String page = Files.readString(root().resolve("docs/coming-from-gpu-pruner.md"));
    String rights = page.substring(page.indexOf("```yaml") + 7, page.lastIndexOf("```"));
    Path file = folder.resolve("rights.yaml");
    Files.writeString(
        file, rights.replace("namespace: gpu-pruner-system\n", "namespace: gpu-pruner-c\n"));
    rig.kubectl("apply", "-f", file.toString());
    rig.kubectl("apply", "-f", root().resolve("deploy/base/workloadstates.yaml").toString());
    rig.kubectl("wait", "--for=condition=Established", "crd/workloadstates.fallow.dev");
    ApiClient account = rig.serviceAccountClient("gpu-pruner-c", "gpu-pruner");
    await().atMost(PATIENCE).until(() -> account.get("/api/v1/nodes").ok());
    int port = FreePort.pick();
    try (MemoryGroup group = group(LIMIT)) {
      Path said = folder.resolve("c.err");
      Process process =
          launch(
              group,
              "c",
              said,
              Map.of("FALLOW_LEASE_NAMESPACE", "gpu-pruner-c"),
              "gpu-pruner",
              "-d",
              "--prometheus-url=" + prometheus.url(),
              "--metrics-addr=127.0.0.1:" + port);
      try {
        await()
            .atMost(PATIENCE)
            .ignoreExceptions()
            .untilAsserted(
                () -> assertThat(get(port, "/metrics")).contains("fallow_cycle_seconds"));
        assertThat(Json.parse(get(port, "/readyz")).at("degraded").items())
            .as(Files.readString(said))
            .isEmpty();
      } finally {
        end(process);
      }
    }
  }

  @Test
  void underALimitThatCannotDoItNamesWhatItNeeds() throws Exception {
    try (MemoryGroup group = group(64)) {
      Path said = folder.resolve("small.err");
      Process process =
          launch(group, "a", said, Map.of(), "gpu-pruner", "-d", "--run-mode=scale-down");
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(2);
      assertThat(Files.readString(said)).contains("limit is 64 MiB").contains("at least");
    }
  }

  private static void prunes(String set, int port, Map<String, String> more, String... words)
      throws Exception {
    String user = "system:serviceaccount:gpu-pruner-" + set + ":gpu-pruner";
    Path said = folder.resolve(set + ".err");
    try (MemoryGroup group = group(LIMIT)) {
      Process process = launch(group, set, said, more, words);
      try {
        await()
            .atMost(PATIENCE)
            .until(() -> !process.isAlive() || trainer(set, "spec", "replicas").number() == 0);
        assertThat(process.isAlive()).as(Files.readString(said)).isTrue();
        assertThat(trainer(set, "metadata", "annotations").keys())
            .contains("fallow.dev/before-pause");
        await()
            .atMost(PATIENCE)
            .untilAsserted(() ->
                assertThat(get(port, "/metrics"))
                    .contains("gpu_pruner_scale_successes_total{kind=\"Deployment\"} 1.0"));
        // Their role lets us ask nobody who somebody is: the page is there, to be looked at.
        assertThat(get(port, "/api/v1/workloads")).contains("\"workload\"");
        assertThat(get(port, "/api/v1/me")).contains("\"mayChange\":false").contains("web-role");
        String ready = get(port, "/readyz");
        assertThat(ready)
            .contains("annotations on namespaces count as absent")
            .contains("GPU models, prices and sharing by node are unknown")
            .contains("this has to be the only instance")
            .contains("KEDA may undo a pause");
        assertThat(rig.audit().of(user).stream().filter(entry -> entry.code() == 403).toList())
            .as("what was asked for and forbidden")
            .hasSizeLessThanOrEqualTo(10);
      } finally {
        report(set, group, process);
        end(process);
      }
      assertThat(process.exitValue()).as("after SIGTERM: " + Files.readString(said)).isZero();
      assertThat(group.kills()).isZero();
    }
    comesBack(set);
  }

  /** As the page for newcomers says. */
  private static void comesBack(String set) throws Exception {
    assertThat(
            rig.kubectl(
                "get",
                "deploy",
                "trainer",
                "-n",
                "ml-" + set,
                "-o",
                "jsonpath={.metadata.annotations.fallow\\.dev/pause-reason}"))
        .contains("To resume: kubectl -n ml-" + set + " ");
    ProcessBuilder resume =
        new ProcessBuilder(
                root().resolve("bin/fallow").toString(),
                "resume",
                "deploy/trainer",
                "-n",
                "ml-" + set)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    resume.environment().put("KUBECONFIG", rig.kubeconfig().toString());
    Process process = resume.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(trainer(set, "spec", "replicas").number()).isEqualTo(1);
  }

  private static void end(Process process) throws InterruptedException {
    process.destroy();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
  }

  private static MemoryGroup group(int mebibytes) {
    Optional<MemoryGroup> group = MemoryGroup.of(mebibytes);
    assumeTrue(
        group.isPresent(), "no cgroup with a memory limit can be made here; that takes root");
    return group.get();
  }

  private static Process launch(
      MemoryGroup group, String set, Path said, Map<String, String> more, String... words)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(root().resolve("bin/gpu-pruner").toString());
    command.addAll(List.of(words));
    ProcessBuilder builder =
        new ProcessBuilder(group.around(command))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(said.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("FALLOW_") || name.contains("_proxy"));
    environment.put("RUST_BACKTRACE", "1");
    environment.put("RUST_LOG", "info");
    environment.put("HOME", folder.resolve("home-" + set).toString());
    environment.put(
        "KUBECONFIG",
        rig.kubeconfigForServiceAccount("gpu-pruner-" + set, "gpu-pruner").toString());
    environment.put("FALLOW_CHECK_INTERVAL", "2");
    environment.put("FALLOW_NAMESPACE", "ml-" + set + "|others");
    environment.putAll(more);
    return builder.start();
  }

  private static void report(String set, MemoryGroup group, Process process) throws IOException {
    String resident =
        process.isAlive()
            ? Files.readAllLines(Path.of("/proc", "" + process.pid(), "status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .findFirst()
                .orElse("")
                .replaceAll("\\D", "")
            : "0";
    Path file = root().resolve("system-tests/target/drop-in-" + set + ".txt");
    Files.writeString(
        file,
        "set %s under %d MiB: the group held at most %d MiB, %d MiB of it no cache at the end; the process %d MiB%n"
            .formatted(
                set,
                LIMIT,
                group.peakMebibytes(),
                group.anonymousMebibytes(),
                Long.parseLong(resident) / 1024));
  }

  private static Json trainer(String set, String... path) {
    return rig.admin()
        .get("/apis/apps/v1/namespaces/ml-" + set + "/deployments/trainer")
        .orThrow()
        .json()
        .at(path);
  }

  private static String get(int port, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private static Path root() {
    return Path.of(System.getProperty("fallow.root", "."));
  }
}
