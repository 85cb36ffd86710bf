package dev.fallow.adapters.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.adapters.kubernetes.ExporterEndpoints.Endpoint;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** EndpointSlices as a real API server holds them; nothing but the test writes them. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class ExporterEndpointsTest {

  private static Rig rig;

  @BeforeAll
  static void startRig() {
    rig = Rig.builder().user("reader").user("nobody").start();
    rig.kubectl(
        "create",
        "clusterrole",
        "slices",
        "--verb=list",
        "--resource=endpointslices.discovery.k8s.io");
    rig.kubectl("create", "clusterrolebinding", "s", "--clusterrole=slices", "--user=reader");
    await().until(() -> rig.client("reader").get("/apis/discovery.k8s.io/v1/endpointslices").ok());
  }

  @AfterAll
  static void closeRig() {
    rig.close();
  }

  @Test
  void exportersAreFoundByTheirServices() {
    TestCluster.namespace(rig, "gpu-operator", "{}");
    TestCluster.namespace(rig, "amd", "{}");
    slice(
        "gpu-operator",
        "nvidia-dcgm-exporter",
        "IPv4",
        port("gpu-metrics", 9400, ""),
        endpoint("10.0.0.7", "dcgm-a", "gpu-operator", "node-a", true),
        endpoint("10.0.0.8", "dcgm-b", "gpu-operator", "node-b", false));
    slice(
        "gpu-operator",
        "nvidia-dcgm-exporter",
        "IPv6",
        port("gpu-metrics", 9400, ""),
        endpoint("fd00::7", "dcgm-a", "gpu-operator", "node-a", true),
        endpoint("fd00::9", "dcgm-c", "gpu-operator", "node-c", true));
    slice(
        "amd",
        "gpu-device-metrics-exporter",
        "IPv4",
        port("exporter-port", 5001, "https"),
        endpoint("10.0.1.7", "amd-a", "amd", "node-d", true));
    slice(
        "amd",
        "web",
        "IPv4",
        port("metrics", 9400, ""),
        endpoint("10.0.1.8", "web-0", "amd", "node-d", true));

    assertThat(find("reader").notes()).isEmpty();
    assertThat(find("reader").endpoints())
        .contains(
            new Endpoint("https", "10.0.1.7", 5001, "amd", "amd-a", "node-d"),
            new Endpoint("http", "10.0.0.7", 9400, "gpu-operator", "dcgm-a", "node-a"),
            new Endpoint("http", "fd00::9", 9400, "gpu-operator", "dcgm-c", "node-c"))
        .extracting(Endpoint::pod)
        .containsExactlyInAnyOrder("amd-a", "dcgm-a", "dcgm-c");
  }

  @Test
  void nobodySpeaksInTheNameOfAnothersPod() {
    TestCluster.namespace(rig, "tenant", "{}");
    slice(
        "tenant",
        "my-dcgm-exporter",
        "IPv4",
        port("metrics", 9400, ""),
        endpoint("10.6.6.6", "dcgm-a", "gpu-operator", "node-a", true),
        "{\"addresses\":[\"10.6.6.7\"]}");

    assertThat(find("reader").endpoints())
        .noneMatch(endpoint -> endpoint.address().startsWith("10.6.6."));
  }

  @Test
  void whoMayNotListThemIsToldSo() {
    assertThat(find("nobody").endpoints()).isEmpty();
    assertThat(find("nobody").notes())
        .singleElement()
        .asString()
        .startsWith("GPU exporters were not looked for in the cluster: ")
        .contains("forbidden");
  }

  @Test
  void addressesOfVersionSixGetBrackets() {
    assertThat(new Endpoint("http", "fd00::7", 9400, "n", "p", "").url())
        .isEqualTo(URI.create("http://[fd00::7]:9400/metrics"));
  }

  private static ExporterEndpoints.Search find(String user) {
    try (KubernetesConnection connection = TestCluster.connect(rig, user)) {
      return ExporterEndpoints.find(connection, Optional.empty());
    }
  }

  private static String port(String name, int port, String protocol) {
    return "{\"name\":\"%s\",\"port\":%d,\"protocol\":\"TCP\"%s}"
        .formatted(name, port, protocol.isEmpty() ? "" : ",\"appProtocol\":\"" + protocol + "\"");
  }

  private static String endpoint(
      String address, String pod, String namespace, String node, boolean ready) {
    return """
    {"addresses":["%s"],"nodeName":"%s","conditions":{"ready":%s},
     "targetRef":{"kind":"Pod","name":"%s","namespace":"%s"}}\
    """
        .formatted(address, node, ready, pod, namespace);
  }

  private static void slice(
      String namespace, String service, String type, String port, String... endpoints) {
    rig.admin()
        .post(
            "/apis/discovery.k8s.io/v1/namespaces/" + namespace + "/endpointslices",
            """
            {"metadata":{"generateName":"%1$s-","labels":{"kubernetes.io/service-name":"%1$s"}},
             "addressType":"%2$s","ports":[%3$s],"endpoints":[%4$s]}\
            """
                .formatted(service, type, port, String.join(",", List.of(endpoints))))
        .orThrow();
  }
}
