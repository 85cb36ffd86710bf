package dev.fallow.adapters.kubernetes;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerRef;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * In which version each kind of owner was named. Core's references carry group and kind, which is
 * all that identity needs; the version is only the way to read the object.
 */
final class OwnerKinds {

  /** A kind of owner, whatever version it was named in. */
  record GroupKind(String group, String kind) implements Comparable<GroupKind> {

    static GroupKind of(OwnerRef reference) {
      return new GroupKind(reference.group(), reference.kind());
    }

    /**
     * A static pod's node is a place and no workload; secrets and events are nobody's owner, and
     * whoever names one as such does not get it read.
     */
    boolean isNoWorkload() {
      return group.isEmpty() ? NO_WORKLOADS.contains(kind) : group.equals("events.k8s.io");
    }

    boolean is(ResourceKind resource) {
      return resource.group().equals(group) && resource.kind().equals(kind);
    }

    boolean isPod() {
      return group.isEmpty() && kind.equals("Pod");
    }

    @Override
    public int compareTo(GroupKind other) {
      return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
      return group.isEmpty() ? kind : kind + "." + group;
    }
  }

  private static final Set<String> NO_WORKLOADS = Set.of("Node", "Secret", "Event");

  private final Map<GroupKind, String> versions = new ConcurrentHashMap<>();

  /** Takes note of the versions in which an object names its owners. */
  void learn(ObjectTree object) {
    for (ObjectTree reference : object.list("metadata", "ownerReferences")) {
      String apiVersion = reference.textOr("", "apiVersion");
      versions.putIfAbsent(
          new GroupKind(ObjectId.groupOf(apiVersion), reference.textOr("", "kind")), apiVersion);
    }
  }

  String versionOf(GroupKind kind) {
    return versions.getOrDefault(kind, kind.group().isEmpty() ? "v1" : kind.group() + "/v1");
  }
}
