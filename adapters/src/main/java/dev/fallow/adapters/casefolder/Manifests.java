package dev.fallow.adapters.casefolder;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ExporterPod;
import dev.fallow.core.fleet.GpuNode;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.OwnerRef;
import dev.fallow.core.fleet.PlainPod;
import dev.fallow.core.fleet.StateBeside;
import dev.fallow.core.idle.SeriesLabels.PodName;
import dev.fallow.core.ownership.OwnerResolver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A cluster's picture as Kubernetes objects again, holding exactly what decides a verdict. Nothing
 * else of the real objects, such as environments or other annotations, ever reaches a case.
 */
final class Manifests {

  private Manifests() {}

  /**
   * @param targets pods that some series names: of the pods without accelerators only these matter
   */
  static List<Map<String, Object>> of(ClusterState cluster, Set<PodName> targets) {
    List<Map<String, Object>> objects = new ArrayList<>();
    cluster.namespaces().stream()
        .filter(namespace -> !namespace.annotations().isEmpty())
        .forEach(namespace -> objects.add(namespace(namespace)));
    cluster.nodes().forEach(node -> objects.add(node(node)));
    Map<ObjectId, PlainPod> members = members(cluster);
    cluster.owners().stream()
        .filter(owner -> cluster.pods().stream().noneMatch(pod -> pod.id().equals(owner.id())))
        .filter(owner -> !members.containsKey(owner.id()))
        .forEach(owner -> {
          objects.add(owner(owner));
          objects.addAll(beside(owner));
        });
    Map<ObjectId, OwnerObject> owners = new HashMap<>();
    cluster.owners().forEach(owner -> owners.put(owner.id(), owner));
    members
        .values()
        .forEach(pod -> objects.add(plain(pod, Optional.ofNullable(owners.get(pod.id())))));
    cluster.pods().forEach(pod -> objects.add(pod(pod)));
    cluster.exporters().stream()
        .filter(pod -> targets.contains(new PodName(pod.namespace(), pod.name())))
        .filter(pod ->
            members.keySet().stream()
                .noneMatch(
                    id -> id.name().equals(pod.name()) && id.namespace().equals(pod.namespace())))
        .forEach(pod -> objects.add(exporter(pod)));
    return objects;
  }

  private static Map<String, Object> namespace(NamespaceFacts namespace) {
    Map<String, Object> metadata = named("", namespace.name(), "");
    metadata.put("annotations", namespace.annotations());
    return object("v1", "Namespace", metadata);
  }

  private static Map<String, Object> node(GpuNode node) {
    Map<String, Object> metadata = named("", node.name(), "");
    Map<String, String> labels = new LinkedHashMap<>(node.labels());
    if (node.sharing()) {
      labels.put("nvidia.com/gpu.replicas", "2");
    }
    if (!node.model().isEmpty()) {
      labels.put("nvidia.com/gpu.product", node.model());
    }
    metadata.put("labels", labels);
    Map<String, Object> object = object("v1", "Node", metadata);
    Map<String, String> capacity = new LinkedHashMap<>();
    node.capacity().forEach((name, count) -> capacity.put(name, Integer.toString(count)));
    object.put("status", Map.of("capacity", capacity));
    return object;
  }

  private static Map<String, Object> owner(OwnerObject owner) {
    ObjectId id = owner.id();
    Map<String, Object> metadata = named(id.namespace(), id.name(), id.uid());
    references(metadata, owner.controllers());
    if (!owner.own().isEmpty()) {
      metadata.put("annotations", owner.own());
    }
    List<Map<String, Object>> written = writes(owner);
    if (!written.isEmpty()) {
      metadata.put("managedFields", written);
    }
    Map<String, Object> object =
        object(id.group().isEmpty() ? "v1" : id.group() + "/v1", id.kind(), metadata);
    Map<String, Object> spec = new LinkedHashMap<>();
    owner.replicas().ifPresent(replicas -> spec.put("replicas", replicas));
    if (owner.suspended()) {
      spec.put("suspend", true);
    }
    owner.queue().ifPresent(queue -> spec.put("managedBy", queue));
    if (owner.losesVolumes()) {
      spec.put("persistentVolumeClaimRetentionPolicy", Map.of("whenScaled", "Delete"));
    }
    owner
        .scales()
        .ifPresent(scaled ->
            spec.put(
                "scaleTargetRef",
                Map.of(
                    "apiVersion",
                    scaled.group().isEmpty() ? "v1" : scaled.group() + "/v1",
                    "kind",
                    scaled.kind(),
                    "name",
                    scaled.name())));
    if (!spec.isEmpty()) {
      object.put("spec", spec);
    }
    if (owner.unobserved()) {
      metadata.put("generation", 2);
      object.put("status", Map.of("observedGeneration", 1));
    }
    return object;
  }

  /** The last write, and the last that switched it, which may have gone by a subresource. */
  private static List<Map<String, Object>> writes(OwnerObject owner) {
    List<Map<String, Object>> writes = new ArrayList<>();
    owner.changedAt().ifPresent(when -> writes.add(Map.of("time", when.toString())));
    owner
        .switched()
        .ifPresent(touch ->
            writes.add(
                Map.of(
                    "manager",
                    touch.manager(),
                    "subresource",
                    "scale",
                    "time",
                    touch.at().toString(),
                    "fieldsV1",
                    Map.of("f:spec", Map.of("f:replicas", Map.of())))));
    return writes;
  }

