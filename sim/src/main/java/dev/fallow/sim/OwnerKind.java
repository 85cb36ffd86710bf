package dev.fallow.sim;

import java.util.List;

/** Who makes the pods of a workload: the chain of objects above them, and how they are named. */
public enum OwnerKind {
  DEPLOYMENT("apps/v1", "Deployment"),
  REPLICA_SET("apps/v1", "ReplicaSet"),
  STATEFUL_SET("apps/v1", "StatefulSet"),
  ROLLOUT("argoproj.io/v1alpha1", "Rollout"),
  NOTEBOOK("kubeflow.org/v1", "Notebook"),
  INFERENCE_SERVICE("serving.kserve.io/v1beta1", "InferenceService"),
  NIM_SERVICE("apps.nvidia.com/v1alpha1", "NIMService"),
  LEADER_WORKER_SET("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"),
  JOB("batch/v1", "Job"),
  CRON_JOB("batch/v1", "CronJob"),
  JOB_SET("jobset.x-k8s.io/v1alpha2", "JobSet"),
  RAY_CLUSTER("ray.io/v1", "RayCluster"),
  PYTORCH_JOB("kubeflow.org/v1", "PyTorchJob"),
  POD("v1", "Pod");

  private final String apiVersion;
  private final String kind;

  OwnerKind(String apiVersion, String kind) {
    this.apiVersion = apiVersion;
    this.kind = kind;
  }

  public String apiVersion() {
    return apiVersion;
  }

  public String kind() {
    return kind;
  }

  /** The kind, with its group where that does not go without saying. */
  public String written() {
    return switch (this) {
      case ROLLOUT, NIM_SERVICE, JOB_SET, RAY_CLUSTER, PYTORCH_JOB ->
          kind + "." + apiVersion.substring(0, apiVersion.indexOf('/'));
      default -> kind;
    };
  }

  /** Whether the default letters (drsin) switch its pausing on. */
  boolean pausedByDefault() {
    return switch (this) {
      case DEPLOYMENT, REPLICA_SET, STATEFUL_SET, INFERENCE_SERVICE, NOTEBOOK -> true;
      default -> false;
    };
  }

  /** Whether there is a way to pause it at all; a CronJob is left to its schedule. */
  boolean pausable() {
    return switch (this) {
      case NIM_SERVICE, CRON_JOB, POD -> false;
      default -> true;
    };
  }

  /** Whether its pods run to an end and are not started again. */
  boolean batch() {
    return switch (this) {
      case JOB, CRON_JOB, JOB_SET, PYTORCH_JOB -> true;
      default -> false;
    };
  }

  String podName(String name, int ordinal, PodLife life) {
    int generation = life.generation();
    String place = name + "/" + ordinal + "/" + life.identity();
    String suffix = "-" + Dice.suffix(0, place, 5);
    return switch (this) {
      case DEPLOYMENT, ROLLOUT, INFERENCE_SERVICE, NIM_SERVICE, REPLICA_SET ->
          replicaSet(name, generation) + suffix;
      case STATEFUL_SET, NOTEBOOK -> name + "-" + ordinal;
      case LEADER_WORKER_SET -> ordinal == 0 ? name + "-0" : name + "-0-" + ordinal;
      case JOB -> name + suffix;
      case CRON_JOB -> run(name, generation) + suffix;
      case JOB_SET -> name + "-workers-" + ordinal + "-0" + suffix;
      case RAY_CLUSTER -> name + "-gpu-group-worker" + suffix;
      case PYTORCH_JOB -> ordinal == 0 ? name + "-master-0" : name + "-worker-" + (ordinal - 1);
      case POD -> name;
    };
  }

  /** The objects above a pod, nearest first, the root last; none above a bare pod. */
  List<Link> chain(String name, int ordinal, PodLife life) {
    int generation = life.generation();
    Link root = Link.of(apiVersion, kind, name);
    return switch (this) {
      case DEPLOYMENT, ROLLOUT -> List.of(apps("ReplicaSet", replicaSet(name, generation)), root);
      case INFERENCE_SERVICE ->
          List.of(
              apps("ReplicaSet", replicaSet(name, generation)),
              apps("Deployment", name + "-predictor"),
              root);
      case NIM_SERVICE ->
          List.of(apps("ReplicaSet", replicaSet(name, generation)), apps("Deployment", name), root);
      case NOTEBOOK -> List.of(apps("StatefulSet", name), root);
      case LEADER_WORKER_SET -> {
        Link leaders = apps("StatefulSet", name);
        yield ordinal == 0
            ? List.of(leaders, root)
            : List.of(
                apps("StatefulSet", name + "-0"),
                Link.pod(name + "-0", life.identity()),
                leaders,
                root);
      }
      case CRON_JOB -> List.of(Link.of("batch/v1", "Job", run(name, generation)), root);
      case JOB_SET -> List.of(Link.of("batch/v1", "Job", name + "-workers-" + ordinal), root);
      case REPLICA_SET, STATEFUL_SET, JOB, RAY_CLUSTER, PYTORCH_JOB -> List.of(root);
      case POD -> List.of();
    };
  }

  /** What tells this generation's pods from the next one's, as the controllers label it. */
  static String revision(String name, int generation) {
    return Dice.suffix(1, name + "/" + generation, 10);
  }

  private String replicaSet(String name, int generation) {
    return switch (this) {
      case REPLICA_SET -> name;
      case INFERENCE_SERVICE -> name + "-predictor-" + revision(name, generation);
      default -> name + "-" + revision(name, generation);
    };
  }

  private static String run(String name, int generation) {
    return name + "-" + (29_000_000 + generation);
  }

  private static Link apps(String kind, String name) {
    return Link.of("apps/v1", kind, name);
  }
}
