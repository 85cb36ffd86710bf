package dev.fallow.core.prune;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Who wrote a field, as {@code managedFields} names them. A name that is no known controller's is a
 * person's: when in doubt a person meant it.
 */
public final class FieldManager {

  /** Our own name as a writer. */
  public static final String OURS = "fallow";

  /** Who took away a field: {@code managedFields} names only who has written one. */
  public static final String UNNAMED = "somebody";

  /**
   * @param names parts of the field manager's name
   * @param cure the setting that would let a pause hold
   */
  private record Controller(String title, List<String> names, String cure) {}

  private static final List<Controller> KNOWN =
      List.of(
          new Controller(
              "Argo CD",
              List.of("argocd", "argo-cd", "gitops-engine"),
              "drop spec.replicas from the manifests in Git, or add to the Application:"
                  + " spec.ignoreDifferences [{group: apps, kind: Deployment, jsonPointers:"
                  + " [/spec/replicas]}] and the sync option RespectIgnoreDifferences=true"),
          new Controller(
              "KServe",
              List.of("kserve"),
              "run a KServe that knows the annotation serving.kserve.io/stop (0.15 or newer)"),
          new Controller(
              "Flux",
              List.of("kustomize-controller", "helm-controller", "flux"),
              "drop spec.replicas from the manifests in Git, or annotate the object with"
                  + " kustomize.toolkit.fluxcd.io/ssa: IfNotPresent"),
          new Controller(
              "KEDA",
              List.of("keda"),
              "let Fallow see the ScaledObject (list on scaledobjects.keda.sh), so that it sets"
                  + " autoscaling.keda.sh/paused-replicas instead"),
          new Controller(
              "the horizontal pod autoscaler",
              List.of("horizontal-pod-autoscaler", "hpa"),
              "an autoscaler leaves zero replicas alone; look for what raised them first"),
          new Controller(
              "Kubernetes' own controllers",
              List.of("kube-controller-manager"),
              "look for what scales it, such as an autoscaler: kubectl get hpa -A"),
          new Controller(
              "Argo Rollouts",
              List.of("rollouts-controller"),
              "switch on its kind: letter o of --enabled-resources"),
          new Controller(
              "Knative",
              List.of("autoscaler", "activator"),
              "scale to zero is Knative's own: allow-zero-scale and min-scale decide"),
          new Controller(
              "an operator",
              List.of("controller", "operator", "manager", "reconciler"),
              "pause the object that this operator reads, or exempt the workload with the"
                  + " annotation fallow.dev/exempt"));

  private FieldManager() {}

  public static boolean isController(String manager) {
    return known(manager) != null;
  }

  /** {@code Argo CD (argocd-controller)}. */
  public static String title(String manager) {
    Controller controller = known(manager);
    return controller == null ? manager : controller.title + " (" + manager + ")";
  }

  public static String cure(String manager) {
    Controller controller = known(manager);
    if (manager.equals(UNNAMED)) {
      return "look in the API server's audit log for who takes the stop off and let them keep it;"
          + " a day after the last time it is tried again";
    }
    return controller == null ? "ask " + manager : controller.cure;
  }

  private static @Nullable Controller known(String manager) {
    String lower = manager.toLowerCase(Locale.ROOT);
    return KNOWN.stream()
        .filter(controller -> controller.names.stream().anyMatch(lower::contains))
        .findFirst()
        .orElse(null);
  }
}
