package dev.fallow.core.prune;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The kinds that can be paused, each with the letter that switches it on. The letters d r s i n are
 * gpu-pruner's.
 */
public enum PausableKind {
  DEPLOYMENT('d', "Deployment.apps"),
  REPLICA_SET('r', "ReplicaSet.apps"),
  STATEFUL_SET('s', "StatefulSet.apps"),
  INFERENCE_SERVICE('i', "InferenceService.serving.kserve.io"),
  NOTEBOOK('n', "Notebook.kubeflow.org"),
  LEADER_WORKER_SET('l', "LeaderWorkerSet.leaderworkerset.x-k8s.io"),
  JOB('j', "Job.batch"),
  JOB_SET('J', "JobSet.jobset.x-k8s.io"),
  RAY_CLUSTER('y', "RayCluster.ray.io"),
  TRAINING_JOB(
      'p',
      "PyTorchJob.kubeflow.org",
      "TFJob.kubeflow.org",
      "MPIJob.kubeflow.org",
      "XGBoostJob.kubeflow.org",
      "PaddleJob.kubeflow.org",
      "JAXJob.kubeflow.org",
      "TrainJob.trainer.kubeflow.org"),
  ROLLOUT('o', "Rollout.argoproj.io"),
  /** Whatever else the API server says it can scale; its letter stands for all that can. */
  ANY_SCALABLE('*', "ReplicationController.");

  public static final String DEFAULT_LETTERS = "drsin";

  private static final Set<PausableKind> SCALABLE =
      EnumSet.of(DEPLOYMENT, REPLICA_SET, STATEFUL_SET, LEADER_WORKER_SET, ROLLOUT);

  private final char letter;
  private final List<String> kinds;

  PausableKind(char letter, String... kinds) {
    this.letter = letter;
    this.kinds = List.of(kinds);
  }

  public char letter() {
    return letter;
  }

  /** The kinds it stands for, each with its group. */
  public List<String> kinds() {
    return kinds;
  }

  /** The names under which those that are switched on by default are shown. */
  public static List<String> usualNames() {
    return ofLetters(DEFAULT_LETTERS).stream()
        .flatMap(kind -> kind.kinds.stream())
        .map(name -> name.split("\\.", 2))
        .map(parts -> new ObjectId(parts[1], parts[0], "", "", "").qualifiedKind())
        .toList();
  }

  /** The kind of a workload's root, where such a root can be paused. */
  public static Optional<PausableKind> of(Workload workload) {
    return of(workload.root())
        .or(() -> workload.rootObject().filter(OwnerObject::scalable).map(root -> ANY_SCALABLE));
  }

  public static Optional<PausableKind> of(ObjectId id) {
    String qualified = id.kind() + "." + id.group();
    return Arrays.stream(values()).filter(kind -> kind.kinds.contains(qualified)).findFirst();
  }

  /** The kinds that letters switch on, or the letters that mean nothing. */
  public static Set<PausableKind> ofLetters(String letters) {
    Set<PausableKind> enabled = EnumSet.noneOf(PausableKind.class);
    List<Character> unknown = new ArrayList<>();
    for (int i = 0; i < letters.length(); i++) {
      char letter = letters.charAt(i);
      Arrays.stream(values())
          .filter(kind -> kind.letter == letter)
          .findFirst()
          .ifPresentOrElse(enabled::add, () -> unknown.add(letter));
    }
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("no kind has the letter " + unknown.getFirst());
    }
    if (enabled.contains(ANY_SCALABLE)) {
      enabled.addAll(SCALABLE);
    }
    return enabled;
  }

  /** Whether an object that a pause was written on is switched off: a root, or what scales it. */
  public static boolean isOff(OwnerObject object) {
    return object.id().is("keda.sh", "ScaledObject")
        ? "0".equals(object.annotations().get(Annotations.KEDA_PAUSED_REPLICAS))
        : of(object.id()).orElse(ANY_SCALABLE).paused(object);
  }

  /**
   * Whether only the record of a pause says that an object is off: kinds that are merely known to
   * be scalable may keep their replicas where only who writes them looks.
   */
  public static boolean isPresumedOff(OwnerObject object) {
    return of(object.id()).orElse(ANY_SCALABLE) == ANY_SCALABLE
        && object.scales().isEmpty()
        && object.replicas().isEmpty()
        && object.annotations().containsKey(Annotations.BEFORE_PAUSE);
  }

  /** The field by which an object is switched off, as a JSON pointer. */
  static String switchOf(ObjectId id) {
    if (id.is("keda.sh", "ScaledObject")) {
      return ofAnnotation(Annotations.KEDA_PAUSED_REPLICAS);
    }
    return switch (of(id).orElse(ANY_SCALABLE)) {
      case DEPLOYMENT, REPLICA_SET, STATEFUL_SET, LEADER_WORKER_SET, ROLLOUT, ANY_SCALABLE ->
          "/spec/replicas";
      case JOB, JOB_SET, RAY_CLUSTER -> "/spec/suspend";
      case TRAINING_JOB ->
          id.kind().equals("TrainJob") ? "/spec/suspend" : "/spec/runPolicy/suspend";
      case NOTEBOOK -> ofAnnotation(Annotations.NOTEBOOK_STOPPED);
      case INFERENCE_SERVICE -> ofAnnotation(Annotations.INFERENCE_STOP);
    };
  }

  private static String ofAnnotation(String key) {
    return "/metadata/annotations/" + key.replace("/", "~1");
  }

  /** Whether it is switched off by suspending it, which loses what is not checkpointed. */
  public boolean suspends() {
    return switch (this) {
      case JOB, JOB_SET, RAY_CLUSTER, TRAINING_JOB -> true;
      default -> false;
    };
  }

  /** Whether the object is switched off as this kind is switched off. */
  public boolean paused(OwnerObject object) {
    return switch (this) {
      case DEPLOYMENT, REPLICA_SET, STATEFUL_SET, LEADER_WORKER_SET, ROLLOUT ->
          object.replicas().equals(OptionalLong.of(0));
      case ANY_SCALABLE -> object.replicas().equals(OptionalLong.of(0)) || isPresumedOff(object);
      case INFERENCE_SERVICE ->
          // KServe itself reads it so.
          "true".equalsIgnoreCase(object.annotations().get(Annotations.INFERENCE_STOP));
      case NOTEBOOK -> object.annotations().containsKey(Annotations.NOTEBOOK_STOPPED);
      case JOB, JOB_SET, RAY_CLUSTER, TRAINING_JOB -> object.suspended();
    };
  }
}
