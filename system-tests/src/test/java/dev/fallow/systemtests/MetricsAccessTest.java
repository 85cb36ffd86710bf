package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.adapters.kubernetes.ConnectionOptions;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.app.autoscale.MetricsPlan;
import dev.fallow.app.autoscale.MetricsServer;
import dev.fallow.rig.Json;
import dev.fallow.rig.RigException;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.server.certificate.Credential;
import dev.fallow.server.certificate.Pem;
import dev.fallow.server.metricsapi.MetricsGroup;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who is answered by the metrics APIs, through the API server and past it. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MetricsAccessTest {

  private static final String AUTHENTICATION =
      "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

  private static MetricsStage stage;

  @BeforeAll
  static void start() {
    stage = new MetricsStage();
    stage.deployment("web", 2);
    stage.numbers.loads.put("web", 85.0);
    stage.serve(stage.ourAccount(), stage.service, false, stage.numbers);
    stage.awaitAnsweredBy(stage.service);
  }

  @AfterAll
  static void stop() {
    if (stage != null) {
      stage.close();
    }
  }

  @Test
  @Order(3)
  void eachReadsThroughTheApiServerWhatRbacLetsThem() {
    stage.numbers.loads.put("web", 85.0);
    for (String version : List.of("v1beta1", "v1beta2")) {
      String path = MetricsStage.PODS.replace("v1beta1", version);
      assertThat(stage.rig.client("alice").get(path).body()).contains("\"value\":\"42500m\"");
      assertThat(stage.rig.client("alice").get(path.replace("*", "%2A")).status()).isEqualTo(200);
      assertThat(stage.rig.client("alice").get(path + "?labelSelector=app%3Dweb").status())
          .isEqualTo(200);
      assertThat(stage.rig.client("alice").get(path + "?labelSelector=app%3Dnone").status())
          .isEqualTo(404);
      assertThat(stage.rig.client("alice").get(path + "?labelSelector=app%3D%3D%3D").body())
          .contains("\"reason\":\"BadRequest\"", "labelSelector");
      assertThat(stage.rig.client("bob").get(path).status()).isEqualTo(403);
    }
    assertThat(
            stage
                .rig
                .client("alice")
                .get(MetricsStage.CUSTOM + "/namespaces/ml/pods/*/queue_length")
                .status())
        .isEqualTo(403);
  }

  @Test
  @Order(3)
  void theShippedAccountMayDoNothingElse() {
    for (List<String> deed :
        List.of(
            List.of("get", "secrets/other", "-n", "fallow-system"),
            List.of("list", "secrets", "-n", "fallow-system"),
            List.of("delete", "secrets/fallow-metrics-tls", "-n", "fallow-system"),
            List.of("get", "secrets/fallow-metrics-tls", "-n", "ml"),
            List.of("patch", "apiservices/v1.apps"),
            List.of("delete", "apiservices/v1beta1.custom.metrics.k8s.io"),
            List.of("patch", "deployments", "-n", "ml"),
            List.of("update", "configmaps/extension-apiserver-authentication", "-n", "kube-system"),
            List.of("create", "pods", "-n", "fallow-system"),
            List.of(
                "create",
                "serviceaccounts/fallow-metrics",
                "--subresource=token",
                "-n",
                "fallow-system"),
            List.of("get", "pods", "--subresource=log", "-n", "ml"))) {
      assertThat(may(deed)).as(deed.toString()).isEqualTo("no");
    }
    assertThat(may(List.of("get", "secrets/fallow-metrics-tls", "-n", "fallow-system")))
        .isEqualTo("yes");
  }

  private static String may(List<String> deed) {
    List<String> words = new ArrayList<>(List.of("auth", "can-i"));
    words.addAll(deed);
    words.add("--as=system:serviceaccount:fallow-system:fallow-metrics");
    try {
      return stage.rig.kubectl(words.toArray(String[]::new)).strip();
    } catch (RigException no) {
      // Its exit code says the same as its word.
      return String.valueOf(no.getMessage()).strip().endsWith("no") ? "no" : "failed";
    }
  }

  /** Of several replicas each serves what lies in the Secret, and none makes its own. */
  @Test
  @Order(3)
  void aSecondReplicaServesWithTheSameCertificate() throws Exception {
    stage.numbers.loads.put("web", 85.0);
    KubernetesConnection connection =
        KubernetesConnection.openForChanges(
            new ConnectionOptions(
                Optional.of(stage.ourAccount()), Optional.empty(), "test", Map.of()));
    String bundle = stage.apiService(MetricsStage.APIS.getFirst(), "spec", "caBundle").text();
    try (connection;
        MetricsServer second =
            MetricsServer.start(
                connection,
                new MetricsPlan(
                    EnumSet.allOf(MetricsGroup.class),
                    stage.service,
                    "127.0.0.1",
                    0,
                    false,
                    Optional.empty(),
                    Duration.ofMillis(500)),
                stage.numbers)) {
      await().atMost(MetricsStage.SOON).until(second::ready);
      DirectCaller caller = stage.direct(Optional.empty(), second.port());
      assertThat(
              caller
                  .get(MetricsStage.PODS, "Authorization", "Bearer " + stage.rig.token("alice"))
                  .statusCode())
          .isEqualTo(200);
    }
    assertThat(stage.apiService(MetricsStage.APIS.getFirst(), "spec", "caBundle").text())
        .isEqualTo(bundle);
  }

  private static Credential frontProxyAuthority() throws IOException {
    X509Certificate certificate =
        Pem.certificates(Files.readString(stage.rig.certificates().resolve("front-proxy-ca.crt")))
            .getFirst();
    return new Credential(
        certificate,
        Pem.key(Files.readString(stage.rig.certificates().resolve("front-proxy-ca.key")))
            .orElseThrow());
  }

  private static Credential client(Credential authority, String name, Duration until) {
    Instant now = Instant.now();
    return authority.client(name, now.minus(Duration.ofHours(2)), now.plus(until));
  }

  @Test
  @Order(4)
  void whoCallsDirectlyIsKnownByTheFrontProxysCertificateOrAToken() throws Exception {
    stage.numbers.loads.put("web", 85.0);
    DirectCaller nobody = stage.direct(Optional.empty());
    String[] forged = {"X-Remote-User", "rig-admin", "X-Remote-Group", "system:masters"};
    assertThat(nobody.get(MetricsStage.PODS).statusCode()).isEqualTo(401);
    assertThat(nobody.get(MetricsStage.PODS).body())
        .contains("\"kind\":\"Status\"", "\"code\":401");
    assertThat(nobody.get(MetricsStage.PODS, forged).statusCode()).isEqualTo(401);
    assertThat(nobody.get(MetricsStage.PODS, "Authorization", "Bearer forged").statusCode())
        .isEqualTo(401);
    assertThat(nobody.get("/readyz").statusCode()).isEqualTo(200);

    assertThat(
            nobody
                .get(MetricsStage.PODS, "Authorization", "Bearer " + stage.rig.token("alice"))
                .statusCode())
        .isEqualTo(200);
    assertThat(
            nobody
                .get(MetricsStage.PODS, "Authorization", "Bearer " + stage.rig.token("bob"))
                .body())
        .contains("\"reason\":\"Forbidden\"", "bob", "pods/gpu_utilization");
    // Headers beside a token name nobody: alice stays who she is.
    String queue = MetricsStage.PODS.replace("gpu_utilization", "queue_length");
    assertThat(
            nobody
                .get(
                    queue,
                    "Authorization",
                    "Bearer " + stage.rig.token("alice"),
                    "X-Remote-User",
                    "rig-admin",
                    "X-Remote-Group",
                    "system:masters")
                .statusCode())
        .isEqualTo(403);

    Credential authority = frontProxyAuthority();
    Credential stranger =
        Credential.authority("fallow-rig-front-proxy-ca", Instant.now(), Duration.ofDays(1));
    Duration hour = Duration.ofHours(1);
    for (Credential wrong :
        List.of(
            client(stranger, "front-proxy-client", hour),
            client(authority, "somebody-else", hour),
            client(authority, "front-proxy-client", hour.negated()))) {
      assertThat(stage.direct(Optional.of(wrong)).get(MetricsStage.PODS, forged).statusCode())
          .isEqualTo(401);
    }
    DirectCaller proxy = stage.direct(Optional.of(client(authority, "front-proxy-client", hour)));
    assertThat(proxy.get(MetricsStage.PODS, "X-Remote-User", "alice").statusCode()).isEqualTo(200);
    assertThat(proxy.get(MetricsStage.PODS, "X-Remote-User", "bob").statusCode()).isEqualTo(403);
    assertThat(
            proxy
                .get(
                    MetricsStage.PODS,
                    "X-Remote-User",
                    "system:anonymous",
                    "X-Remote-Group",
                    "system:unauthenticated")
                .statusCode())
        .isEqualTo(403);
    // As the aggregator asks for discovery: with a name and no group.
    assertThat(proxy.get(MetricsStage.CUSTOM, "X-Remote-User", "system:aggregator").statusCode())
        .isEqualTo(200);
    assertThat(proxy.get(MetricsStage.PODS).statusCode()).isEqualTo(401);
  }

  @Test
  @Order(5)
  void anAuthorityThatComesAndGoesIsFollowedOnOpenConnections() {
    Credential next =
        Credential.authority("next-front-proxy-ca", Instant.now(), Duration.ofDays(1));
    DirectCaller caller =
        stage.direct(Optional.of(client(next, "front-proxy-client", Duration.ofHours(1))));
    assertThat(caller.get(MetricsStage.PODS, "X-Remote-User", "alice").statusCode()).isEqualTo(401);
    String before =
        stage
            .rig
            .admin()
            .get(AUTHENTICATION)
            .orThrow()
            .json()
            .at("data", "requestheader-client-ca-file")
            .text();
    trust(before + Pem.of(next.certificate()));
    await()
        .atMost(MetricsStage.SOON)
        .until(() -> caller.get(MetricsStage.PODS, "X-Remote-User", "alice").statusCode() == 200);
    trust(before);
    await()
        .atMost(MetricsStage.SOON)
        .until(() -> caller.get(MetricsStage.PODS, "X-Remote-User", "alice").statusCode() == 401);
    assertThat(stage.rig.client("alice").get(MetricsStage.PODS).status()).isEqualTo(200);
  }

  /** What the API server lets through is looked at once more, on every path. */
  @Test
  @Order(4)
  void whoeverMayNotIsRefusedOnEveryPathInEachVersion() {
    DirectCaller caller = stage.direct(Optional.empty());
    String bob = "Bearer " + stage.rig.token("bob");
    for (String below :
        List.of(
            "namespaces/ml/pods/*/gpu_utilization",
            "namespaces/ml/pods/web-0/DCGM_FI_DEV_GPU_UTIL",
            "namespaces/ml/deployments.apps/web/web_gpu_avg",
            "namespaces/ml/inferenceservices.serving.kserve.io/web/gpu_utilization",
            "namespaces/ml/services/web/gpu_utilization",
            "namespaces/ml/metrics/gpu_utilization",
            "nodes/n1/gpu_utilization")) {
      for (String version : List.of("v1beta1", "v1beta2")) {
        assertForbidden(caller, "/apis/custom.metrics.k8s.io/" + version + "/" + below, bob);
      }
    }
    assertForbidden(
        caller, "/apis/external.metrics.k8s.io/v1beta1/namespaces/ml/queue_length", bob);
  }

  private static void assertForbidden(DirectCaller caller, String path, String token) {
    HttpResponse<String> answer = caller.get(path, "Authorization", token);
    assertThat(answer.statusCode()).as(path).isEqualTo(403);
    assertThat(answer.body())
        .contains(
            "\"kind\":\"Status\"",
            "\"apiVersion\":\"v1\"",
            "\"reason\":\"Forbidden\"",
            "\"code\":403");
  }

  private static void trust(String authorities) {
    stage
        .rig
        .admin()
        .patch(
            AUTHENTICATION,
            "{\"data\":{\"requestheader-client-ca-file\":%s}}".formatted(Json.quote(authorities)))
        .orThrow();
  }

  /** Somebody deletes the certificate: a new authority signs the next, and the API server knows. */
  @Test
  @Order(6)
  void aNewCertificateIsServedAndTrusted() {
    String before = stage.apiService(MetricsStage.APIS.getFirst(), "spec", "caBundle").text();
    stage.rig.kubectl("delete", "secret", "-n", "fallow-system", "fallow-metrics-tls");
    await()
        .atMost(MetricsStage.SOON)
        .untilAsserted(() ->
            assertThat(MetricsStage.APIS)
                .allSatisfy(api ->
                    assertThat(stage.apiService(api, "spec", "caBundle").text())
                        .isNotEqualTo(before)));
    await()
        .atMost(MetricsStage.SOON)
        .untilAsserted(() ->
            assertThat(stage.rig.client("alice").get(MetricsStage.PODS).status()).isEqualTo(200));
    stage.awaitAnsweredBy(stage.service);
  }
}
