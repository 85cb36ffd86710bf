package dev.fallow.core.fleet;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The annotations that decide something here; an object's others are not carried about. */
public final class Annotations {

  public static final String KEEP_UNTIL = "fallow.dev/keep-until";
  public static final String KEPT_BY = "fallow.dev/kept-by";
  public static final String KEEP_REASON = "fallow.dev/keep-reason";
  public static final String EXEMPT = "fallow.dev/exempt";
  public static final String IDLE_WINDOW = "fallow.dev/idle-window";

  /** How long after its start a pod is still warming up, though it may be Ready already. */
  public static final String WARMUP = "fallow.dev/warmup";

  public static final String PAUSED_AT = "fallow.dev/paused-at";
  public static final String PAUSED_BY = "fallow.dev/paused-by";
  public static final String PAUSE_REASON = "fallow.dev/pause-reason";

  /** JSON: all that a resume needs. */
  public static final String BEFORE_PAUSE = "fallow.dev/before-pause";

  /** How many GPUs a pause has freed, and of which model. */
  public static final String FREED = "fallow.dev/freed-gpus";

  public static final String ACTION_ID = "fallow.dev/action-id";

  /** Announces a pause before it is made: who means to make it, and since when. */
  public static final String INTENT = "fallow.dev/intent";

  /** How often a pause has been undone by somebody else, by whom, and when last. */
  public static final String UNDONE = "fallow.dev/undone";

  /** That the owner is being told, and whether that has arrived. */
  public static final String NOTICE = "fallow.dev/notice";

  /** Where owners want to be told, on a workload or a namespace. */
  public static final String NOTIFY = "fallow.dev/notify";

  /** Whose it is, for reports, on a workload or a namespace. */
  public static final String TEAM = "fallow.dev/team";

  /** On a namespace: until when a sudden stillness in it is known to be true. */
  public static final String STILLNESS_ACCEPTED = "fallow.dev/stillness-accepted-until";

  /**
   * Since when it is in doubt that this workload is still: it went so together with many others.
   */
  public static final String DOUBTED_SINCE = "fallow.dev/doubted-since";

  public static final String ACK_UNTIL = "gpu-pruner.io/ack-until";
  public static final String ACK_BY = "gpu-pruner.io/ack-by";
  public static final String NOTEBOOK_STOPPED = "kubeflow-resource-stopped";
  public static final String INFERENCE_STOP = "serving.kserve.io/stop";

  public static final String KEDA_PAUSED_REPLICAS = "autoscaling.keda.sh/paused-replicas";

  /** What a pause, made, announced or undone, leaves on an object; a resume takes it off again. */
  public static final List<String> MARKS =
      List.of(
          PAUSED_AT,
          PAUSED_BY,
          PAUSE_REASON,
          FREED,
          BEFORE_PAUSE,
          ACTION_ID,
          INTENT,
          UNDONE,
          NOTICE);

  /**
   * Our name as a writer of notes that switch nothing. The API server dates a manager's writes as a
   * whole: an announcement under our other name would make the last resume look like a new one.
   */
  public static final String NOTES_WRITER = "fallow-notes";

  private Annotations() {}

  static Map<String, String> decisiveOf(ObjectTree object) {
    Map<String, String> decisive = new TreeMap<>();
    object
        .texts("metadata", "annotations")
        .forEach((key, value) -> {
          if (isDecisive(key)) {
            decisive.put(key, value);
          }
        });
    return decisive.isEmpty() ? Map.of() : Map.copyOf(decisive);
  }

  private static boolean isDecisive(String key) {
    return key.startsWith("fallow.dev/")
        || key.startsWith("gpu-pruner.io/ack-")
        || key.equals(KEDA_PAUSED_REPLICAS)
        || key.equals(NOTEBOOK_STOPPED)
        || key.equals(INFERENCE_STOP);
  }
}
