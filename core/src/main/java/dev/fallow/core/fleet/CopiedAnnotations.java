package dev.fallow.core.fleet;

import java.util.HashMap;
import java.util.Map;

/**
 * Kubernetes copies a Deployment's annotations to its newest ReplicaSet, and never takes one away
 * again: a keep that was cleared, or the mark of a pause that is over, would stand there for ever.
 * What the copying controller wrote is therefore not what the ReplicaSet says; what a person wrote
 * on the ReplicaSet is.
 */
final class CopiedAnnotations {

  /** The controller writes this on every ReplicaSet of a Deployment, and nobody else does. */
  private static final String REVISION = "f:deployment.kubernetes.io/revision";

  private CopiedAnnotations() {}

  static Map<String, String> without(Map<String, String> annotations, ObjectTree object) {
    if (annotations.isEmpty() || !isOfDeployment(object)) {
      return annotations;
    }
    Map<String, String> own = new HashMap<>(annotations);
    // Marks of a pause are only ever written on a root.
    own.keySet().removeIf(key -> Annotations.MARKS.contains(key) || isCopied(key, object));
    return own;
  }

  private static boolean isOfDeployment(ObjectTree object) {
    return ObjectId.of(object).is("apps", "ReplicaSet")
        && OwnerRef.controllersOf(object).stream()
            .anyMatch(owner -> owner.group().equals("apps") && owner.kind().equals("Deployment"));
  }

  /** Where nobody tells who wrote it, a person may have: then it counts. */
  private static boolean isCopied(String key, ObjectTree object) {
    return object.list("metadata", "managedFields").stream()
        .map(entry -> entry.tree("fieldsV1", "f:metadata", "f:annotations"))
        .anyMatch(written -> written.has(REVISION) && written.has("f:" + key));
  }
}
