package dev.fallow.core.fleet;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Kubernetes copies a Deployment's annotations to its newest ReplicaSet, as Argo does a Rollout's,
 * and neither ever takes one away again: a keep that was cleared, or the mark of a pause that is
 * over, would stand there for ever. What the copying controller wrote is therefore not what the
 * ReplicaSet says; what a person wrote on the ReplicaSet is.
 */
final class CopiedAnnotations {

  /**
   * Such a controller writes its own on every ReplicaSet that it copies to, and nobody else does.
   */
  private static final Set<String> REVISIONS =
      Set.of("f:deployment.kubernetes.io/revision", "f:rollout.argoproj.io/revision");

  private CopiedAnnotations() {}

  static Map<String, String> without(Map<String, String> annotations, ObjectTree object) {
    if (annotations.isEmpty() || !mayHaveCopies(object)) {
      return annotations;
    }
    Map<String, String> own = new HashMap<>(annotations);
    // Marks of a pause are only ever written on a root.
    own.keySet().removeIf(key -> Annotations.MARKS.contains(key) || isCopied(key, object));
    return own;
  }

  /** What has a controller is no root; what bears marks in a root's place may have one. */
  private static boolean mayHaveCopies(ObjectTree object) {
    ObjectId id = ObjectId.of(object);
    return !OwnerRef.controllersOf(object).isEmpty()
        && !id.is("keda.sh", "ScaledObject")
        && !id.is(StateBeside.GROUP, StateBeside.KIND);
  }

  /** Where nobody tells who wrote it, a person may have: then it counts. */
  private static boolean isCopied(String key, ObjectTree object) {
    return object.list("metadata", "managedFields").stream()
        .map(entry -> entry.tree("fieldsV1", "f:metadata", "f:annotations"))
        .anyMatch(written -> REVISIONS.stream().anyMatch(written::has) && written.has("f:" + key));
  }
}
