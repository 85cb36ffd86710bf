package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.adapters.kubernetes.ConnectionOptions;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.app.autoscale.MetricsPlan;
import dev.fallow.app.autoscale.MetricsServer;
import dev.fallow.core.autoscale.ApiRegistration.Place;
import dev.fallow.rig.Json;
import dev.fallow.rig.Part;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigNode;
import dev.fallow.server.certificate.Credential;
import dev.fallow.server.certificate.Pem;
import dev.fallow.server.metricsapi.MetricsGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A cluster in which the metrics APIs are served from this process, under the rights of
 * deploy/metrics, with made-up numbers. Alice may read {@code gpu_utilization} of pods in {@code
 * ml}; bob may read nothing.
 */
final class MetricsStage implements AutoCloseable {

  static final Duration SOON = Duration.ofSeconds(90);
  static final List<String> APIS =
      List.of(
          "v1beta1.custom.metrics.k8s.io",
          "v1beta2.custom.metrics.k8s.io",
          "v1beta1.external.metrics.k8s.io");
  static final String CUSTOM = "/apis/custom.metrics.k8s.io/v1beta1";
  static final String PODS = CUSTOM + "/namespaces/ml/pods/*/gpu_utilization";

  private static final String SCALE_TO_ZERO = "--feature-gates=HPAScaleToZero=true";

  final Rig rig;
  final MadeUpNumbers numbers;
  final Place service;
  private final List<AutoCloseable> open = new ArrayList<>();

  MetricsStage() {
    rig =
        Rig.builder()
            .everything()
            .user("alice")
            .user("bob")
            .flag(Part.API_SERVER, SCALE_TO_ZERO)
            .flag(Part.CONTROLLER_MANAGER, SCALE_TO_ZERO)
            .flag(Part.CONTROLLER_MANAGER, "--horizontal-pod-autoscaler-sync-period=2s")
            .start();
    rig.admin().createNode(RigNode.named("n1"));
    Path metrics = Path.of(System.getProperty("fallow.root", ".")).resolve("deploy/metrics");
    rig.kubectl("apply", "-k", metrics.toString());
    rig.kubectl("apply", "-f", metrics.resolve("passing.yaml").toString());
    for (String namespace : List.of("ml", "monitoring")) {
      rig.kubectl("create", "namespace", namespace);
    }
    // The real Service leads to pods; here the server is this very process.
    rig.kubectl("delete", "deployment,service", "-n", "fallow-system", "fallow-metrics");
    service = reachable("fallow-system", "fallow-metrics");
    grant("alice", "custom.metrics.k8s.io", "get", "pods/gpu_utilization");
    numbers =
        new MadeUpNumbers(rig, Set.of("gpu_utilization", "queue_length", "deployment_utilization"));
  }

  @Override
  public void close() {
    for (AutoCloseable one : open.reversed()) {
      try {
        one.close();
      } catch (Exception ending) {
        // The rig ends in any case.
      }
    }
    rig.close();
  }

  /** A Service that the API server reaches on this machine. */
  Place reachable(String namespace, String name) {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    rig.kubectl(
        "create", "service", "externalname", name, "-n", namespace, "--external-name=localhost");
    return new Place(namespace, name, port);
  }

  void grant(String user, String group, String verb, String resource) {
    rig.admin()
        .post(
            "/apis/rbac.authorization.k8s.io/v1/namespaces/ml/roles",
            """
            {"metadata":{"name":"%1$s"},
             "rules":[{"apiGroups":["%2$s"],"resources":["%3$s"],"verbs":["%4$s"]}]}\
            """
                .formatted(user, group, resource, verb))
        .orThrow();
    rig.kubectl("create", "rolebinding", user, "-n", "ml", "--role=" + user, "--user=" + user);
  }

  MetricsServer serve(Path kubeconfig, Place place, boolean takesOver, MadeUpNumbers book) {
    KubernetesConnection connection =
        KubernetesConnection.openForChanges(
            new ConnectionOptions(Optional.of(kubeconfig), Optional.empty(), "test", Map.of()));
    MetricsServer started =
        MetricsServer.start(
            connection,
            new MetricsPlan(
                EnumSet.allOf(MetricsGroup.class),
                place,
                "127.0.0.1",
                place.port(),
                takesOver,
                Optional.empty(),
                Duration.ofMillis(500)),
            book);
    open.add(connection);
    open.add(started);
    await().atMost(SOON).until(started::ready);
    return started;
  }

  Path ourAccount() {
    return rig.kubeconfigForServiceAccount("fallow-system", "fallow-metrics");
  }

  Json apiService(String name, String... path) {
    return rig.admin()
        .get("/apis/apiregistration.k8s.io/v1/apiservices/" + name)
        .orThrow()
        .json()
        .at(path);
  }

  void awaitAnsweredBy(Place place) {
    for (String api : APIS) {
      await()
          .atMost(SOON)
          .ignoreExceptions()
          .untilAsserted(() -> {
            assertThat(apiService(api, "spec", "service", "name").text())
                .isEqualTo(place.service());
            assertThat(
                    apiService(api, "status", "conditions").items().stream()
                        .filter(one -> one.at("type").text().equals("Available"))
                        .map(one -> one.at("status").text() + " " + one.at("message").text()))
                .as(api)
                .containsExactly("True all checks passed");
          });
    }
  }

  void deployment(String name, int replicas) {
    rig.kubectl("create", "deployment", name, "-n", "ml", "--image=none", "--replicas=" + replicas);
    awaitReplicas(name, replicas);
  }

  void awaitReplicas(String name, int replicas) {
    await()
        .atMost(SOON)
        .untilAsserted(() -> {
          Json found = rig.admin().get("/apis/apps/v1/namespaces/ml/deployments/" + name).json();
          assertThat(found.at("spec", "replicas").number()).as(name).isEqualTo(replicas);
          assertThat(found.at("status", "readyReplicas").number()).as(name).isEqualTo(replicas);
        });
  }

  String raw(String path) {
    return rig.kubectl("get", "--raw", path);
  }

  DirectCaller direct(Optional<Credential> shown) {
    return direct(shown, service.port());
  }

  DirectCaller direct(Optional<Credential> shown, int port) {
    Json secret =
        rig.admin()
            .get("/api/v1/namespaces/fallow-system/secrets/fallow-metrics-tls")
            .orThrow()
            .json();
    String authorities =
        new String(
            Base64.getDecoder().decode(secret.at("data", "ca.crt").text()), StandardCharsets.UTF_8);
    DirectCaller caller =
        DirectCaller.of(
            URI.create("https://" + service.host() + ":" + port),
            Pem.certificates(authorities),
            shown);
    open.add(caller);
    return caller;
  }
}
