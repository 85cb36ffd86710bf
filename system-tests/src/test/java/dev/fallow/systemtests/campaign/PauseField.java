package dev.fallow.systemtests.campaign;

import dev.fallow.rig.Json;
import java.util.List;
import java.util.function.Predicate;

/** The field by which a kind is paused, and its values that mean so. */
record PauseField(List<String> path, Predicate<Json> stops) {
  private static final PauseField REPLICAS =
      new PauseField(List.of("spec", "replicas"), value -> value.text().equals("0"));
  private static final PauseField SUSPEND =
      new PauseField(List.of("spec", "suspend"), value -> value.text().equals("true"));
  private static final PauseField TRAINING =
      new PauseField(List.of("spec", "runPolicy", "suspend"), value -> value.text().equals("true"));

  static PauseField of(ObjectRef object) {
    return switch (object.kind()) {
      case "notebooks.kubeflow.org" ->
          annotation("kubeflow-resource-stopped", value -> !value.isMissing());
      case "inferenceservices.serving.kserve.io" ->
          annotation("serving.kserve.io/stop", value -> value.text().equals("true"));
      case "scaledobjects.keda.sh" ->
          annotation("autoscaling.keda.sh/paused-replicas", value -> value.text().equals("0"));
      case "jobs.batch", "jobsets.jobset.x-k8s.io", "rayclusters.ray.io" -> SUSPEND;
      default -> object.group().equals("kubeflow.org") ? TRAINING : REPLICAS;
    };
  }

  private static PauseField annotation(String key, Predicate<Json> stops) {
    return new PauseField(List.of("metadata", "annotations", key), stops);
  }

  boolean isReplicas() {
    return this == REPLICAS;
  }

  Json value(Json object) {
    return object.at(path.toArray(String[]::new));
  }

  boolean isStopped(Json object) {
    return stops.test(value(object));
  }

  /** Whether less is wanted after the step than before. */
  boolean isLoweredBy(Step step) {
    if (!step.isBeforeKnown()) {
      return !step.isCreation() && isStopped(step.after()) && isStopped(step.write().request());
    }
    return isReplicas()
        ? replicas(step.after()) < replicas(step.before())
        : isStopped(step.after()) && !isStopped(step.before());
  }

  /** Whether what was stopped is not any more. */
  boolean isRaisedBy(Step step) {
    return step.isBeforeKnown() && isStopped(step.before()) && !isStopped(step.after());
  }

  /** Absent means one, as for every kind that has the field. */
  private long replicas(Json object) {
    Json value = value(object);
    return value.isMissing() ? 1 : value.number();
  }
}
