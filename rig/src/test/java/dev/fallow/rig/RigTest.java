package dev.fallow.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("rig")
@ExtendWith(RigFailureReport.class)
class RigTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static Rig rig;

  @BeforeAll
  static void startRig() {
    rig =
        Rig.builder()
            .everything()
            .withoutGarbageCollection()
            .audit(AuditLevel.REQUEST)
            .durable()
            .user("alice", "team-a")
            .user("bob")
            .start();
  }

  @AfterAll
  static void closeRig() {
    rig.close();
  }

  @Test
  void podsWithGpusAreScheduledByTheRealSchedulerAndBecomeReady() {
    rig.admin().createNode(RigNode.named("gpu-1").gpus(8));

    rig.admin().post(DEPLOYMENTS, deployment("trainer", 3, 2)).orThrow();

    awaitReadyReplicas("trainer", 3);
    List<Json> pods = podsOf("trainer");
    assertThat(pods).hasSize(3);
    assertThat(pods)
        .allSatisfy(pod -> {
          assertThat(pod.at("spec", "nodeName").text()).isEqualTo("gpu-1");
          assertThat(pod.at("status", "phase").text()).isEqualTo("Running");
        });
    Json node = rig.admin().get("/api/v1/nodes/gpu-1").json();
    assertThat(node.at("status", "allocatable", "nvidia.com/gpu").number()).isEqualTo(8);

    rig.admin().patch(DEPLOYMENTS + "/trainer", "{\"spec\":{\"replicas\":0}}").orThrow();
    await().atMost(LIMIT).until(() -> podsOf("trainer").isEmpty());
  }

  @Test
  void podsBeyondTheGpusOfTheNodesStayPending() {
    rig.admin().post(DEPLOYMENTS, deployment("greedy", 1, 64)).orThrow();

    await()
        .atMost(LIMIT)
        .untilAsserted(() -> {
          assertThat(podsOf("greedy")).hasSize(1);
          assertThat(podsOf("greedy").getFirst().at("status", "conditions").toString())
              .contains("Unschedulable");
        });
  }

  @Test
  void nodeKeepsTheTaintsItWasGivenAndNoOther() {
    rig.admin().createNode(RigNode.named("tainted").taint("nvidia.com/gpu", "NoSchedule"));

    Json taints = rig.admin().get("/api/v1/nodes/tainted").json().at("spec", "taints");

    assertThat(taints.items()).hasSize(1);
    assertThat(taints.items().getFirst().at("key").text()).isEqualTo("nvidia.com/gpu");
  }

  @Test
  void killedApiServerComesBackOnTheSamePortWithTheSameObjects() {
    rig.admin().post(CONFIG_MAPS, configMap("survivor")).orThrow();
    RigProcess apiServer = rig.process(Part.API_SERVER);
    int port = apiServer.port();

    apiServer.kill();
    assertThat(apiServer.running()).isFalse();
    assertThatThrownBy(() -> rig.admin().get("/readyz")).isInstanceOf(RigException.class);
    apiServer.start();

    assertThat(apiServer.port()).isEqualTo(port);
    assertThat(rig.admin().get(CONFIG_MAPS + "/survivor").status()).isEqualTo(200);
  }

  @Test
  void killedEtcdComesBackWithTheSameObjects() {
    rig.admin().post(CONFIG_MAPS, configMap("stored")).orThrow();

    rig.process(Part.ETCD).kill();
    rig.process(Part.ETCD).start();

    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(rig.admin().get(CONFIG_MAPS + "/stored").status()).isEqualTo(200));
  }

  @Test
  void frozenControllerManagerDoesNothingUntilItThaws() {
    RigProcess controllers = rig.process(Part.CONTROLLER_MANAGER);
    controllers.freeze();
    rig.admin().post(DEPLOYMENTS, deployment("patient", 1, 0)).orThrow();

    assertThat(rig.admin().get(DEPLOYMENTS + "/patient").json().at("status", "replicas").number())
        .isZero();
    controllers.thaw();

    await().atMost(LIMIT).until(() -> podsOf("patient").size() == 1);
  }

  @Test
  void ageOfBuiltInAndCustomObjectsIsRewritten() {
    Instant birth = Instant.parse("2020-02-29T12:34:56Z");
    rig.admin().createNode(RigNode.named("old-node"));
    rig.admin().post(DEPLOYMENTS, deployment("old", 0, 1)).orThrow();
    rig.admin().post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd()).orThrow();
    String gadgets = "/apis/example.org/v1/namespaces/default/gadgets";
    await().atMost(LIMIT).until(() -> rig.admin().post(gadgets, gadget("old")).ok());

    for (String path : List.of("/api/v1/nodes/old-node", DEPLOYMENTS + "/old", gadgets + "/old")) {
      rig.age(path, birth);
      Json object = rig.admin().get(path).json();
      assertThat(object.at("metadata", "creationTimestamp").text()).isEqualTo(birth.toString());
    }
    Json listed = rig.admin().get(gadgets + "?resourceVersion=0").json();
    assertThat(listed.at("items").items().getFirst().at("spec", "ratio").text()).isEqualTo("0.25");
  }

  @Test
  void userWithoutRoleIsForbiddenAndUserWithRoleIsNot() {
    String pods = "/api/v1/namespaces/default/pods";
    rig.kubectl("create", "role", "reader", "--verb=list", "--resource=pods");
    rig.kubectl("create", "rolebinding", "reader", "--role=reader", "--group=team-a");

    assertThat(rig.client("bob").get(pods).status()).isEqualTo(403);
    await().atMost(LIMIT).until(() -> rig.client("alice").get(pods).status() == 200);
  }

  @Test
  void serviceAccountHasAKubeconfigOfItsOwn() throws Exception {
    await()
        .atMost(LIMIT)
        .until(() -> rig.admin().get("/api/v1/namespaces/default/serviceaccounts/default").ok());

    String kubeconfig = Files.readString(rig.kubeconfigForServiceAccount("default", "default"));

    assertThat(kubeconfig).contains(rig.url().toString(), "system:serviceaccount:default:default");
  }

  @Test
  void auditLogTellsWhoAskedForWhat() {
    rig.client("bob").post(CONFIG_MAPS, configMap("audited"));

    await()
        .atMost(LIMIT)
        .untilAsserted(() ->
            assertThat(rig.audit().of("bob"))
                .anySatisfy(entry -> {
                  assertThat(entry.verb()).isEqualTo("create");
                  assertThat(entry.isWrite()).isTrue();
                  assertThat(entry.uri()).isEqualTo(CONFIG_MAPS);
                  assertThat(entry.code()).isEqualTo(403);
                  assertThat(entry.userAgent()).isEqualTo(ApiClient.USER_AGENT);
                }));
  }

  @Test
  void objectsWithOwnersThatNeverExistedStay() {
    String name = "orphan";
    String object =
        """
        {"metadata":{"name":"orphan","ownerReferences":[{"apiVersion":"example.org/v1",
          "kind":"Nobody","name":"nobody","uid":"00000000-0000-0000-0000-000000000000"}]}}\
        """;
    rig.admin().post(CONFIG_MAPS, object).orThrow();

    await()
        .during(Duration.ofSeconds(3))
        .atMost(LIMIT)
        .until(() -> rig.admin().get(CONFIG_MAPS + "/" + name).ok());
  }

  @Test
  void manyObjectsAreCreatedSeveralAtATime() {
    rig.admin()
        .postAll(
            CONFIG_MAPS, IntStream.range(0, 200).mapToObj(i -> configMap("bulk-" + i)).toList());

    assertThat(rig.admin().get(CONFIG_MAPS).json().at("items").items())
        .filteredOn(item -> item.at("metadata", "name").text().startsWith("bulk-"))
        .hasSize(200);
  }

  @Test
  void serverSpeaksOfItsVersion() {
    assertThat(rig.admin().get("/version").json().at("gitVersion").text())
        .matches("v1\\.\\d+\\..*");
  }

  private static void awaitReadyReplicas(String deployment, int count) {
    await()
        .atMost(LIMIT)
        .untilAsserted(() ->
            assertThat(
                    rig.admin()
                        .get(DEPLOYMENTS + "/" + deployment)
                        .json()
                        .at("status", "readyReplicas")
                        .number())
                .isEqualTo(count));
  }

  private static List<Json> podsOf(String app) {
    String path = "/api/v1/namespaces/default/pods?labelSelector=app%3D" + app;
    return rig.admin().get(path).orThrow().json().at("items").items();
  }

  private static String configMap(String name) {
    return "{\"metadata\":{\"name\":\"%s\"}}".formatted(name);
  }

  private static String deployment(String name, int replicas, int gpus) {
    return """
    {"metadata":{"name":"%1$s"},
     "spec":{"replicas":%2$d,"selector":{"matchLabels":{"app":"%1$s"}},
       "template":{"metadata":{"labels":{"app":"%1$s"}},
         "spec":{"containers":[{"name":"main","image":"none",
           "resources":{"limits":{"nvidia.com/gpu":"%3$d"}}}]}}}}\
    """
        .formatted(name, replicas, gpus);
  }

  private static String crd() {
    return """
    {"metadata":{"name":"gadgets.example.org"},
     "spec":{"group":"example.org","scope":"Namespaced",
       "names":{"plural":"gadgets","singular":"gadget","kind":"Gadget"},
       "versions":[{"name":"v1","served":true,"storage":true,
         "schema":{"openAPIV3Schema":{"type":"object",
           "x-kubernetes-preserve-unknown-fields":true}}}]}}\
    """;
  }

  private static String gadget(String name) {
    return """
    {"apiVersion":"example.org/v1","kind":"Gadget","metadata":{"name":"%s"},
     "spec":{"ratio":0.25}}\
    """
        .formatted(name);
  }
}
