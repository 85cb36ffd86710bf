package dev.fallow.core.prune;

import dev.fallow.core.fleet.ObjectId;
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

  /** In the place of an operator that has not followed a stop. */
  public static final String IGNORES_STOP = "kserve-ignores-stop";

  /** The setting that would let a pause of an object hold. */
  private interface Cure {
    String of(ObjectId target, String path);
  }

  /**
   * @param names parts of the field manager's name
   */
  private record Controller(String title, List<String> names, Cure cure) {
    Controller(String title, List<String> names, String cure) {
      this(title, names, (target, path) -> cure);
    }
  }

  private static final List<Controller> KNOWN =
      List.of(
          new Controller(
              "Argo CD",
              List.of("argocd", "argo-cd", "gitops-engine"),
              (target, path) ->
                  "drop "
                      + dotted(path)
                      + " from the manifests in Git, or add to the Application:"
                      + " spec.ignoreDifferences [{group: "
                      + target.group()
                      + ", kind: "
                      + target.kind()
                      + ", jsonPointers: ["
                      + path
                      + "]}] and the sync option RespectIgnoreDifferences=true"),
          new Controller(
              "KServe",
              List.of("kserve"),
              "run a KServe that knows the annotation serving.kserve.io/stop (0.15 or newer); a day"
                  + " after the last time it is tried again"),
          new Controller(
              "Flux",
              List.of("helm-controller"),
              (target, path) ->
                  "drop "
                      + dotted(path)
                      + " from the chart's values, or add to the HelmRelease:"
                      + " spec.driftDetection.ignore [{paths: ["
                      + path
                      + "], target: {kind: "
                      + target.kind()
                      + ", name: "
                      + target.name()
                      + "}}]"),
          new Controller(
              "Flux",
              List.of("kustomize-controller", "flux"),
              (target, path) ->
                  "drop "
                      + dotted(path)
                      + " from the manifests in Git: what they do not name, Flux leaves alone"),
          new Controller(
              "KEDA",
              List.of("keda"),
              "let Fallow see the ScaledObject (list on scaledobjects.keda.sh), so that it sets"
                  + " autoscaling.keda.sh/paused-replicas instead"),
          new Controller(
              "the horizontal pod autoscaler",
              List.of("horizontal-pod-autoscaler", "hpa"),
              "give its HorizontalPodAutoscaler a minReplicas of at least 1: it then leaves zero"
                  + " replicas alone"),
          new Controller(
              "Kubernetes' own controllers",
              List.of("kube-controller-manager"),
              "look for what scales it (kubectl get hpa -A): a HorizontalPodAutoscaler with a"
                  + " minReplicas of at least 1 leaves zero replicas alone"),
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

  /**
   * @param target what is switched off
   * @param path of the field by which it is, as a JSON pointer
   */
  public static String cure(String manager, ObjectId target, String path) {
    Controller controller = known(manager);
    if (manager.equals(UNNAMED)) {
      return "look in the API server's audit log for who takes the stop off and let them keep it;"
          + " a day after the last time it is tried again";
    }
    return controller == null ? "ask " + manager : controller.cure.of(target, path);
  }

  /** {@code /spec/replicas} as people write it. */
  private static String dotted(String pointer) {
    return pointer.substring(1).replace('/', '.').replace("~1", "/");
  }

  private static @Nullable Controller known(String manager) {
    String lower = manager.toLowerCase(Locale.ROOT);
    return KNOWN.stream()
        .filter(controller -> controller.names.stream().anyMatch(lower::contains))
        .findFirst()
        .orElse(null);
  }
}
