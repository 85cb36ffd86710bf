package dev.fallow.adapters.kubernetes;

import static dev.fallow.adapters.kubernetes.TestCluster.apps;
import static dev.fallow.adapters.kubernetes.TestCluster.create;
import static dev.fallow.adapters.kubernetes.TestCluster.custom;
import static dev.fallow.adapters.kubernetes.TestCluster.gpuPod;
import static dev.fallow.adapters.kubernetes.TestCluster.owner;
import static dev.fallow.adapters.kubernetes.TestCluster.pod;
import static dev.fallow.adapters.kubernetes.TestCluster.pods;
import static dev.fallow.adapters.kubernetes.TestCluster.scalable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Surroundings;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.TeamLabel;
import dev.fallow.core.fleet.Teams;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.ownership.OwnerResolver;
import dev.fallow.core.prune.PausableKind;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.Part;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigNode;
import dev.fallow.rig.fault.ActiveFault;
import dev.fallow.rig.fault.FaultProxy;
import dev.fallow.rig.fault.ProxyFault;
import dev.fallow.rig.fault.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("rig")
@ExtendWith(RigFailureReport.class)
class InformerClusterReaderTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String NO_OWNER = "[]";

  /** Its stream, and the lists by which it begins anew. */
  private static final String OF_A_WATCH = "/replicasets\\?(watch=|limit=500($|&))";

  private static final KindWatch.Pace PACE =
      new KindWatch.Pace(Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(1));
  private static final InformerClusterReader.Pacing QUICK =
      new InformerClusterReader.Pacing(PACE, Duration.ofSeconds(5), PACE, Duration.ofSeconds(5));
  private static Rig rig;

  @BeforeAll
  static void startRig() {
    rig = Rig.builder().user("reader").user("nobody").user("blind").user("deaf").start();
    rig.admin().createNode(RigNode.named("n1").gpus(8));
    rig.kubectl("create", "clusterrole", "viewer", "--verb=get,list,watch", "--resource=*.*");
    rig.kubectl("create", "clusterrolebinding", "viewer", "--clusterrole=viewer", "--user=reader");
  }

  @AfterAll
  static void closeRig() {
    rig.close();
  }

  @Test
  void changesAreSeenAndWhatIsAboveIsFollowedToo() {
    TestCluster.namespace(rig, "live", "{}");
    TestCluster.defineKind(rig, "live.example.org", "Fleet", "fleets");
    try (KubernetesConnection connection = TestCluster.connect(rig, "reader");
        InformerClusterReader reader = new InformerClusterReader(connection, Optional.of("live"))) {
      assertThat(reader.read().pods()).isEmpty();

      String fleet =
          create(
              rig,
              "/apis/live.example.org/v1/namespaces/live/fleets",
              custom("live.example.org/v1", "Fleet", "f", NO_OWNER, "{\"replicas\":3}"));
      String leader =
          create(
              rig,
              pods("live"),
              pod("leader", owner("live.example.org/v1", "Fleet", "f", fleet), "{}", ""));
      String workers =
          create(
              rig,
              apps("live", "statefulsets"),
              scalable("workers", owner("v1", "Pod", "leader", leader), 1));
      create(
          rig, pods("live"), gpuPod("w0", owner("apps/v1", "StatefulSet", "workers", workers), 4));

      awaitRoots(reader, "Fleet.live.example.org/live/f");
      assertThat(OwnerResolver.workloadsOf(reader.read()).getFirst().brokenBy()).isEmpty();

      rig.admin()
          .patch(
              "/apis/live.example.org/v1/namespaces/live/fleets/f",
              "{\"metadata\":{\"annotations\":{\"fallow.dev/exempt\":\"ж\"}}}")
          .orThrow();
      await()
          .atMost(LIMIT)
          .untilAsserted(() ->
              assertThat(OwnerResolver.workloadsOf(reader.read()).getFirst().rootObject())
                  .hasValueSatisfying(root ->
                      assertThat(root.annotations()).containsEntry("fallow.dev/exempt", "ж")));

      rig.admin().delete(pods("live") + "/w0?gracePeriodSeconds=0").orThrow();
      await().atMost(LIMIT).until(() -> reader.read().pods().isEmpty());
    }
  }

  /** A new ReplicaSet's busy pod counts for its Deployment, however far behind the watch is. */
  @Test
  void anOwnerThatTheWatchDoesNotShowYetIsAskedFor() {
    TestCluster.namespace(rig, "behind", "{}");
    String deployment = create(rig, apps("behind", "deployments"), scalable("web", NO_OWNER, 1));
    String above = owner("apps/v1", "Deployment", "web", deployment);
    String old = create(rig, apps("behind", "replicasets"), scalable("web-1", above, 1));
    create(rig, pods("behind"), gpuPod("web-1-a", owner("apps/v1", "ReplicaSet", "web-1", old), 1));
    InformerClusterReader.Pacing patient =
        new InformerClusterReader.Pacing(PACE, LIMIT, PACE, LIMIT);
    try (FaultProxy proxy = FaultProxy.inFrontOf(rig);
        KubernetesConnection connection =
            KubernetesConnection.open(
                new ConnectionOptions(
                    Optional.of(rig.kubeconfigFor("reader", proxy.url())),
                    Optional.empty(),
                    "test",
                    Map.of()));
        InformerClusterReader reader =
            new InformerClusterReader(
                connection, Optional.of("behind"), FollowedKinds.NONE, TeamLabel.NONE, patient)) {
      awaitRoots(reader, "Deployment/behind/web");
      ActiveFault watches = proxy.start(new ProxyFault.Answer(500), Scope.of("GET", OF_A_WATCH));
      await().atMost(LIMIT).until(() -> watches.effects() > 0);

      String anew = create(rig, apps("behind", "replicasets"), scalable("web-2", above, 1));
      create(
          rig, pods("behind"), gpuPod("web-2-a", owner("apps/v1", "ReplicaSet", "web-2", anew), 1));
      create(
          rig,
          pods("behind"),
          gpuPod("lost", owner("apps/v1", "ReplicaSet", "nowhere", "0-0-0"), 1));
      await().atMost(LIMIT).until(() -> reader.read().pods().size() == 3);
      awaitRoots(reader, "Pod/behind/lost", "Deployment/behind/web");

      watches.heal();
      await()
          .atMost(LIMIT)
          .untilAsserted(() -> {
            AuditLog asked = rig.audit().fromHere();
            reader.read();
            rig.admin().get("/version").orThrow();
            await()
                .atMost(LIMIT)
                .until(() -> !asked.entries(one -> one.uri().equals("/version")).isEmpty());
            assertThat(asked.entries(one -> one.uri().contains("/replicasets?limit=2500")))
                .as("what is gone is not asked for again")
                .isEmpty();
          });
    }
  }

  /** It has no pods, so nothing leads to it; a restart would forget what was spent on it. */
  @Test
  void whatIsPausedOfAKindThatIsOnlyKnownToScaleIsFoundAgain() {
    TestCluster.namespace(rig, "anything", "{}");
    TestCluster.defineScalableKind(rig, "any.example.org", "Herd", "herds");
    String herds = "/apis/any.example.org/v1/namespaces/anything/herds";
    await().atMost(LIMIT).until(() -> rig.admin().get(herds).status() == 200);
    create(
        rig, herds, custom("any.example.org/v1", "Herd", "asleep", NO_OWNER, "{\"replicas\":0}"));
    rig.admin()
        .patch(
            herds + "/asleep",
            "{\"metadata\":{\"annotations\":{\"fallow.dev/paused-at\":\"2026-11-02T12:00:00Z\"}}}")
        .orThrow();
    Optional<String> namespace = Optional.of("anything");
    try (KubernetesConnection connection = TestCluster.connect(rig, "reader")) {
      for (boolean anything : List.of(true, false)) {
        FollowedKinds followed =
            FollowedKinds.of(
                Set.of(anything ? PausableKind.ANY_SCALABLE : PausableKind.DEPLOYMENT));
        List<String> found = anything ? List.of("asleep") : List.of();
        try (InformerClusterReader reader =
            new InformerClusterReader(connection, namespace, followed)) {
          await()
              .atMost(LIMIT)
              .untilAsserted(() -> assertThat(names(reader.read())).isEqualTo(found));
        }
        assertThat(names(new OneShotClusterReader(connection, namespace, followed).read()))
            .isEqualTo(found);
      }
    }
  }

  private static List<String> names(ClusterState cluster) {
    return cluster.owners().stream().map(owner -> owner.id().name()).toList();
  }

  @Test
  void servicesAndTheSpellingOfKindsAreFollowed() {
    TestCluster.namespace(rig, "around", "{}");
    TestCluster.defineKind(rig, "around.example.org", "Fleet", "fleetlings");
    String fleets = "/apis/around.example.org/v1/namespaces/around/fleetlings";
    await().atMost(LIMIT).until(() -> rig.admin().get(fleets).status() == 200);
    String fleet =
        create(
            rig,
            fleets,
            custom("around.example.org/v1", "Fleet", "f", NO_OWNER, "{\"replicas\":1}"));
    create(
        rig, pods("around"), gpuPod("p", owner("around.example.org/v1", "Fleet", "f", fleet), 1));
    try (KubernetesConnection connection = TestCluster.connect(rig, "reader");
        InformerClusterReader reader =
            new InformerClusterReader(connection, Optional.of("around"))) {
      awaitRoots(reader, "Fleet.around.example.org/around/f");
      assertThat(reader.surroundings().services()).isEmpty();
      assertThat(reader.surroundings().kinds())
          .contains(new Surroundings.KindName("around.example.org/v1", "Fleet", "fleetlings"));

      create(
          rig,
          "/api/v1/namespaces/around/services",
          "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"front\"},"
              + "\"spec\":{\"selector\":{\"app\":\"web\"},\"ports\":[{\"port\":80}]}}");

      await()
          .atMost(LIMIT)
          .untilAsserted(() ->
              assertThat(reader.surroundings().services())
                  .containsExactly(
                      new Surroundings.ServiceFacts("around", "front", Map.of("app", "web"))));
    }
  }

  @Test
  void informerAndSingleReadingShowTheSame() {
    TestCluster.namespace(rig, "same", "{\"fallow.dev/exempt\":\"true\"}");
    String deployment = create(rig, apps("same", "deployments"), scalable("d", NO_OWNER, 2));
    String set =
        create(
            rig,
            apps("same", "replicasets"),
            scalable("r", owner("apps/v1", "Deployment", "d", deployment), 2));
    for (String name : List.of("a", "b")) {
      create(rig, pods("same"), gpuPod(name, owner("apps/v1", "ReplicaSet", "r", set), 1));
    }
    create(
        rig,
        pods("same"),
        pod(
            "claimant",
            NO_OWNER,
            "{\"claims\":[{\"name\":\"g\"}]}",
            ",\"resourceClaims\":[{\"name\":\"g\",\"resourceClaimName\":\"none\"}]"));
    try (KubernetesConnection connection = TestCluster.connect(rig, "reader");
        InformerClusterReader reader = new InformerClusterReader(connection, Optional.of("same"))) {
      ClusterState once = new OneShotClusterReader(connection, Optional.of("same")).read();

      ClusterState kept = reader.read();

      assertThat(kept.pods()).containsExactlyInAnyOrderElementsOf(once.pods()).hasSize(3);
      assertThat(kept.owners()).containsExactlyInAnyOrderElementsOf(once.owners()).hasSize(2);
      assertThat(kept.nodes()).isEqualTo(once.nodes());
      assertThat(kept.namespaces()).isEqualTo(once.namespaces()).hasSize(1);
      assertThat(kept.exporters()).isEqualTo(once.exporters());
      assertThat(kept.notes()).isEmpty();
    }
  }

  @Test
  void killedApiServerIsOutlived() {
    TestCluster.namespace(rig, "crash", "{}");
    create(rig, pods("crash"), gpuPod("before", NO_OWNER, 1));
    try (KubernetesConnection connection = TestCluster.connect(rig, "reader");
        InformerClusterReader reader =
            new InformerClusterReader(connection, Optional.of("crash"))) {
      assertThat(reader.read().pods()).hasSize(1);

      for (int round = 0; round < 2; round++) {
        rig.process(Part.API_SERVER).kill();
        assertThat(reader.read().pods()).hasSize(1 + round);
        rig.process(Part.API_SERVER).start();
        create(rig, pods("crash"), gpuPod("after" + round, NO_OWNER, 1));

        int expected = 2 + round;
        await().atMost(LIMIT).until(() -> reader.read().pods().size() == expected);
      }
    }
  }

  /** Connections stay open and nobody answers: the loss that TCP does not report. */
  @Test
  void pictureOfAServerThatHasGoneSilentIsNotGivenOutForEver() {
    TestCluster.namespace(rig, "silent", "{}");
    try (KubernetesConnection connection = TestCluster.connect(rig, "reader");
        InformerClusterReader reader =
            new InformerClusterReader(
                connection, Optional.of("silent"), FollowedKinds.NONE, TeamLabel.NONE, QUICK)) {
      reader.read();
      rig.process(Part.API_SERVER).freeze();
      try {
        reader.read();
        await()
            .atMost(LIMIT)
            .untilAsserted(() ->
                assertThatThrownBy(reader::read)
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("has not been heard of")
                    .satisfies(e -> assertThat(((Unavailable) e).retryable()).isTrue()));
      } finally {
        rig.process(Part.API_SERVER).thaw();
      }
      await().atMost(LIMIT).ignoreExceptions().until(() -> reader.read().pods().isEmpty());
    }
  }

  @Test
  void quietKindStaysFreshBecauseEachStreamEndsAndBeginsAnew() {
    TestCluster.namespace(rig, "quiet", "{}");
    try (KubernetesConnection connection = TestCluster.connect(rig, "reader");
        InformerClusterReader reader =
            new InformerClusterReader(
                connection, Optional.of("quiet"), FollowedKinds.NONE, TeamLabel.NONE, QUICK)) {
      await()
          .during(Duration.ofSeconds(8))
          .atMost(Duration.ofSeconds(20))
          .until(() -> reader.read().pods().isEmpty());
    }
  }

  @Test
  void withoutRightsNothingIsGivenOut() {
    try (KubernetesConnection connection = TestCluster.connect(rig, "nobody");
        InformerClusterReader reader = new InformerClusterReader(connection, Optional.empty())) {
      assertThatThrownBy(reader::read)
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("cannot list resource \"pods\"");
    }
  }

  @Test
  void kindOfOwnerThatMayNotBeReadBecomesANote() {
    TestCluster.namespace(rig, "blind", "{}");
    rig.kubectl("create", "role", "blind", "-n", "blind", "--verb=list,watch", "--resource=pods");
    rig.kubectl("create", "rolebinding", "blind", "-n", "blind", "--role=blind", "--user=blind");
    await().atMost(LIMIT).until(() -> rig.client("blind").get(pods("blind")).ok());
    create(
        rig,
        pods("blind"),
        gpuPod(
            "p", owner("apps/v1", "ReplicaSet", "r", "00000000-0000-0000-0000-000000000000"), 1));
    try (KubernetesConnection connection = TestCluster.connect(rig, "blind");
        InformerClusterReader reader =
            new InformerClusterReader(connection, Optional.of("blind"))) {
      ClusterState read = reader.read();

      assertThat(read.pods()).hasSize(1);
      assertThat(read.notes())
          .hasSize(3)
          .anyMatch(note -> note.startsWith("replicasets.apps cannot be read"))
          .anyMatch(note ->
              note.startsWith("nodes cannot be read")
                  && note.contains("so GPU models, prices and sharing by node are unknown"))
          .anyMatch(note -> note.contains("so annotations on namespaces count as absent"));
    }
  }

  /** Rights change seldom; asking again and again is a load that nobody sees the cause of. */
  @Test
  void whatIsForbiddenIsNotAskedForAgainSoon() {
    KindWatch.Pace patient =
        new KindWatch.Pace(Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofMinutes(2));
    AuditLog log = rig.audit().fromHere();
    try (KubernetesConnection connection = TestCluster.connect(rig, "deaf");
        InformerClusterReader reader =
            new InformerClusterReader(
                connection,
                Optional.empty(),
                FollowedKinds.NONE,
                TeamLabel.NONE,
                new InformerClusterReader.Pacing(
                    patient, Duration.ofSeconds(5), patient, Duration.ofSeconds(5)))) {
      assertThatThrownBy(reader::read).isInstanceOf(Unavailable.class);
      await()
          .during(Duration.ofSeconds(6))
          .atMost(LIMIT)
          .until(() -> log.of("deaf").stream().filter(entry -> entry.code() == 403).count() <= 3);
      assertThat(log.of("deaf")).hasSize(3);
    }
  }

  @Test
  void theLabelOfATeamIsSeenOnARootAndOnItsNamespace() {
    TestCluster.namespace(rig, "teams", "{}");
    rig.kubectl("label", "namespace", "teams", "squad=vision");
    create(rig, pods("teams"), gpuPod("own", NO_OWNER, 1));
    create(rig, pods("teams"), gpuPod("silent", NO_OWNER, 1));
    rig.kubectl("label", "pod", "-n", "teams", "own", "squad=language");
    try (KubernetesConnection connection = TestCluster.connect(rig, "reader");
        InformerClusterReader reader =
            new InformerClusterReader(
                connection, Optional.of("teams"), FollowedKinds.NONE, new TeamLabel("squad"))) {
      awaitRoots(reader, "Pod/teams/own", "Pod/teams/silent");
      ClusterState seen = reader.read();
      Teams teams = Teams.of(seen.namespaces());
      assertThat(OwnerResolver.workloadsOf(seen))
          .extracting(teams::of)
          .containsExactly("language", "vision");
    }
  }

  private static void awaitRoots(InformerClusterReader reader, String... roots) {
    await()
        .atMost(LIMIT)
        .untilAsserted(() ->
            assertThat(OwnerResolver.workloadsOf(reader.read()))
                .extracting(Workload::root)
                .extracting(Object::toString)
                .containsExactly(roots));
  }
}
