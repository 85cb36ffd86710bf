package dev.fallow.adapters.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.rig.AuditEntry;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.Part;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who leads, on a real API server. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class LeaderLeaseTest {

  private static final LeaderLease.Terms QUICK =
      new LeaderLease.Terms(Duration.ofSeconds(6), Duration.ofSeconds(3), Duration.ofMillis(500));
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Nothing of it runs out while a test lasts. */
  private static final LeaderLease.Terms LONG =
      new LeaderLease.Terms(LIMIT.multipliedBy(10), LIMIT.multipliedBy(5), Duration.ofMillis(500));

  private static Rig rig;

  @BeforeAll
  static void start() {
    rig = Rig.builder().user("elector").user("nobody").start();
    rig.admin()
        .post(
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
            """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"elector"},
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},
             "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"elector"}]}
            """)
        .orThrow();
  }

  @AfterAll
  static void stop() {
    if (rig != null) {
      rig.close();
    }
  }

  @Test
  void oneLeadsAndTheOtherStandsBy() {
    try (KubernetesConnection connection = connect("elector");
        LeaderLease first = lease(connection, "standby", "first", QUICK);
        LeaderLease second = lease(connection, "standby", "second", QUICK)) {
      first.start();
      await().atMost(LIMIT).until(first::leads);
      second.start();
      assertThat(second.awaitFirstAnswer(LIMIT)).isTrue();
      await()
          .during(QUICK.lease().plusSeconds(2))
          .atMost(LIMIT)
          .until(() -> first.leads() && !second.leads());
    }
  }

  /** Time and again, so that some stops meet a renewal that is under way. */
  @Test
  void whoStopsLetsGoAndDoesNotLeaveTheLeaseToRunOut() {
    LeaderLease.Terms restless =
        new LeaderLease.Terms(LONG.lease(), LONG.act(), Duration.ofMillis(1));
    try (KubernetesConnection connection = connect("elector")) {
      String earlier = "";
      for (int turn = 0; turn < 25; turn++) {
        try (LeaderLease leader = lease(connection, "handover", "turn-" + turn, restless).start()) {
          await().pollInterval(Duration.ofMillis(5)).atMost(LIMIT).until(leader::leads);
          assertThat(leader.epoch()).isNotEqualTo(earlier);
          earlier = leader.epoch();
        }
      }
    }
  }

  @Test
  void aLeaderThatHearsNothingStopsBeforeItsLeaseIsOver() {
    try (KubernetesConnection connection = connect("elector");
        LeaderLease leader = lease(connection, "silence", "leader", QUICK).start()) {
      await().atMost(LIMIT).until(leader::leads);
      rig.process(Part.API_SERVER).freeze();
      try {
        await().atMost(QUICK.lease()).until(() -> !leader.leads());
      } finally {
        rig.process(Part.API_SERVER).thaw();
      }
      await().atMost(LIMIT).until(leader::leads);
    }
  }

  /** A leader asks the API server all day long; it need not ask twice each time. */
  @Test
  void aLeaderRenewsByOneRequestAndSeesWhoTookItsLease() {
    try (KubernetesConnection connection = connect("elector");
        LeaderLease leader = lease(connection, "renewed", "leader", LONG).start()) {
      await().atMost(LIMIT).until(leader::leads);
      AuditLog since = rig.audit().fromHere();
      await().atMost(LIMIT).until(() -> requests(since, "update").size() >= 3);
      assertThat(requests(since, "get")).isEmpty();

      rig.admin()
          .patch(
              "/apis/coordination.k8s.io/v1/namespaces/default/leases/renewed",
              "{\"spec\":{\"holderIdentity\":\"another\"}}")
          .orThrow();
      await().atMost(LIMIT).until(() -> !leader.leads());
    }
  }

  private static List<AuditEntry> requests(AuditLog since, String verb) {
    return since.entries(entry ->
        entry.uri().contains("/leases/renewed")
            && entry.user().equals("elector")
            && entry.verb().equals(verb));
  }

  @Test
  void whoMayNotUseLeasesIsAloneAndSaysSo() {
    try (KubernetesConnection connection = connect("nobody");
        LeaderLease lease = lease(connection, "alone", "me", QUICK).start()) {
      assertThat(lease.awaitFirstAnswer(LIMIT)).isTrue();
      assertThat(lease.leads()).isTrue();
      assertThat(lease.impediment().orElse("")).contains("leases").contains("only instance");
    }
  }

  private static LeaderLease lease(
      KubernetesConnection connection, String name, String identity, LeaderLease.Terms terms) {
    return new LeaderLease(connection, "default", name, identity, terms);
  }

  private static KubernetesConnection connect(String user) {
    return KubernetesConnection.openForChanges(
        new ConnectionOptions(
            java.util.Optional.of(rig.kubeconfigFor(user)),
            java.util.Optional.empty(),
            "test",
            java.util.Map.of()));
  }
}
