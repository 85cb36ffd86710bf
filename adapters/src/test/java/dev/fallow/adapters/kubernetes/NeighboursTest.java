package dev.fallow.adapters.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.rig.AuditEntry;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is listed beside workloads, by whoever may list it everywhere and by who may not. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class NeighboursTest {

  private static final ResourceKind BUDGET =
      new ResourceKind("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", true);
  private static final Projection NAMES =
      Projection.of("metadata.name", "metadata.namespace", "spec.selector");
  private static final List<String> NAMESPACES = List.of("a", "b", "c");

  private static Rig rig;

  @BeforeAll
  static void start() {
    rig = Rig.builder().user("everywhere").user("somewhere").user("nowhere").start();
    rig.kubectl(
        "create", "clusterrole", "r", "--verb=list", "--resource=poddisruptionbudgets.policy");
    rig.kubectl("create", "clusterrolebinding", "r", "--clusterrole=r", "--user=everywhere");
    for (String namespace : NAMESPACES) {
      TestCluster.namespace(rig, namespace, "{}");
      budget(namespace, "of-" + namespace);
      rig.kubectl(
          "create", "rolebinding", "r", "-n", namespace, "--clusterrole=r", "--user=somewhere");
    }
    await().until(() -> rig.client("everywhere").get(path("")).ok());
    await()
        .until(() ->
            NAMESPACES.stream()
                .allMatch(one -> rig.client("somewhere").get(path("/namespaces/" + one)).ok()));
  }

  @AfterAll
  static void stop() {
    if (rig != null) {
      rig.close();
    }
  }

  private static String path(String namespace) {
    return "/apis/policy/v1" + namespace + "/poddisruptionbudgets";
  }

  private static void budget(String namespace, String name) {
    rig.admin()
        .post(
            path("/namespaces/" + namespace),
            """
            {"metadata":{"name":"%s"},"spec":{"minAvailable":1,"selector":{}}}
            """
                .formatted(name))
        .orThrow();
  }

  private static List<String> names(Neighbours neighbours, String namespace) {
    return neighbours.of(BUDGET, namespace, NAMES).stream()
        .map(object -> object.textOr("", "metadata", "name"))
        .toList();
  }

  @Test
  void manyNamespacesAreAskedForInTwoLists() {
    AuditLog log = rig.audit().fromHere();
    try (KubernetesConnection connection = TestCluster.connect(rig, "everywhere")) {
      Neighbours neighbours = new Neighbours(new Writes(connection.api()));
      for (String namespace : List.of("a", "b", "c", "a")) {
        assertThat(names(neighbours, namespace)).containsExactly("of-" + namespace);
      }
      assertThat(names(neighbours, "default")).isEmpty();

      neighbours.forget();
      assertThat(names(neighbours, "c")).containsExactly("of-c");
    }
    await()
        .untilAsserted(() ->
            assertThat(log.entries(entry -> entry.userAgent().equals("fallow/test")))
                .extracting(AuditEntry::uri)
                .containsExactly(
                    path("/namespaces/a") + "?limit=1000",
                    path("") + "?limit=1000",
                    path("/namespaces/c") + "?limit=1000"));
  }

  @Test
  void whoMayListOnlySomeNamespacesIsToldOfEachOfThem() {
    try (KubernetesConnection connection = TestCluster.connect(rig, "somewhere")) {
      Neighbours neighbours = new Neighbours(new Writes(connection.api()));
      for (String namespace : List.of("a", "b", "a", "c")) {
        assertThat(names(neighbours, namespace)).containsExactly("of-" + namespace);
      }
      assertThat(names(neighbours, "default")).isEmpty();
    }
  }

  @Test
  void whoMayListNoneIsToldOfNone() {
    try (KubernetesConnection connection = TestCluster.connect(rig, "nowhere")) {
      Neighbours neighbours = new Neighbours(new Writes(connection.api()));
      assertThat(names(neighbours, "a")).isEmpty();
      assertThat(names(neighbours, "b")).isEmpty();
    }
  }
}
