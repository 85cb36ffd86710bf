package dev.fallow.sim;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The cluster's objects at an instant as an API server would give them: namespaces, nodes, the
 * exporters, and of each workload its pods and every object above them.
 */
final class Manifests {

  private final SimulatedFleet fleet;
  private final Instant at;
  private final List<Map<String, Object>> objects = new ArrayList<>();

  Manifests(SimulatedFleet fleet, Instant at) {
    this.fleet = fleet;
    this.at = at;
  }

  List<Map<String, Object>> all() {
    fleet.namespaces().forEach(namespace -> objects.add(namespace(namespace)));
    fleet.nodes().stream()
        .map(ExporterPods::namespace)
        .distinct()
        .forEach(name -> objects.add(namespace(new SimNamespace(name, Map.of()))));
    fleet.nodes().forEach(node -> objects.add(NodeManifest.of(fleet.seed(), node)));
    objects.addAll(ExporterPods.of(fleet));
    for (SimWorkload workload : fleet.workloads()) {
      List<SimPod> pods = fleet.pods(workload, at);
      owners(workload, pods);
      pods.forEach(pod -> objects.add(PodManifest.of(fleet.seed(), pod, at)));
    }
    return objects;
  }

  private void owners(SimWorkload workload, List<SimPod> pods) {
    Set<Link> made = new HashSet<>();
    OwnerManifest owner = new OwnerManifest(fleet.seed(), workload, pods, at);
    for (SimPod pod : pods.isEmpty() ? paused(workload) : pods) {
      List<Link> chain = chain(pod);
      for (int i = chain.size() - 1; i >= 0; i--) {
        Link link = chain.get(i);
        if (!link.kind().equals("Pod") && made.add(link)) {
          objects.add(owner.of(link, i + 1 < chain.size() ? List.of(chain.get(i + 1)) : List.of()));
        }
      }
    }
  }

  /** The first pod of a workload that is paused, as it was: its owners outlive it. */
  private List<SimPod> paused(SimWorkload workload) {
    return workload
        .life()
        .pausedAt(at.toEpochMilli())
        .map(life -> List.of(new SimPod(workload, workload.slots().getFirst(), life)))
        .orElse(List.of());
  }

  static List<Link> chain(SimPod pod) {
    SimWorkload workload = pod.workload();
    return workload.kind().chain(workload.name(), pod.slot().ordinal(), pod.life());
  }

  private Map<String, Object> namespace(SimNamespace namespace) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", namespace.name());
    metadata.put("uid", Link.of("v1", "Namespace", namespace.name()).uid(fleet.seed(), ""));
    metadata.put("labels", Map.of("kubernetes.io/metadata.name", namespace.name()));
    if (!namespace.annotations().isEmpty()) {
      metadata.put("annotations", new TreeMap<>(namespace.annotations()));
    }
    Map<String, Object> object = object("v1", "Namespace", metadata);
    object.put("status", Map.of("phase", "Active"));
    return object;
  }

  static Map<String, Object> object(String apiVersion, String kind, Map<String, Object> metadata) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("apiVersion", apiVersion);
    object.put("kind", kind);
    object.put("metadata", metadata);
    return object;
  }
}
