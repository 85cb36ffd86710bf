package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.adapters.kubernetes.ConnectionOptions;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.app.RecordedConsole;
import dev.fallow.app.autoscale.MetricsPlan;
import dev.fallow.app.autoscale.MetricsServer;
import dev.fallow.core.autoscale.ApiRegistration.Place;
import dev.fallow.rig.Json;
import dev.fallow.rig.Part;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigException;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigNode;
import dev.fallow.server.certificate.Credential;
import dev.fallow.server.certificate.Pem;
import dev.fallow.server.metricsapi.MetricsGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The metrics APIs behind a real API server, under the rights of deploy/metrics, read by the
 * cluster's own autoscaler. The numbers are made up; another server had the APIs before.
 */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MetricsApiTest {

  private static final Duration SOON = Duration.ofSeconds(90);
  private static final List<String> APIS =
      List.of(
          "v1beta1.custom.metrics.k8s.io",
          "v1beta2.custom.metrics.k8s.io",
          "v1beta1.external.metrics.k8s.io");
  private static final String CUSTOM = "/apis/custom.metrics.k8s.io/v1beta1";
  private static final String PODS = CUSTOM + "/namespaces/ml/pods/*/gpu_utilization";
  private static final String AUTHENTICATION =
      "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

  private static final List<AutoCloseable> OPEN = new ArrayList<>();
  private static Rig rig;
  private static MadeUpNumbers numbers;
  private static Place service;

  @BeforeAll
  static void start() throws Exception {
    rig =
        Rig.builder()
            .everything()
            .user("alice")
            .user("bob")
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

  @AfterAll
  static void stop() throws Exception {
    for (AutoCloseable one : OPEN.reversed()) {
      one.close();
    }
    if (rig != null) {
      rig.close();
    }
  }

  /** A Service that the API server reaches on this machine. */
  private static Place reachable(String namespace, String name) throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    rig.kubectl(
        "create", "service", "externalname", name, "-n", namespace, "--external-name=localhost");
    return new Place(namespace, name, port);
  }

  private static void grant(String user, String group, String verb, String resource) {
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

  private static MetricsServer serve(
      Path kubeconfig, Place place, boolean takesOver, MadeUpNumbers book) {
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
    OPEN.add(connection);
    OPEN.add(started);
    await().atMost(SOON).until(started::ready);
    return started;
  }

  private static Path ourAccount() {
    return rig.kubeconfigForServiceAccount("fallow-system", "fallow-metrics");
  }

  private static Json apiService(String name, String... path) {
    return rig.admin()
        .get("/apis/apiregistration.k8s.io/v1/apiservices/" + name)
        .orThrow()
        .json()
        .at(path);
  }

  private static void awaitAnsweredBy(Place place) {
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

  private static void deployment(String name, int replicas) {
    rig.kubectl("create", "deployment", name, "-n", "ml", "--image=none", "--replicas=" + replicas);
    awaitReplicas(name, replicas);
  }

  private static void awaitReplicas(String name, int replicas) {
    await()
        .atMost(SOON)
        .untilAsserted(() -> {
          Json found = rig.admin().get("/apis/apps/v1/namespaces/ml/deployments/" + name).json();
          assertThat(found.at("spec", "replicas").number()).as(name).isEqualTo(replicas);
          assertThat(found.at("status", "readyReplicas").number()).as(name).isEqualTo(replicas);
        });
  }

  /** Another server has the APIs, and is neither robbed nor forgotten. */
  @Test
  @Order(1)
  void anothersApisAreTakenOnlyWhenToldAndTheirNamesStayAnswered() throws Exception {
    Place other = reachable("monitoring", "old-adapter");
    MadeUpNumbers old = new MadeUpNumbers(rig, Set.of("http_requests", "gpu_utilization"));
    old.loads.put("web", 700.0);
    old.loads.put("http_requests", 12.0);
    deployment("web", 2);
    // It has put itself there once, as by a manifest, and does not see to it any more.
    MetricsServer former = serve(rig.kubeconfig(), other, false, old);
    awaitAnsweredBy(other);

    MetricsServer refused = serve(ourAccount(), service, false, numbers);
    RecordedConsole doctor =
        RecordedConsole.run(
            "doctor",
            "--kubeconfig",
            rig.kubeconfig().toString(),
            "--metrics-apis",
            "custom",
            "--metrics-service",
            service.toString(),
            "--prometheus-url",
            "http://127.0.0.1:1");
    assertThat(doctor.out())
        .contains(
            "mend autoscaling: v1beta2.custom.metrics.k8s.io is answered by the Service " + other)
        .contains("--take-over-metrics-apis")
        .contains("ok   autoscaling: v1beta1.external.metrics.k8s.io is answered by the Service");
    assertThat(apiService(APIS.getFirst(), "spec", "service", "name").text())
        .isEqualTo("old-adapter");
    refused.close();

    numbers.loads.put("web", 50.0);
    serve(ourAccount(), service, true, numbers);
    awaitAnsweredBy(service);
    assertThat(
            apiService(APIS.getFirst(), "metadata", "annotations", "fallow.dev/former-owner")
                .text())
        .contains("old-adapter");
    // Ours under its own name, theirs under theirs; and a name of ours that is not measured is
    // not asked of them, though they would have a number for it.
    assertThat(raw(PODS)).contains("\"value\":\"25\"").doesNotContain("\"350\"");
    assertThat(raw(CUSTOM + "/namespaces/ml/pods/*/http_requests")).contains("\"value\":\"350\"");
    assertThat(raw("/apis/external.metrics.k8s.io/v1beta1/namespaces/ml/http_requests"))
        .contains("\"value\":\"12\"");
    numbers.loads.remove("web");
    assertThat(
            rig.admin()
                .get(CUSTOM + "/namespaces/ml/deployments.apps/web/gpu_utilization")
                .status())
        .isEqualTo(404);
    assertThat(rig.admin().get(CUSTOM + "/namespaces/ml/pods/*/nowhere").status()).isEqualTo(404);
    former.close();
    assertThat(rig.admin().get(CUSTOM + "/namespaces/ml/pods/*/http_requests").status())
        .isEqualTo(503);
  }

  private static String raw(String path) {
    return rig.kubectl("get", "--raw", path);
  }

  @Test
  @Order(2)
  void aRegistrationThatSomebodyDeletesIsMadeAgain() {
    for (String api : APIS) {
      rig.kubectl("delete", "apiservice", api);
    }
    awaitAnsweredBy(service);
    assertThat(raw("/apis/custom.metrics.k8s.io"))
        .contains("\"preferredVersion\":{\"groupVersion\":\"custom.metrics.k8s.io/v1beta2\"");
  }

  @Test
  @Order(3)
  void discoveryGoesThroughTheApiServer() {
    for (String version : List.of("v1beta1", "v1beta2")) {
      assertThat(raw("/apis/custom.metrics.k8s.io/" + version))
          .contains("\"name\":\"pods/gpu_utilization\"", "\"kind\":\"MetricValueList\"");
    }
    assertThat(raw("/apis/external.metrics.k8s.io/v1beta1")).contains("\"queue_length\"");
    // kubectl leaves out names with a slash, so of these APIs it shows one.
    assertThat(rig.kubectl("api-resources", "--api-group=external.metrics.k8s.io"))
        .contains("queue_length", "ExternalMetricValueList");
  }

  @Test
  @Order(3)
  void eachReadsThroughTheApiServerWhatRbacLetsThem() {
    numbers.loads.put("web", 85.0);
    for (String version : List.of("v1beta1", "v1beta2")) {
      String path = PODS.replace("v1beta1", version);
      assertThat(rig.client("alice").get(path).body()).contains("\"value\":\"42500m\"");
      assertThat(rig.client("alice").get(path.replace("*", "%2A")).status()).isEqualTo(200);
      assertThat(rig.client("alice").get(path + "?labelSelector=app%3Dweb").status())
          .isEqualTo(200);
      assertThat(rig.client("alice").get(path + "?labelSelector=app%3Dnone").status())
          .isEqualTo(404);
      assertThat(rig.client("alice").get(path + "?labelSelector=app%3D%3D%3D").body())
          .contains("\"reason\":\"BadRequest\"", "labelSelector");
      assertThat(rig.client("bob").get(path).status()).isEqualTo(403);
    }
    assertThat(rig.client("alice").get(CUSTOM + "/namespaces/ml/pods/*/queue_length").status())
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
      return rig.kubectl(words.toArray(String[]::new)).strip();
    } catch (RigException no) {
      // Its exit code says the same as its word.
      return String.valueOf(no.getMessage()).strip().endsWith("no") ? "no" : "failed";
    }
  }

  /** Of several replicas each serves what lies in the Secret, and none makes its own. */
  @Test
  @Order(3)
  void aSecondReplicaServesWithTheSameCertificate() throws Exception {
    numbers.loads.put("web", 85.0);
    KubernetesConnection connection =
        KubernetesConnection.openForChanges(
            new ConnectionOptions(Optional.of(ourAccount()), Optional.empty(), "test", Map.of()));
    String bundle = apiService(APIS.getFirst(), "spec", "caBundle").text();
    try (connection;
        MetricsServer second =
            MetricsServer.start(
                connection,
                new MetricsPlan(
                    EnumSet.allOf(MetricsGroup.class),
                    service,
                    "127.0.0.1",
                    0,
                    false,
                    Optional.empty(),
                    Duration.ofMillis(500)),
                numbers)) {
      await().atMost(SOON).until(second::ready);
      DirectCaller caller = direct(Optional.empty(), second.port());
      assertThat(caller.get(PODS, "Authorization", "Bearer " + rig.token("alice")).statusCode())
          .isEqualTo(200);
    }
    assertThat(apiService(APIS.getFirst(), "spec", "caBundle").text()).isEqualTo(bundle);
  }

  private static DirectCaller direct(Optional<Credential> shown) {
    return direct(shown, service.port());
  }

  private static DirectCaller direct(Optional<Credential> shown, int port) {
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
    OPEN.add(caller);
    return caller;
  }

  private static Credential frontProxyAuthority() throws IOException {
    X509Certificate certificate =
        Pem.certificates(Files.readString(rig.certificates().resolve("front-proxy-ca.crt")))
            .getFirst();
    return new Credential(
        certificate,
        Pem.key(Files.readString(rig.certificates().resolve("front-proxy-ca.key"))).orElseThrow());
  }

  private static Credential client(Credential authority, String name, Duration until) {
    Instant now = Instant.now();
    return authority.client(name, now.minus(Duration.ofHours(2)), now.plus(until));
  }

  @Test
  @Order(4)
  void whoCallsDirectlyIsKnownByTheFrontProxysCertificateOrAToken() throws Exception {
    numbers.loads.put("web", 85.0);
    DirectCaller nobody = direct(Optional.empty());
    String[] forged = {"X-Remote-User", "rig-admin", "X-Remote-Group", "system:masters"};
    assertThat(nobody.get(PODS).statusCode()).isEqualTo(401);
    assertThat(nobody.get(PODS).body()).contains("\"kind\":\"Status\"", "\"code\":401");
    assertThat(nobody.get(PODS, forged).statusCode()).isEqualTo(401);
    assertThat(nobody.get(PODS, "Authorization", "Bearer forged").statusCode()).isEqualTo(401);
    assertThat(nobody.get("/readyz").statusCode()).isEqualTo(200);

    assertThat(nobody.get(PODS, "Authorization", "Bearer " + rig.token("alice")).statusCode())
        .isEqualTo(200);
    assertThat(nobody.get(PODS, "Authorization", "Bearer " + rig.token("bob")).body())
        .contains("\"reason\":\"Forbidden\"", "bob", "pods/gpu_utilization");
    // Headers beside a token name nobody: alice stays who she is.
    String queue = PODS.replace("gpu_utilization", "queue_length");
    assertThat(
            nobody
                .get(
                    queue,
                    "Authorization",
                    "Bearer " + rig.token("alice"),
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
      assertThat(direct(Optional.of(wrong)).get(PODS, forged).statusCode()).isEqualTo(401);
    }
    DirectCaller proxy = direct(Optional.of(client(authority, "front-proxy-client", hour)));
    assertThat(proxy.get(PODS, "X-Remote-User", "alice").statusCode()).isEqualTo(200);
    assertThat(proxy.get(PODS, "X-Remote-User", "bob").statusCode()).isEqualTo(403);
    assertThat(
            proxy
                .get(
                    PODS,
                    "X-Remote-User",
                    "system:anonymous",
                    "X-Remote-Group",
                    "system:unauthenticated")
                .statusCode())
        .isEqualTo(403);
    // As the aggregator asks for discovery: with a name and no group.
    assertThat(proxy.get(CUSTOM, "X-Remote-User", "system:aggregator").statusCode()).isEqualTo(200);
    assertThat(proxy.get(PODS).statusCode()).isEqualTo(401);
  }

  @Test
  @Order(5)
  void anAuthorityThatComesAndGoesIsFollowedOnOpenConnections() {
    Credential next =
        Credential.authority("next-front-proxy-ca", Instant.now(), Duration.ofDays(1));
    DirectCaller caller =
        direct(Optional.of(client(next, "front-proxy-client", Duration.ofHours(1))));
    assertThat(caller.get(PODS, "X-Remote-User", "alice").statusCode()).isEqualTo(401);
    String before =
        rig.admin()
            .get(AUTHENTICATION)
            .orThrow()
            .json()
            .at("data", "requestheader-client-ca-file")
            .text();
    trust(before + Pem.of(next.certificate()));
    await()
        .atMost(SOON)
        .until(() -> caller.get(PODS, "X-Remote-User", "alice").statusCode() == 200);
    trust(before);
    await()
        .atMost(SOON)
        .until(() -> caller.get(PODS, "X-Remote-User", "alice").statusCode() == 401);
    assertThat(rig.client("alice").get(PODS).status()).isEqualTo(200);
  }

  private static void trust(String authorities) {
    rig.admin()
        .patch(
            AUTHENTICATION,
            "{\"data\":{\"requestheader-client-ca-file\":%s}}".formatted(Json.quote(authorities)))
        .orThrow();
  }

  /** Somebody deletes the certificate: a new authority signs the next, and the API server knows. */
  @Test
  @Order(6)
  void aNewCertificateIsServedAndTrusted() {
    String before = apiService(APIS.getFirst(), "spec", "caBundle").text();
    rig.kubectl("delete", "secret", "-n", "fallow-system", "fallow-metrics-tls");
    await()
        .atMost(SOON)
        .untilAsserted(() ->
            assertThat(APIS)
                .allSatisfy(api ->
                    assertThat(apiService(api, "spec", "caBundle").text()).isNotEqualTo(before)));
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(rig.client("alice").get(PODS).status()).isEqualTo(200));
    awaitAnsweredBy(service);
  }

  private static void autoscaler(String name, String metric) {
    rig.admin()
        .post(
            "/apis/autoscaling/v2/namespaces/ml/horizontalpodautoscalers",
            """
            {"metadata":{"name":"%1$s"},
             "spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"%1$s"},
              "minReplicas":1,"maxReplicas":10,
              "behavior":{"scaleDown":{"stabilizationWindowSeconds":0}},
              "metrics":[%2$s]}}\
            """
                .formatted(name, metric))
        .orThrow();
  }

  private static String condition(String autoscaler, String type) {
    return rig
        .admin()
        .get("/apis/autoscaling/v2/namespaces/ml/horizontalpodautoscalers/" + autoscaler)
        .orThrow()
        .json()
        .at("status", "conditions")
        .items()
        .stream()
        .filter(one -> one.at("type").text().equals(type))
        .map(one -> one.at("status").text())
        .findFirst()
        .orElse("none");
  }

  @Test
  @Order(7)
  void theClustersAutoscalerFollowsEveryKindOfMetricAndHoldsWithoutOne() {
    numbers.loads.put("by-pods", 200.0);
    numbers.loads.put("by-object", 150.0);
    numbers.loads.put("queue_length", 500.0);
    deployment("by-pods", 2);
    deployment("by-object", 1);
    deployment("by-external", 1);
    autoscaler(
        "by-pods",
        """
        {"type":"Pods","pods":{"metric":{"name":"gpu_utilization"},
         "target":{"type":"AverageValue","averageValue":"50"}}}\
        """);
    autoscaler(
        "by-object",
        """
        {"type":"Object","object":{"metric":{"name":"deployment_utilization"},
         "describedObject":{"apiVersion":"apps/v1","kind":"Deployment","name":"by-object"},
         "target":{"type":"Value","value":"50"}}}\
        """);
    autoscaler(
        "by-external",
        """
        {"type":"External","external":{"metric":{"name":"queue_length"},
         "target":{"type":"AverageValue","averageValue":"100"}}}\
        """);
    // ceil(2 × 100 / 50), ceil(1 × 150 / 50), ceil(500 / 100); then the load is as it should be.
    awaitReplicas("by-pods", 4);
    awaitReplicas("by-object", 3);
    awaitReplicas("by-external", 5);

    numbers.away = true;
    for (String name : List.of("by-pods", "by-object", "by-external")) {
      await().atMost(SOON).until(() -> condition(name, "ScalingActive").equals("False"));
    }
    numbers.loads.put("by-pods", 50.0);
    numbers.loads.put("by-object", 50.0);
    numbers.loads.put("queue_length", 200.0);
    awaitReplicas("by-pods", 4);
    awaitReplicas("by-object", 3);
    awaitReplicas("by-external", 5);

    numbers.away = false;
    awaitReplicas("by-pods", 1);
    awaitReplicas("by-object", 1);
    awaitReplicas("by-external", 2);
    assertThat(rig.kubectl("get", "hpa", "-n", "ml")).contains("by-pods", "50/50", "100/100");
  }

  /** It was taken over in the first test; whoever then takes it back twice has it. */
  @Test
  @Order(8)
  void whoTakesAnApiBackTwiceIsNotFought() {
    String api = "v1beta1.external.metrics.k8s.io";
    String theirs =
        "{\"spec\":{\"service\":{\"namespace\":\"monitoring\",\"name\":\"old-adapter\"}}}";
    String path = "/apis/apiregistration.k8s.io/v1/apiservices/" + api;
    rig.admin().patch(path, theirs).orThrow();
    await()
        .atMost(SOON)
        .until(() -> apiService(api, "spec", "service", "name").text().equals("fallow-metrics"));
    rig.admin().patch(path, theirs).orThrow();
    await()
        .during(Duration.ofSeconds(3))
        .atMost(SOON)
        .until(() -> apiService(api, "spec", "service", "name").text().equals("old-adapter"));
    assertThat(apiService(APIS.getFirst(), "spec", "service", "name").text())
        .isEqualTo("fallow-metrics");
  }
}
