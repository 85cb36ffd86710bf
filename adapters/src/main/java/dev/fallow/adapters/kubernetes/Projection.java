package dev.fallow.adapters.kubernetes;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which fields of an object are kept: a tree of names, through lists as if they were not there.
 * What core does not read never becomes a value: of a pod of 8 KB some hundred bytes are left.
 *
 * @param fields the names kept here; none means all that is below
 */
record Projection(Map<String, Projection> fields) {

  private static final Projection ALL = new Projection(Map.of());

  private static final String[] METADATA = {
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "metadata.labels",
    "metadata.annotations",
    "metadata.ownerReferences",
    "metadata.creationTimestamp",
    "metadata.deletionTimestamp",
    "metadata.generation",
    "metadata.resourceVersion",
    "metadata.managedFields.time",
    "metadata.managedFields.subresource"
  };

  static final Projection OF_PODS =
      of(METADATA)
          .and(
              "spec.nodeName",
              "spec.containers.name",
              "spec.containers.resources",
              "spec.initContainers.name",
              "spec.initContainers.resources",
              "spec.initContainers.restartPolicy",
              "spec.resourceClaims",
              "status.phase",
              "status.observedGeneration",
              "status.conditions.type",
              "status.conditions.status",
              "status.conditions.lastTransitionTime",
              "status.resourceClaimStatuses",
              "status.containerStatuses.name",
              "status.containerStatuses.state",
              "status.containerStatuses.lastState",
              "status.initContainerStatuses.name",
              "status.initContainerStatuses.state",
              "status.initContainerStatuses.lastState");

  static final Projection OF_NODES = of(METADATA).and("status.capacity");

  static final Projection OF_OWNERS =
      of(METADATA)
          .and(
              "metadata.managedFields.manager",
              "metadata.managedFields.fieldsV1.f:spec.f:replicas",
              "metadata.managedFields.fieldsV1.f:spec.f:suspend",
              "metadata.managedFields.fieldsV1.f:spec.f:runPolicy.f:suspend",
              "metadata.managedFields.fieldsV1.f:metadata.f:annotations",
              "spec.replicas",
              "spec.suspend",
              "spec.runPolicy.suspend",
              "spec.managedBy",
              "spec.runPolicy.managedBy",
              "spec.persistentVolumeClaimRetentionPolicy",
              "spec.leaderWorkerTemplate.persistentVolumeClaimRetentionPolicy",
              "spec.scaleTargetRef",
              "spec.workload",
              "status.observedGeneration");

  static final Projection WHOLE = ALL;

  static final Projection OF_SERVICES =
      of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "metadata.resourceVersion",
          "spec.selector");

  static final Projection OF_NAMESPACES =
      of("metadata.name", "metadata.labels", "metadata.annotations", "metadata.resourceVersion");

  static final Projection OF_CLAIMS =
      of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "metadata.resourceVersion",
          "spec.devices.requests",
          "status.reservedFor.uid",
          "status.allocation.devices.results.driver",
          "status.allocation.devices.results.request",
          "status.allocation.devices.results.adminAccess");

  Projection {
    fields = Map.copyOf(fields);
  }

  /** Of a change that a watch reports: its type, and the object or what went wrong. */
  static Projection ofChanges(Projection object) {
    return new Projection(Map.of("type", ALL, "object", object.and("code", "message")));
  }

  static Projection of(String... paths) {
    return ALL.and(paths);
  }

  Projection and(String... paths) {
    Projection sum = this;
    for (String path : paths) {
      sum = sum.and(path);
    }
    return sum;
  }

  private Projection and(String path) {
    int dot = path.indexOf('.');
    String name = dot < 0 ? path : path.substring(0, dot);
    Projection below = fields.getOrDefault(name, ALL);
    Map<String, Projection> more = new HashMap<>(fields);
    more.put(name, dot < 0 ? ALL : below.and(path.substring(dot + 1)));
    return new Projection(more);
  }

  /** What is kept of this field's value; null if the field is not. */
  @Nullable Projection below(String name) {
    return fields.isEmpty() ? this : fields.get(name);
  }
}
