package dev.fallow.core.ownership;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.OwnerRef;
import dev.fallow.core.fleet.PlainPod;
import dev.fallow.core.fleet.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds for each pod the topmost object along its controllers, and gathers pods under it. An owner
 * is believed by group, kind, name and UID together; one that is missing, of another UID, of
 * another namespace or part of a cycle ends the walk, and the workload says so.
 */
public final class OwnerResolver {

  private final Map<String, OwnerObject> byUid = new HashMap<>();

  private OwnerResolver(List<OwnerObject> owners) {
    for (OwnerObject owner : owners) {
      if (!owner.id().uid().isEmpty()) {
        byUid.put(owner.id().uid(), owner);
      }
    }
  }

  /** The workloads of a cluster, in the order of their names. */
  public static List<Workload> workloadsOf(ClusterState cluster) {
    OwnerResolver resolver = new OwnerResolver(cluster.owners());
    Map<ObjectId, Members> byRoot = new TreeMap<>();
    for (GpuPod pod : cluster.pods()) {
      Path path = resolver.walk(pod.id(), pod.controllers());
      Members members = byRoot.computeIfAbsent(path.root(), root -> new Members());
      members.pods.add(pod);
      members.owners.addAll(path.owners());
      path.brokenBy().ifPresent(members.broken::add);
    }
    for (PlainPod pod : cluster.plain()) {
      Path path = resolver.walk(pod.id(), pod.controllers());
      Members members = byRoot.get(path.root());
      if (members != null) {
        members.plain.add(pod);
        members.owners.addAll(path.owners());
      }
    }
    List<Workload> workloads = new ArrayList<>(byRoot.size());
    byRoot.forEach((root, members) -> workloads.add(gather(root, members)));
    return workloads;
  }

  /** What was found under one root. */
  private static final class Members {
    private final List<GpuPod> pods = new ArrayList<>();
    private final List<OwnerObject> owners = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();
    private final List<PlainPod> plain = new ArrayList<>();
  }

  /** Every object above each pod, the nearest first, as far as it can be believed. */
  public static Map<ObjectId, List<OwnerObject>> ownersByPod(ClusterState cluster) {
    OwnerResolver resolver = new OwnerResolver(cluster.owners());
    Map<ObjectId, List<OwnerObject>> owners = new HashMap<>();
    cluster
        .pods()
        .forEach(pod -> owners.put(pod.id(), resolver.walk(pod.id(), pod.controllers()).owners()));
    return owners;
  }

  private static Workload gather(ObjectId root, Members members) {
    List<GpuPod> pods = members.pods.stream().sorted((a, b) -> a.id().compareTo(b.id())).toList();
    Map<ObjectId, OwnerObject> chain = new LinkedHashMap<>();
    members.owners.forEach(owner -> chain.putIfAbsent(owner.id(), owner));
    List<OwnerObject> rootLast = new ArrayList<>(chain.values());
    rootLast.sort((a, b) -> {
      int byRank = Boolean.compare(a.id().equals(root), b.id().equals(root));
      return byRank != 0 ? byRank : a.id().compareTo(b.id());
    });
    Optional<String> broken = members.broken.stream().sorted().findFirst();
    return new Workload(root, rootLast, pods, members.plain, broken);
  }

  private Path walk(ObjectId pod, List<OwnerRef> above) {
    List<OwnerObject> owners = new ArrayList<>();
    ObjectId here = pod;
    List<OwnerRef> controllers = above;
    while (!controllers.isEmpty() && !isNode(controllers.getFirst())) {
      OwnerRef reference = controllers.getFirst();
      if (controllers.size() > 1) {
        return Path.broken(owners, here, here + " names more than one controller");
      }
      OwnerObject owner = byUid.get(reference.uid());
      if (owner == null || !matches(owner.id(), reference)) {
        return Path.broken(
            owners,
            here,
            "its owner " + reference + " is missing, cannot be read, or is another object now");
      }
      if (!owner.id().namespace().isEmpty() && !owner.id().namespace().equals(here.namespace())) {
        return Path.broken(owners, here, "its owner " + reference + " lives in another namespace");
      }
      if (owner.id().uid().equals(pod.uid()) || owners.contains(owner)) {
        return Path.broken(owners, here, "its owners form a cycle at " + reference);
      }
      owners.add(owner);
      here = owner.id();
      controllers = owner.controllers();
    }
    return new Path(owners, here, Optional.empty());
  }

  /** A static pod's mirror is owned by its node, which is a place and not a workload. */
  private static boolean isNode(OwnerRef reference) {
    return reference.group().isEmpty() && reference.kind().equals("Node");
  }

  private static boolean matches(ObjectId id, OwnerRef reference) {
    return id.group().equals(reference.group())
        && id.kind().equals(reference.kind())
        && id.name().equals(reference.name());
  }

  private record Path(List<OwnerObject> owners, ObjectId root, Optional<String> brokenBy) {

    static Path broken(List<OwnerObject> owners, ObjectId last, String why) {
      return new Path(owners, last, Optional.of(why));
    }
  }
}
