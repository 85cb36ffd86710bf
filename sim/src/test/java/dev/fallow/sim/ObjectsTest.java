package dev.fallow.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.ownership.OwnerResolver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class ObjectsTest {

  private final SimulatedFleet fleet = SimulatedFleet.demo(4);

  @Test
  @SuppressWarnings("unchecked")
  void theObjectsAsJsonGiveTheStateThatTheReaderGives() {
    for (int hours : List.of(0, 5, 40)) {
      Instant at = fleet.start().plus(Duration.ofHours(hours));
      Load load = new Load(LoadSettings.builder().setCodePointLimit(50_000_000).build());
      Map<String, Object> list =
          (Map<String, Object>) load.loadFromString(SimObjectsJson.list(fleet, at));
      List<ObjectTree> objects = new ObjectTree(list).list("items");
      assertThat(ClusterState.of(objects)).isEqualTo(new SimClusterReader(fleet, () -> at).read());
    }
  }

  @Test
  void everyObjectHasAUidOfItsOwnAndEveryControllerExists() {
    List<ObjectTree> objects = fleet.objects(fleet.start()).stream().map(ObjectTree::new).toList();
    Set<String> uids = new HashSet<>();
    objects.forEach(object ->
        assertThat(uids.add(object.textOr("", "metadata", "uid"))).as("%s", object).isTrue());
    assertThat(uids).doesNotContain("");
    for (ObjectTree object : objects) {
      for (ObjectTree owner : object.list("metadata", "ownerReferences")) {
        assertThat(uids).contains(owner.textOr("", "uid"));
      }
    }
  }

  @Test
  void everyNamespaceThatIsNamedExists() {
    List<ObjectTree> objects = fleet.objects(fleet.start()).stream().map(ObjectTree::new).toList();
    Set<String> namespaces = new HashSet<>();
    objects.stream()
        .filter(object -> object.textOr("", "kind").equals("Namespace"))
        .forEach(object -> namespaces.add(object.textOr("", "metadata", "name")));
    assertThat(objects)
        .flatExtracting(object -> object.text("metadata", "namespace").stream().toList())
        .isSubsetOf(namespaces);
  }

  @Test
  void everyPodLeadsToItsRoot() {
    ClusterState cluster = new SimClusterReader(fleet, fleet::start).read();
    List<String> roots = new ArrayList<>();
    for (Workload workload : OwnerResolver.workloadsOf(cluster)) {
      assertThat(workload.brokenBy()).as("%s", workload.root()).isEmpty();
      roots.add(workload.root().toString());
    }
    assertThat(roots)
        .containsExactlyInAnyOrderElementsOf(
            fleet.workloads().stream().map(SimWorkload::toString).toList());
  }

  @Test
  void theWorkersOfALeaderAreOwnedThroughTheLeadersPod() {
    ClusterState cluster = new SimClusterReader(fleet, fleet::start).read();
    Workload llama =
        OwnerResolver.workloadsOf(cluster).stream()
            .filter(workload -> workload.root().name().equals("llama-405b"))
            .findFirst()
            .orElseThrow();
    assertThat(llama.chain())
        .extracting(owner -> owner.id().kind() + "/" + owner.id().name())
        .containsExactlyInAnyOrder(
            "StatefulSet/llama-405b-0",
            "Pod/llama-405b-0",
            "StatefulSet/llama-405b",
            "LeaderWorkerSet/llama-405b");
  }

  @Test
  void aCrashLoopingPodTellsItsLatestStart() {
    Instant at = fleet.start();
    ObjectTree pod =
        fleet.objects(at).stream()
            .map(ObjectTree::new)
            .filter(object -> object.textOr("", "kind").equals("Pod"))
            .filter(object -> object.textOr("", "metadata", "name").startsWith("ranker-shadow"))
            .findFirst()
            .orElseThrow();
    ObjectTree status = pod.list("status", "containerStatuses").getFirst();
    Instant started =
        status
            .instant("state", "running", "startedAt")
            .or(() -> status.instant("lastState", "terminated", "startedAt"))
            .orElseThrow();
    assertThat(Duration.between(started, at)).isLessThan(Duration.ofMinutes(6));
    assertThat(status.number("restartCount").orElse(0)).isGreaterThan(100);
  }
}