  /** What is kept beside an object, as where it is kept: ours, which is the last, by its name. */
  private static List<Map<String, Object>> beside(OwnerObject owner) {
    ObjectId id = owner.id();
    List<Map<String, Object>> objects = new ArrayList<>();
    int others = owner.beside().size() - 1;
    for (Map<String, String> annotations : owner.beside()) {
      String name = StateBeside.nameFor(id) + (objects.size() < others ? "-" + objects.size() : "");
      Map<String, Object> metadata = named(id.namespace(), name, "");
      metadata.put("annotations", new TreeMap<>(annotations));
      Map<String, Object> object = object(StateBeside.GROUP + "/v1", StateBeside.KIND, metadata);
      object.put("spec", Map.of("workload", Map.of("uid", id.uid())));
      objects.add(object);
    }
    return objects;
  }

  private static Map<String, Object> pod(GpuPod pod) {
    ObjectId id = pod.id();
    Map<String, Object> metadata = named(id.namespace(), id.name(), id.uid());
    pod.created().ifPresent(when -> metadata.put("creationTimestamp", when.toString()));
    if (pod.terminating()) {
      metadata.put("deletionTimestamp", pod.created().map(Object::toString).orElse("unknown"));
    }
    references(metadata, pod.controllers());
    if (!pod.revision().isEmpty()) {
      metadata.put("labels", Map.of("pod-template-hash", pod.revision()));
    }
    if (!pod.annotations().isEmpty()) {
      metadata.put("annotations", pod.annotations());
    }
    Map<String, Object> object = object("v1", "Pod", metadata);
    Map<String, String> limits = new LinkedHashMap<>();
    pod.accelerators().byResource().forEach((name, n) -> limits.put(name, Integer.toString(n)));
    Map<String, Object> spec = new LinkedHashMap<>();
    pod.node().ifPresent(node -> spec.put("nodeName", node));
    spec.put("containers", List.of(Map.of("name", "gpu", "resources", Map.of("limits", limits))));
    object.put("spec", spec);
    object.put("status", status(pod));
    return object;
  }

  private static Map<String, Object> status(GpuPod pod) {
    Map<String, Object> status = new LinkedHashMap<>();
    String phase = pod.phase().name();
    status.put("phase", phase.charAt(0) + phase.substring(1).toLowerCase(Locale.ROOT));
    pod.started()
        .ifPresent(start -> {
          Map<String, Object> state = new LinkedHashMap<>();
          state.put("startedAt", start.toString());
          pod.ended().ifPresent(end -> state.put("finishedAt", end.toString()));
          status.put(
              "containerStatuses",
              List.of(
                  Map.of(
                      "name",
                      "gpu",
                      "state",
                      Map.of(pod.ended().isPresent() ? "terminated" : "running", state))));
        });
    pod.readySince()
        .ifPresent(since ->
            status.put(
                "conditions",
                List.of(
                    Map.of(
                        "type",
                        "Ready",
                        "status",
                        "True",
                        "lastTransitionTime",
                        since.toString()))));
    return status;
  }

  /** Of all plain pods those that belong to a workload with accelerators. */
  private static Map<ObjectId, PlainPod> members(ClusterState cluster) {
    Map<ObjectId, PlainPod> members = new LinkedHashMap<>();
    OwnerResolver.workloadsOf(cluster)
        .forEach(workload -> workload.plain().forEach(pod -> members.put(pod.id(), pod)));
    return members;
  }

  /**
   * @param owner the same pod, where it owns others
   */
  private static Map<String, Object> plain(PlainPod pod, Optional<OwnerObject> owner) {
    ObjectId id = pod.id();
    Map<String, Object> metadata = named(id.namespace(), id.name(), id.uid());
    pod.created().ifPresent(when -> metadata.put("creationTimestamp", when.toString()));
    references(metadata, pod.controllers());
    if (!pod.revision().isEmpty()) {
      metadata.put("labels", Map.of("pod-template-hash", pod.revision()));
    }
    Map<String, String> annotations = new TreeMap<>(pod.annotations());
    owner.ifPresent(of -> annotations.putAll(of.annotations()));
    if (!annotations.isEmpty()) {
      metadata.put("annotations", annotations);
    }
    Map<String, Object> object = object("v1", "Pod", metadata);
    object.put("status", Map.of("phase", pod.pending() ? "Pending" : "Running"));
    return object;
  }

  private static Map<String, Object> exporter(ExporterPod pod) {
    Map<String, Object> object = object("v1", "Pod", named(pod.namespace(), pod.name(), ""));
    object.put("spec", Map.of("nodeName", pod.node()));
    return object;
  }

  private static void references(Map<String, Object> metadata, List<OwnerRef> controllers) {
    if (controllers.isEmpty()) {
      return;
    }
    metadata.put(
        "ownerReferences",
        controllers.stream()
            .map(reference -> {
              Map<String, Object> written = new LinkedHashMap<>();
              written.put(
                  "apiVersion", reference.group().isEmpty() ? "v1" : reference.group() + "/v1");
              written.put("kind", reference.kind());
              written.put("name", reference.name());
              written.put("uid", reference.uid());
              written.put("controller", true);
              return written;
            })
            .toList());
  }

  private static Map<String, Object> named(String namespace, String name, String uid) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", name);
    if (!namespace.isEmpty()) {
      metadata.put("namespace", namespace);
    }
    if (!uid.isEmpty()) {
      metadata.put("uid", uid);
    }
    return metadata;
  }

  private static Map<String, Object> object(
      String apiVersion, String kind, Map<String, Object> metadata) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("apiVersion", apiVersion);
    object.put("kind", kind);
    object.put("metadata", metadata);
    return object;
  }
}
