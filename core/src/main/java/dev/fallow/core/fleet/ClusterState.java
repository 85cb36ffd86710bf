package dev.fallow.core.fleet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the API server said, once: the pods that hold accelerators, the objects above them, and what
 * else a verdict needs. Immutable, whatever road it came by.
 *
 * @param exporters pods without accelerators that may be exporters
 * @param plain pods without accelerators that may belong to workloads which have some
 * @param notes what could not be read and why, for people
 */
public record ClusterState(
    List<GpuPod> pods,
    List<GpuNode> nodes,
    List<OwnerObject> owners,
    List<NamespaceFacts> namespaces,
    List<ExporterPod> exporters,
    List<PlainPod> plain,
    List<String> notes) {

  public ClusterState {
    pods = onTheirNodes(pods, nodes);
    nodes = List.copyOf(nodes);
    owners = List.copyOf(owners);
    namespaces = List.copyOf(namespaces);
    exporters = List.copyOf(exporters);
    plain = List.copyOf(plain);
    notes = List.copyOf(notes);
  }

  private static List<GpuPod> onTheirNodes(List<GpuPod> pods, List<GpuNode> nodes) {
    Map<String, GpuNode> byName = new HashMap<>();
    nodes.forEach(node -> byName.put(node.name(), node));
    return pods.stream().map(pod -> pod.node().map(byName::get).map(pod::on).orElse(pod)).toList();
  }

  /** Of pods with accelerators and of exporters alone. */
  public ClusterState(
      List<GpuPod> pods,
      List<GpuNode> nodes,
      List<OwnerObject> owners,
      List<NamespaceFacts> namespaces,
      List<ExporterPod> exporters,
      List<String> notes) {
    this(pods, nodes, owners, namespaces, exporters, List.of(), notes);
  }

  /** The nodes that hand whole cards to several pods. */
  public Set<String> sharingNodes() {
    return nodes.stream().filter(GpuNode::sharing).map(GpuNode::name).collect(Collectors.toSet());
  }

  /** The nodes that are spare capacity. */
  public Set<String> spotNodes() {
    return nodes.stream().filter(GpuNode::spot).map(GpuNode::name).collect(Collectors.toSet());
  }

  /**
   * Sorts out objects of any kind: pods by what they hold, nodes, namespaces and claims, and every
   * other kind, pods included, as a possible owner.
   */
  public static ClusterState of(List<ObjectTree> objects) {
    ClaimedDevices claims =
        new ClaimedDevices(
            objects.stream().filter(object -> isKind(object, "ResourceClaim")).toList());
    List<GpuPod> pods = new ArrayList<>();
    List<GpuNode> nodes = new ArrayList<>();
    List<OwnerObject> owners = new ArrayList<>();
    List<NamespaceFacts> namespaces = new ArrayList<>();
    List<ExporterPod> exporters = new ArrayList<>();
    List<PlainPod> plain = new ArrayList<>();
    Set<ObjectId> seen = new HashSet<>();
    for (ObjectTree object : objects) {
      ObjectId id = ObjectId.of(object);
      if (!seen.add(id)) {
        // Written down twice, it is one all the same.
        continue;
      }
      if (id.is("", "Pod")) {
        OwnerObject asOwner = OwnerObject.of(object);
        GpuPod.of(object, claims.heldBy(object))
            .ifPresentOrElse(
                pods::add,
                () -> {
                  exporters.add(ExporterPod.of(object));
                  PlainPod.of(object, asOwner).ifPresent(plain::add);
                });
        owners.add(asOwner);
      } else if (id.is("", "Node")) {
        nodes.add(GpuNode.of(object));
      } else if (id.is("", "Namespace")) {
        namespaces.add(NamespaceFacts.of(object));
      } else {
        owners.add(OwnerObject.of(object));
      }
    }
    return new ClusterState(
        pods, nodes, StateBeside.merged(owners, objects), namespaces, exporters, plain, List.of());
  }

  /** The objects on which a pause of ours has left its mark. */
  public List<OwnerObject> marked() {
    return owners.stream().filter(OwnerObject::marked).toList();
  }

  private static boolean isKind(ObjectTree object, String kind) {
    return object.textOr("", "kind").equals(kind);
  }
}
