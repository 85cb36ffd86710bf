package dev.fallow.adapters.kubernetes;

import static dev.fallow.adapters.kubernetes.TestCluster.apps;
import static dev.fallow.adapters.kubernetes.TestCluster.create;
import static dev.fallow.adapters.kubernetes.TestCluster.custom;
import static dev.fallow.adapters.kubernetes.TestCluster.each;
import static dev.fallow.adapters.kubernetes.TestCluster.gpuPod;
import static dev.fallow.adapters.kubernetes.TestCluster.owner;
import static dev.fallow.adapters.kubernetes.TestCluster.pod;
import static dev.fallow.adapters.kubernetes.TestCluster.pods;
import static dev.fallow.adapters.kubernetes.TestCluster.scalable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.Accelerators;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ExporterPod;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.ownership.OwnerResolver;
import dev.fallow.rig.AuditEntry;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Only etcd and an API server: objects stay as they are put, also those that make no sense. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class OneShotClusterReaderTest {

  private static final String NO_OWNER = "[]";
  private static final String NOBODY = "00000000-0000-0000-0000-000000000000";
  private static Rig rig;

  @BeforeAll
  static void startRig() {
    rig =
        Rig.builder()
            .user("reader", "viewers")
            .user("tenant")
            .user("half")
            .user("nobody")
            .user("counter", "viewers")
            .start();
    rig.admin().createNode(RigNode.named("n1").gpus(8).label("nvidia.com/gpu.product", "H100"));
    rig.kubectl("create", "clusterrole", "viewer", "--verb=get,list,watch", "--resource=*.*");
    rig.kubectl(
        "create", "clusterrolebinding", "viewer", "--clusterrole=viewer", "--group=viewers");
    bulk();
    TestCluster.defineKind(rig, "leaderworkerset.x-k8s.io", "LeaderWorkerSet", "leaderworkersets");
    TestCluster.defineKind(rig, "deep.example.org", "Layer", "layers");
  }

  @AfterAll
  static void closeRig() {
    rig.close();
  }

  /** A thousand GPU pods, four to a ReplicaSet and Deployment, and some pods without GPUs. */
  private static void bulk() {
    TestCluster.namespace(rig, "bulk", "{\"fallow.dev/exempt\":\"true\",\"other\":\"x\"}");
    List<String> replicaSets = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      String deployment = create(rig, apps("bulk", "deployments"), scalable("d" + i, NO_OWNER, 4));
      replicaSets.add(
          create(
              rig,
              apps("bulk", "replicasets"),
              scalable("r" + i, owner("apps/v1", "Deployment", "d" + i, deployment), 4)));
    }
    rig.admin()
        .postAll(
            pods("bulk"),
            each(
                1000,
                i ->
                    gpuPod(
                        "p" + i,
                        owner("apps/v1", "ReplicaSet", "r" + i / 4, replicaSets.get(i / 4)),
                        2)));
    rig.admin().postAll(pods("bulk"), each(20, i -> pod("exporter" + i, NO_OWNER, "{}", "")));
  }

  @Test
  void pagedListsGiveWhatTheSameObjectsGiveAsAWhole() throws IOException {
    ClusterState whole = ClusterState.of(everything("bulk"));

    ClusterState read = read("reader", Optional.of("bulk"), 200);

    assertThat(read.notes()).isEmpty();
    assertThat(read.pods()).hasSize(1000).containsExactlyInAnyOrderElementsOf(whole.pods());
    assertThat(read.nodes()).containsExactlyInAnyOrderElementsOf(whole.nodes()).hasSize(1);
    assertThat(read.namespaces()).containsExactlyElementsOf(whole.namespaces()).hasSize(1);
    assertThat(read.exporters()).containsExactlyInAnyOrderElementsOf(whole.exporters());
    assertThat(read.owners()).hasSize(500).isSubsetOf(whole.owners());
    assertThat(OwnerResolver.workloadsOf(read)).isEqualTo(OwnerResolver.workloadsOf(whole));
  }

  @Test
  void requestsFollowThePagesAndNotThePods() {
    read("counter", Optional.of("bulk"), 1_000);

    await()
        .untilAsserted(() -> {
          List<AuditEntry> asked = rig.audit().of("counter");
          assertThat(asked).hasSize(6);
          assertThat(asked).allMatch(entry -> !entry.isWrite());
          assertThat(asked).allMatch(entry -> entry.userAgent().equals("fallow/test"));
          assertThat(asked).filteredOn(e -> e.uri().contains("/replicasets?")).hasSize(1);
          assertThat(asked).filteredOn(e -> e.uri().contains("/deployments?")).hasSize(1);
        });
  }

  @Test
  void roleInOneNamespaceIsEnoughForThatNamespace() {
    TestCluster.namespace(rig, "team", "{}");
    rig.kubectl(
        "create",
        "role",
        "team",
        "-n",
        "team",
        "--verb=get,list",
        "--resource=pods,replicasets.apps,deployments.apps");
    rig.kubectl("create", "rolebinding", "team", "-n", "team", "--role=team", "--user=tenant");
    String deployment = create(rig, apps("team", "deployments"), scalable("d", NO_OWNER, 1));
    String replicaSet =
        create(
            rig,
            apps("team", "replicasets"),
            scalable("r", owner("apps/v1", "Deployment", "d", deployment), 1));
    create(rig, pods("team"), gpuPod("p", owner("apps/v1", "ReplicaSet", "r", replicaSet), 1));
    awaitAllowed("tenant", pods("team"));

    ClusterState read = read("tenant", Optional.of("team"), 500);

    assertThat(names(read)).containsExactly("Deployment/team/d");
    assertThat(read.nodes()).isEmpty();
    assertThat(read.notes())
        .anyMatch(note -> note.startsWith("nodes cannot be read"))
        .anyMatch(note -> note.startsWith("namespaces cannot be read"))
        .hasSize(2);
  }

  @Test
  void withoutTheRightToListPodsTheCureIsNamed() {
    assertThatThrownBy(() -> read("nobody", Optional.empty(), 500))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("may not list pods of all namespaces")
        .hasMessageContaining("cannot list resource \"pods\"")
        .hasMessageContaining("-n NAMESPACE")
        .satisfies(e -> assertThat(((Unavailable) e).retryable()).isFalse());
    assertThatThrownBy(() -> read("nobody", Optional.of("bulk"), 500))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("grant list on pods in the namespace bulk");
  }

  @Test
  void kindOfOwnerThatMayNotBeReadBecomesANote() {
    rig.kubectl(
        "create",
        "clusterrole",
        "half",
        "--verb=get,list",
        "--resource=pods,nodes,namespaces,replicasets.apps");
    rig.kubectl("create", "clusterrolebinding", "half", "--clusterrole=half", "--user=half");
    awaitAllowed("half", "/api/v1/pods?limit=1");

    ClusterState read = read("half", Optional.of("bulk"), 1_000);

    assertThat(read.pods()).hasSize(1000);
    assertThat(read.notes())
        .singleElement()
        .asString()
        .contains("Deployment.apps", "cannot list resource \"deployments\"", "grant get and list");
    assertThat(OwnerResolver.workloadsOf(read))
        .hasSize(250)
        .allMatch(w -> w.brokenBy().isPresent());
  }

  @Test
  void workersOfALeaderWorkerSetBelongToItThroughALeaderWithoutGpu() {
    TestCluster.namespace(rig, "lws", "{}");
    String lws = "leaderworkerset.x-k8s.io/v1";
    String set =
        create(
            rig,
            "/apis/" + lws + "/namespaces/lws/leaderworkersets",
            custom(lws, "LeaderWorkerSet", "model", NO_OWNER, "{\"replicas\":1}"));
    String leaders =
        create(
            rig,
            apps("lws", "statefulsets"),
            scalable("model", owner(lws, "LeaderWorkerSet", "model", set), 1));
    String leader =
        create(
            rig,
            pods("lws"),
            pod("model-0", owner("apps/v1", "StatefulSet", "model", leaders), "{}", ""));
    String workers =
        create(
            rig,
            apps("lws", "statefulsets"),
            scalable("model-0", owner("v1", "Pod", "model-0", leader), 2));
    for (int i = 1; i < 3; i++) {
      create(
          rig,
          pods("lws"),
          gpuPod("model-0-" + i, owner("apps/v1", "StatefulSet", "model-0", workers), 8));
    }

    ClusterState read = read("reader", Optional.of("lws"), 500);

    assertThat(read.notes()).isEmpty();
    assertThat(names(read)).containsExactly("LeaderWorkerSet/lws/model");
    Workload workload = OwnerResolver.workloadsOf(read).getFirst();
    assertThat(workload.pods()).hasSize(2);
    assertThat(workload.rootObject().orElseThrow().replicas()).hasValue(1);
    assertThat(workload.brokenBy()).isEmpty();
  }

  @Test
  void ownersThatAreGoneOrOthersNowAreNotBelieved() {
    TestCluster.namespace(rig, "odd", "{}");
    create(rig, apps("odd", "deployments"), scalable("reborn", NO_OWNER, 1));
    create(
        rig, pods("odd"), gpuPod("foreign", owner("apps/v1", "Deployment", "reborn", NOBODY), 1));
    create(
        rig,
        pods("odd"),
        gpuPod("dangling", owner("apps/v1", "Deployment", "gone", NOBODY.replace('0', '1')), 1));
    create(
        rig,
        pods("odd"),
        gpuPod(
            "unknown", owner("never.example.org/v1", "Thing", "t", NOBODY.replace('0', '2')), 1));
    create(rig, pods("odd"), gpuPod("bare", NO_OWNER, 1));

    ClusterState read = read("reader", Optional.of("odd"), 500);

    assertThat(names(read))
        .containsExactly("Pod/odd/bare", "Pod/odd/dangling", "Pod/odd/foreign", "Pod/odd/unknown");
    assertThat(OwnerResolver.workloadsOf(read))
        .filteredOn(workload -> workload.brokenBy().isPresent())
        .hasSize(3);
    assertThat(read.notes()).singleElement().asString().contains("Thing.never.example.org");
  }

  /** Whoever can create a pod can write any reference into it. */
  @Test
  void madeUpReferencesNeitherStopTheReadingNorHideOthersNorCostRequests() {
    TestCluster.namespace(rig, "madeup", "{}");
    String honest = create(rig, apps("madeup", "deployments"), scalable("honest", NO_OWNER, 1));
    create(
        rig, pods("madeup"), gpuPod("honest", owner("apps/v1", "Deployment", "honest", honest), 1));
    List<String> names = List.of("..", ".", "a/b", "%2e%2e", "ключ", "?watch=true", "x y");
    for (int i = 0; i < names.size(); i++) {
      String uid = "%08d-0000-0000-0000-000000000000".formatted(i);
      create(
          rig,
          pods("madeup"),
          gpuPod(
              "name" + i, owner("batch/v1", i % 2 == 0 ? "Job" : "CronJob", names.get(i), uid), 1));
      create(
          rig,
          pods("madeup"),
          gpuPod("group" + i, owner("g" + i + ".example.org/v1", "K" + i, "n", "g" + uid), 1));
    }
    create(rig, pods("madeup"), gpuPod("secret", owner("v1", "Secret", "s", "s" + NOBODY), 1));
    int before = rig.audit().of("reader").size();

    ClusterState read = read("reader", Optional.of("madeup"), 500);

    assertThat(names(read)).hasSize(16).contains("Deployment/madeup/honest");
    assertThat(rig.audit().of("reader").size() - before).isLessThan(12);
    assertThat(rig.audit().of("reader")).noneMatch(entry -> entry.uri().contains("secrets"));
  }

  @Test
  void veryLongChainOfOwnersEndsWithANote() {
    TestCluster.namespace(rig, "deep", "{}");
    String layers = "/apis/deep.example.org/v1/namespaces/deep/layers";
    String above = NO_OWNER;
    for (int i = 0; i < 40; i++) {
      String uid =
          create(rig, layers, custom("deep.example.org/v1", "Layer", "l" + i, above, "{}"));
      above = owner("deep.example.org/v1", "Layer", "l" + i, uid);
    }
    create(rig, pods("deep"), gpuPod("p", above, 1));

    ClusterState read = read("reader", Optional.of("deep"), 500);

    assertThat(read.owners()).hasSize(32);
    assertThat(read.notes()).singleElement().asString().contains("more than 32 levels");
  }

  @Test
  void largeAndForeignTextInAnnotationsIsReadUnharmed() {
    TestCluster.namespace(rig, "text", "{}");
    String reason = "训练 завтра — ключ 🐑";
    create(
        rig,
        pods("text"),
        """
        {"metadata":{"name":"p","annotations":{"fallow.dev/keep-reason":"%s","large":"%s"}},
         "spec":{"containers":[{"name":"m","image":"i","resources":{"limits":{"amd.com/gpu":"1"}}}]}}\
        """
            .formatted(reason, "x".repeat(256 * 1024 - 200)));

    ClusterState read = read("reader", Optional.of("text"), 500);

    assertThat(read.pods().getFirst().annotations())
        .containsExactly(Map.entry("fallow.dev/keep-reason", reason));
  }

  @Test
  void devicesHeldByClaimAreCounted() {
    TestCluster.namespace(rig, "claims", "{}");
    create(
        rig,
        "/apis/resource.k8s.io/v1/namespaces/claims/resourceclaims",
        """
        {"metadata":{"name":"two"},"spec":{"devices":{"requests":[{"name":"g",
          "exactly":{"deviceClassName":"gpu.nvidia.com","count":2}}]}}}\
        """);
    create(
        rig,
        pods("claims"),
        pod(
            "p",
            NO_OWNER,
            "{\"claims\":[{\"name\":\"g\"}]}",
            ",\"resourceClaims\":[{\"name\":\"g\",\"resourceClaimName\":\"two\"}]"));

    ClusterState read = read("reader", Optional.of("claims"), 500);

    assertThat(read.pods().getFirst().accelerators())
        .isEqualTo(new Accelerators(Map.of(Accelerators.CLAIMED, 2)));
  }

  @Test
  void podsThatRunNowhereAreNoExporters() {
    TestCluster.namespace(rig, "plain", "{}");
    create(rig, pods("plain"), pod("bound", NO_OWNER, "{}", ""));
    create(
        rig, pods("plain"), pod("waiting", NO_OWNER, "{}", "").replace("\"nodeName\":\"n1\",", ""));

    assertThat(read("reader", Optional.of("plain"), 500).exporters())
        .containsExactly(new ExporterPod("plain", "bound", "n1", true));
  }

  private static ClusterState read(String user, Optional<String> namespace, int page) {
    try (KubernetesConnection connection = TestCluster.connect(rig, user)) {
      return new OneShotClusterReader(connection, namespace, FollowedKinds.NONE, page).read();
    }
  }

  private static Set<String> names(ClusterState state) {
    Set<String> names = new java.util.TreeSet<>();
    OwnerResolver.workloadsOf(state).forEach(workload -> names.add(workload.root().toString()));
    return names;
  }

  private static void awaitAllowed(String user, String path) {
    await().atMost(Duration.ofSeconds(30)).until(() -> rig.client(user).get(path).ok());
  }

  /** All objects of a namespace, in full, as a case folder would hold them. */
  private static List<ObjectTree> everything(String namespace) throws IOException {
    List<ObjectTree> objects = new ArrayList<>();
    objects.addAll(items("/api/v1/nodes", "v1", "Node"));
    objects.addAll(
        items("/api/v1/namespaces?fieldSelector=metadata.name=" + namespace, "v1", "Namespace"));
    objects.addAll(items(pods(namespace), "v1", "Pod"));
    objects.addAll(items(apps(namespace, "replicasets"), "apps/v1", "ReplicaSet"));
    objects.addAll(items(apps(namespace, "deployments"), "apps/v1", "Deployment"));
    return objects;
  }

  private static List<ObjectTree> items(String path, String apiVersion, String kind)
      throws IOException {
    Map<String, Object> list =
        new ObjectMapper()
            .readValue(rig.admin().get(path).orThrow().body(), new TypeReference<>() {});
    List<ObjectTree> items = new ArrayList<>();
    for (ObjectTree item : new ObjectTree(list).list("items")) {
      Map<String, Object> fields = new LinkedHashMap<>(item.fields());
      fields.put("apiVersion", apiVersion);
      fields.put("kind", kind);
      items.add(new ObjectTree(fields));
    }
    return items;
  }
}
