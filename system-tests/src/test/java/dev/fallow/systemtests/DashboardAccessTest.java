package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.app.RecordedConsole;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import dev.fallow.systemtests.faults.FallowProcess;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two people and a daemon under its shipped rights: each does what RBAC lets them, and no more. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DashboardAccessTest {

  private static final String TRAINER = "/apis/apps/v1/namespaces/ml/deployments/trainer";
  private static final String API = "/api/v1/workloads/ml/Deployment/trainer";
  private static final String SCALED = "/api/v1/workloads/other/Deployment/server/autoscalers";
  private static final String ROLE =
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/fallow-pruner";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir static Path folder;

  private static Rig rig;
  private static RigPrometheus prometheus;
  private static FallowProcess daemon;

  @BeforeAll
  static void start() {
    rig = Rig.builder().user("alice").user("bob").user("carol").start();
    Path account = ShippedAccount.in(rig);
    LiveFleet fleet = new LiveFleet(rig);
    fleet.pod(fleet.deployment("ml", "trainer", 2), LiveFleet::idle);
    fleet.pod(fleet.deployment("other", "server", 2), LiveFleet::busy);
    grant("alice", "ml", "list,get", "pods");
    grant("alice", "ml", "update", "deployments.apps");
    grant("bob", "ml", "list", "pods");
    grant("carol", "other", "list", "pods");
    fleet.create(
        "/apis/autoscaling/v2/namespaces/other/horizontalpodautoscalers",
        """
        {"metadata":{"name":"of-server"},
         "spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"server"},
           "minReplicas":1,"maxReplicas":5,
           "metrics":[{"type":"Pods","pods":{"metric":{"name":"gpu_engine_active_percent"},
             "target":{"type":"AverageValue","averageValue":"40"}}}]}}
        """);
    prometheus = RigPrometheus.builder().backfill(fleet.samples(folder)).start();
    daemon =
        FallowProcess.daemon(
                folder,
                "daemon",
                Map.of(),
                DaemonWords.of(
                    account,
                    prometheus,
                    folder.resolve("ledger.db"),
                    "--lease-namespace",
                    "fallow-system"),
                "0.0.0.0")
            .awaitUp()
            // A cycle is counted before its picture is shown; when the second is, the first one's
            // is.
            .awaitCycles(2);
  }

  private static void grant(String user, String namespace, String verbs, String resource) {
    String name =
        user + "-" + verbs.replace(',', '-') + "-" + resource.replace('.', '-').replace('/', '-');
    rig.kubectl(
        "create", "role", name, "-n", namespace, "--verb=" + verbs, "--resource=" + resource);
    rig.kubectl("create", "rolebinding", name, "-n", namespace, "--role=" + name, "--user=" + user);
  }

  @AfterAll
  static void stop() {
    if (daemon != null) {
      daemon.close();
    }
    if (rig != null) {
      rig.close();
    }
    if (prometheus != null) {
      prometheus.close();
    }
  }

  private static HttpResponse<String> ask(
      String method, String path, String token, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + daemon.port() + path))
            .timeout(Duration.ofSeconds(30))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .header("Content-Type", "application/json");
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    try {
      return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static Json trainer(String... path) {
    return rig.admin().get(TRAINER).orThrow().json().at(path);
  }

  @Test
  @Order(1)
  void withoutANameNothingIsSeenOrChanged() {
    assertThat(ask("GET", "/api/v1/workloads", "", "").statusCode()).isEqualTo(401);
    assertThat(ask("POST", API + "/keep", "", "{\"hours\":8}", "X-Requested-With", "fallow").body())
        .contains("WHO_ARE_YOU")
        .contains("kubectl create token");
    assertThat(ask("GET", "/api/v1/workloads", "forged", "").statusCode()).isEqualTo(401);
    assertThat(ask("GET", "/metrics", "", "").statusCode()).isEqualTo(200);
    assertThat(trainer("metadata", "annotations", "fallow.dev/keep-until").isMissing()).isTrue();
  }

  @Test
  @Order(1)
  void eachSeesTheirOwnNamespaces() {
    assertThat(ask("GET", "/api/v1/workloads", rig.token("alice"), "").body())
        .contains("Deployment/ml/trainer")
        .doesNotContain("Deployment/other/server");
    assertThat(ask("GET", API + "/why", rig.token("bob"), "").body()).contains("\"timeline\"");
  }

  @Test
  @Order(1)
  void whoSeesAWorkloadSeesWhatItsAutoscalerWillDo() {
    HttpResponse<String> told = ask("GET", SCALED, rig.token("carol"), "");
    assertThat(told.statusCode()).as(told.body()).isEqualTo(200);
    Json hpa = Json.parse(told.body()).at("items").items().getFirst();
    assertThat(hpa.at("hpa").text()).isEqualTo("other/of-server");
    Json metric = hpa.at("metrics").items().getFirst();
    assertThat(metric.at("pods").items().getFirst().at("pod").text()).startsWith("server-");
    assertThat(ask("GET", SCALED, rig.token("alice"), "").statusCode()).isEqualTo(404);
    assertThat(ask("GET", API + "/autoscalers", rig.token("bob"), "").body())
        .isEqualTo("{\"items\":[]}");
  }

  @Test
  @Order(1)
  void whoMayOnlyLookCannotKeepOrResume() {
    for (String verb : List.of("keep", "pause", "resume")) {
      String body = verb.equals("keep") ? "{\"hours\":8}" : "";
      assertThat(ask("POST", API + "/" + verb, rig.token("bob"), body).statusCode()).isEqualTo(403);
    }
    assertThat(
            ask(
                    "POST",
                    "/api/v1/workloads/other/Deployment/server/keep",
                    rig.token("alice"),
                    "{\"hours\":8}")
                .statusCode())
        .as("what one may not see is not there")
        .isEqualTo(404);
    assertThat(trainer("spec", "replicas").number()).isEqualTo(2);
  }

  @Test
  @Order(1)
  void anotherSitesPageCannotAct() {
    assertThat(
            ask(
                    "POST",
                    API + "/keep",
                    rig.token("alice"),
                    "{\"hours\":8}",
                    "Sec-Fetch-Site",
                    "cross-site",
                    "Origin",
                    "https://evil.example")
                .statusCode())
        .isEqualTo(403);
  }

  @Test
  @Order(2)
  void theOwnerKeepsItAndEverybodySeesSo() {
    HttpResponse<String> kept =
        ask("POST", API + "/keep", rig.token("alice"), "{\"hours\":8,\"reason\":\"demo\"}");
    assertThat(kept.statusCode()).as(kept.body()).isEqualTo(200);
    assertThat(trainer("metadata", "annotations", "fallow.dev/kept-by").text()).isEqualTo("alice");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() ->
            assertThat(ask("GET", API, rig.token("bob"), "").body())
                .contains("\"state\":\"KEPT\"")
                .contains("\"by\":\"alice\""));
    assertThat(ask("DELETE", API + "/keep", rig.token("alice"), "").statusCode()).isEqualTo(200);
    assertThat(trainer("metadata", "annotations", "fallow.dev/keep-until").isMissing()).isTrue();
  }

  @Test
  @Order(3)
  void theOwnerPausesItAndWakesItWithOneClick() {
    String before = trainer("spec").toString();
    HttpResponse<String> paused = ask("POST", API + "/pause", rig.token("alice"), "");
    assertThat(paused.statusCode()).as(paused.body()).isEqualTo(200);
    assertThat(trainer("spec", "replicas").number()).isZero();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() ->
            assertThat(ask("GET", API, rig.token("alice"), "").body())
                .contains("\"state\":\"PAUSED\""));
    HttpResponse<String> resumed = ask("POST", API + "/resume", rig.token("alice"), "");
    assertThat(resumed.statusCode()).as(resumed.body()).isEqualTo(200);
    assertThat(trainer("spec").toString()).isEqualTo(before);
    assertThat(trainer("metadata", "annotations").keys())
        .noneMatch(key -> key.startsWith("fallow.dev/"));
  }

  @Test
  @Order(4)
  void historyTellsWhoDidWhat() {
    RecordedConsole direct = history("--server", "http://127.0.0.1:" + daemon.port());
    assertThat(direct.exitCode()).as(direct.err()).isZero();
    assertThat(direct.out())
        .contains("KEEP")
        .contains("PAUSE")
        .contains("RESUME")
        .contains("alice");
    RecordedConsole nobody =
        RecordedConsole.run(
            "history",
            "--server",
            "http://127.0.0.1:" + daemon.port(),
            "--kubeconfig",
            folder.resolve("none").toString());
    assertThat(nobody.exitCode()).isNotZero();
    RecordedConsole book =
        RecordedConsole.run("history", "--ledger", folder.resolve("ledger.db").toString());
    assertThat(book.out()).contains("RESUME");
  }

  /** From a laptop that reaches nothing but the API server. */
  @Test
  @Order(4)
  void historyComesThroughTheApiServer() throws Exception {
    Optional<String> address = address();
    Assumptions.assumeTrue(
        address.isPresent(),
        "the API server proxies to no loopback address, and there is no other");
    // The API server proxies to pods only: one that has this machine's address stands for ours.
    rig.admin()
        .post(
            "/api/v1/namespaces/ml/pods",
            "{\"metadata\":{\"name\":\"behind\"},\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"none\"}]}}")
        .orThrow();
    rig.admin()
        .patch(
            "/api/v1/namespaces/ml/pods/behind/status",
            "{\"status\":{\"podIP\":\"%1$s\",\"podIPs\":[{\"ip\":\"%1$s\"}]}}"
                .formatted(address.get()))
        .orThrow();
    rig.admin()
        .post(
            "/api/v1/namespaces/ml/services",
            "{\"metadata\":{\"name\":\"fallow\"},\"spec\":{\"ports\":[{\"name\":\"dashboard\",\"port\":8080}]}}")
        .orThrow();
    rig.admin()
        .post(
            "/api/v1/namespaces/ml/endpoints",
            "{\"metadata\":{\"name\":\"fallow\"},\"subsets\":[{\"addresses\":[{\"ip\":\"%s\",\"targetRef\":{\"kind\":\"Pod\",\"namespace\":\"ml\",\"name\":\"behind\"}}],\"ports\":[{\"name\":\"dashboard\",\"port\":%d}]}]}"
                .formatted(address.get(), daemon.port()))
        .orThrow();
    grant("alice", "ml", "get", "services/proxy");
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> {
          RecordedConsole proxied = history("--service", "ml/fallow");
          assertThat(proxied.exitCode()).as(proxied.err()).isZero();
          assertThat(proxied.out()).contains("RESUME").contains("alice");
        });
  }

  @Test
  @Order(5)
  void aRightThatTheDaemonLacksIsNamed() {
    int rule = 0;
    for (Json one : rig.admin().get(ROLE).orThrow().json().at("rules").items()) {
      if (one.toString().contains("horizontalpodautoscalers")) {
        break;
      }
      rule++;
    }
    rig.kubectl(
        "patch",
        "clusterrole",
        "fallow-pruner",
        "--type=json",
        "-p",
        "[{\"op\":\"remove\",\"path\":\"/rules/%d\"}]".formatted(rule));
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> {
          HttpResponse<String> told = ask("GET", SCALED, rig.token("carol"), "");
          assertThat(told.statusCode()).isEqualTo(503);
          assertThat(Json.parse(told.body()).at("detail").text())
              .contains("cannot list resource \"horizontalpodautoscalers\"");
        });
  }

  private static RecordedConsole history(String... more) {
    List<String> words = new java.util.ArrayList<>(List.of("history"));
    words.addAll(List.of(more));
    words.addAll(List.of("--kubeconfig", rig.kubeconfigFor("alice").toString()));
    return RecordedConsole.run(words);
  }

  private static Optional<String> address() throws IOException {
    return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(one -> one instanceof Inet4Address && !one.isLoopbackAddress())
        .map(InetAddress::getHostAddress)
        .findFirst();
  }
}
