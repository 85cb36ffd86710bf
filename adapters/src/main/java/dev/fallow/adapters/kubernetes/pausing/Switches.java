package dev.fallow.adapters.kubernetes.pausing;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.prune.PausableKind;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The switch of each kind. */
public final class Switches {

  private static final List<String> REPLICAS = List.of("spec", "replicas");

  /** What scales a workload in its place: paused there, it does not scale it up again. */
  public static final Switch SCALED_OBJECT =
      AnnotationSwitch.value(Annotations.KEDA_PAUSED_REPLICAS, "0");

  private Switches() {}

  /**
   * @param qualifiedKind kind and group, since training jobs keep their switch in two places
   * @param replicasPath where a kind that is only known to be scalable keeps its replicas
   */
  public static Switch of(PausableKind kind, String qualifiedKind, List<String> replicasPath) {
    return switch (kind) {
      case DEPLOYMENT, REPLICA_SET, STATEFUL_SET, LEADER_WORKER_SET, ROLLOUT ->
          FieldSwitch.replicas(REPLICAS);
      case ANY_SCALABLE -> FieldSwitch.replicas(replicasPath);
      case JOB, JOB_SET, RAY_CLUSTER -> FieldSwitch.suspend(List.of("spec", "suspend"));
      case TRAINING_JOB ->
          FieldSwitch.suspend(
              qualifiedKind.startsWith("TrainJob.")
                  ? List.of("spec", "suspend")
                  : List.of("spec", "runPolicy", "suspend"));
      case NOTEBOOK ->
          AnnotationSwitch.present(
              Annotations.NOTEBOOK_STOPPED, at -> at.truncatedTo(ChronoUnit.SECONDS).toString());
      case INFERENCE_SERVICE -> AnnotationSwitch.value(Annotations.INFERENCE_STOP, "true");
    };
  }
}
