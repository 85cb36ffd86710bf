package dev.fallow.core.fleet;

import java.util.Comparator;
import java.util.Set;

/**
 * One Kubernetes object: group, kind, namespace and name say where it lives, the UID says which of
 * all that ever lived there it is. Two objects of the same name are not the same object.
 *
 * @param namespace empty for an object of the cluster
 */
public record ObjectId(String group, String kind, String namespace, String name, String uid)
    implements Comparable<ObjectId> {

  private static final Comparator<ObjectId> ORDER =
      Comparator.comparing(ObjectId::namespace)
          .thenComparing(ObjectId::name)
          .thenComparing(ObjectId::kind)
          .thenComparing(ObjectId::group)
          .thenComparing(ObjectId::uid);

  private static final Set<String> GROUPS_LEFT_UNSAID = Set.of("", "apps", "batch");
  private static final Set<String> KINDS_LEFT_UNSAID =
      Set.of(
          "Notebook.kubeflow.org",
          "InferenceService.serving.kserve.io",
          "LeaderWorkerSet.leaderworkerset.x-k8s.io");

  public static ObjectId of(ObjectTree object) {
    return new ObjectId(
        groupOf(object.textOr("", "apiVersion")),
        object.textOr("", "kind"),
        object.textOr("", "metadata", "namespace"),
        object.textOr("", "metadata", "name"),
        object.textOr("", "metadata", "uid"));
  }

  /** The group of an apiVersion: {@code apps/v1} is of apps, {@code v1} of the core group. */
  public static String groupOf(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  /** Kind, with its group unless that goes without saying: {@code RayCluster.ray.io}. */
  public String qualifiedKind() {
    String qualified = group.isEmpty() ? kind : kind + "." + group;
    return GROUPS_LEFT_UNSAID.contains(group) || KINDS_LEFT_UNSAID.contains(qualified)
        ? kind
        : qualified;
  }

  public boolean is(String group, String kind) {
    return this.group.equals(group) && this.kind.equals(kind);
  }

  @Override
  public int compareTo(ObjectId other) {
    return ORDER.compare(this, other);
  }

  /** {@code Deployment/ml/trainer}: how people and files name it. */
  @Override
  public String toString() {
    return qualifiedKind() + "/" + namespace + "/" + name;
  }
}
