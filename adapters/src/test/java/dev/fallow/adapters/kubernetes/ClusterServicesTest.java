package dev.fallow.adapters.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.fallow.core.Unavailable;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus through the API server, rights, and connections that the server turns down. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class ClusterServicesTest {

  private static Rig rig;

  @BeforeAll
  static void startRig() {
    rig = Rig.builder().user("alice").user("operator", "system:masters").user("nobody").start();
    rig.kubectl(
        "create", "clusterrole", "a", "--verb=list", "--resource=pods,services,deployments.apps");
    rig.kubectl("create", "clusterrolebinding", "a", "--clusterrole=a", "--user=alice");
    await().until(() -> rig.client("alice").get("/api/v1/services").ok());
  }

  @AfterAll
  static void closeRig() {
    rig.close();
  }

  @Test
  void prometheusIsFoundByItsServiceAndTheOthersAreNamed() {
    try (KubernetesConnection connection = TestCluster.connect(rig, "alice")) {
      assertThat(PrometheusService.find(connection, Optional.of("mon")))
          .isEqualTo(new PrometheusService.Search(Optional.empty(), List.of()));
      TestCluster.namespace(rig, "mon", "{}");
      service("mon", "prometheus-operated", "{}", "web", 9090);
      service("mon", "alertmanager", "{\"app.kubernetes.io/name\":\"alertmanager\"}", "web", 9093);
      service("mon", "k8s", "{\"app.kubernetes.io/name\":\"prometheus\"}", "http-web", 9091);
      service("mon", "grpc-only", "{\"app.kubernetes.io/name\":\"prometheus\"}", "grpc", 10901);

      PrometheusService.Search search = PrometheusService.find(connection, Optional.empty());

      assertThat(search.service())
          .contains(new PrometheusService("mon", "k8s", "http", "9091", ""));
      assertThat(search.notes())
          .containsExactly(
              "Prometheus is taken to be mon/k8s:9091; there are also"
                  + " mon/prometheus-operated:9090");
    }
  }

  @Test
  void pathThroughTheApiServerNamesSchemeServiceAndPort() {
    assertThat(new PrometheusService("m", "p", "https", "9091", "").proxyPath("/api/v1/query?x=1"))
        .isEqualTo("/api/v1/namespaces/m/services/https:p:9091/proxy/api/v1/query?x=1");
    assertThat(
            new PrometheusService("m", "vmselect-x", "http", "8481", "/select/0/prometheus")
                .proxyPath("api/v1/query"))
        .isEqualTo(
            "/api/v1/namespaces/m/services/http:vmselect-x:8481/proxy/select/0/prometheus/api/v1/query");
  }

  @Test
  void missingRightToTheProxyIsNamed() {
    PrometheusService service = new PrometheusService("default", "p", "http", "9090", "");
    try (KubernetesConnection connection = TestCluster.connect(rig, "alice")) {
      assertThatThrownBy(() -> new ApiServerProxy(connection, service).post("/api/v1/query", "q=1"))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("services/proxy");
    }
    try (KubernetesConnection connection = TestCluster.connect(rig, "operator")) {
      assertThatThrownBy(() -> new ApiServerProxy(connection, service).get("/api/v1/query"))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("does not reach default/p:9090");
    }
  }

  /** The API server passes nothing on to a loopback address, so this one is the machine's own. */
  @Test
  void questionReachesTheServiceBehindTheApiServerWithoutTheCredentials() throws IOException {
    Optional<InetAddress> address = ownAddress();
    assumeTrue(address.isPresent(), "this machine has no address but loopback");
    HttpServer server = HttpServer.create(new InetSocketAddress(address.get(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String heard =
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + " "
                  + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)
                  + " "
                  + exchange.getRequestHeaders().containsKey("Authorization");
          exchange.getResponseHeaders().set("Content-Type", "text/x-heard");
          exchange.sendResponseHeaders(heard.contains("teapot") ? 418 : 200, 0);
          try (OutputStream body = exchange.getResponseBody()) {
            body.write(heard.getBytes(StandardCharsets.UTF_8));
          }
        });
    server.start();
    try (KubernetesConnection connection = TestCluster.connect(rig, "operator")) {
      int port = server.getAddress().getPort();
      service("default", "behind", "{}", "web", port);
      podAt("behind", address.get().getHostAddress());
      rig.admin()
          .post(
              "/api/v1/namespaces/default/endpoints",
              """
              {"metadata":{"name":"behind"},"subsets":[{"addresses":[{"ip":"%s",
                "targetRef":{"kind":"Pod","namespace":"default","name":"behind"}}],
                "ports":[{"name":"web","port":%d}]}]}\
              """
                  .formatted(address.get().getHostAddress(), port))
          .orThrow();
      ApiServerProxy proxy =
          new ApiServerProxy(
              connection,
              new PrometheusService("default", "behind", "http", Integer.toString(port), ""));

      await().ignoreExceptions().until(() -> heardOf(proxy));
      try (ProxyReply reply = proxy.post("/api/v1/query", "query=up%7Ba%3D%22b%22%7D")) {
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.contentType()).isEqualTo("text/x-heard");
        assertThat(reply.body()).hasContent("POST /api/v1/query query=up%7Ba%3D%22b%22%7D false");
      }
      try (ProxyReply reply = proxy.get("/teapot?a=b%20c")) {
        assertThat(reply.status()).isEqualTo(418);
        assertThat(reply.body()).hasContent("GET /teapot?a=b%20c  false");
      }
    } finally {
      server.stop(0);
    }
  }

  /** The API server passes questions on to pods only, and only to the address a pod has. */
  private static void podAt(String name, String address) {
    TestCluster.create(rig, TestCluster.pods("default"), TestCluster.pod(name, "[]", "{}", ""));
    rig.admin()
        .patch(
            TestCluster.pods("default") + "/" + name + "/status",
            "{\"status\":{\"podIP\":\"%1$s\",\"podIPs\":[{\"ip\":\"%1$s\"}]}}".formatted(address))
        .orThrow();
  }

  /** The API server learns of new Services with a delay of its own. */
  private static boolean heardOf(ApiServerProxy proxy) throws IOException {
    try (ProxyReply reply = proxy.get("/")) {
      return reply.status() == 200;
    }
  }

  private static Optional<InetAddress> ownAddress() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(Inet4Address.class::isInstance)
        .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
        .findFirst();
  }

  @Test
  void rightsAreAskedForOneByOne() {
    List<AccessCheck.Question> questions =
        List.of(
            new AccessCheck.Question("list", "", "pods", ""),
            new AccessCheck.Question("patch", "apps", "deployments", "default"),
            new AccessCheck.Question("list", "apps", "deployments", "default"),
            new AccessCheck.Question("create", "", "services/proxy", "default"));
    try (KubernetesConnection connection = TestCluster.connect(rig, "alice")) {
      assertThat(new AccessCheck(connection).ask(questions))
          .extracting(AccessCheck.Answer::allowed)
          .containsExactly(true, false, true, false);
    }
    assertThat(questions.get(1)).hasToString("patch deployments.apps in default");
  }

  @Test
  void wrongTokenIsSaidInASentence(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("wrong");
    Files.writeString(
        file, Files.readString(rig.kubeconfig()).replaceAll("token: .*", "token: wrong"));

    assertThatThrownBy(() -> readWith(file))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("does not accept the credentials")
        .satisfies(e -> assertThat(((Unavailable) e).retryable()).isFalse());
  }

  @Test
  void serverWithAnotherAuthorityIsNotTrusted(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("untrusted");
    Files.writeString(
        file, Files.readString(rig.kubeconfig()).replaceAll("certificate-authority-data: .*", ""));

    assertThatThrownBy(() -> readWith(file))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("cannot be trusted")
        .hasMessageContaining("certificate-authority")
        .satisfies(e -> assertThat(((Unavailable) e).retryable()).isFalse());
  }

  /** A process that ends must not wait for clients that were closed. */
  @Test
  void closedConnectionLeavesNoThreadBehind() {
    for (int i = 0; i < 3; i++) {
      try (KubernetesConnection connection = TestCluster.connect(rig, "alice")) {
        PrometheusService.find(connection, Optional.empty());
      }
    }
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() ->
            Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().contains("SelectorManager"))
                    .count()
                // The rig's own client.
                <= 1);
  }

  private static void readWith(Path kubeconfig) {
    try (KubernetesConnection connection =
        KubernetesConnection.open(
            new ConnectionOptions(Optional.of(kubeconfig), Optional.empty(), "test", Map.of()))) {
      new OneShotClusterReader(connection, Optional.empty()).read();
    }
  }

  private static void service(
      String namespace, String name, String labels, String port, int number) {
    rig.admin()
        .post(
            "/api/v1/namespaces/" + namespace + "/services",
            """
            {"metadata":{"name":"%s","labels":%s},
             "spec":{"ports":[{"name":"%s","port":%d}]}}\
            """
                .formatted(name, labels, port, number))
        .orThrow();
  }
}
