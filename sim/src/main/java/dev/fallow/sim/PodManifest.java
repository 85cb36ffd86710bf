package dev.fallow.sim;

import dev.fallow.core.fleet.GpuPod.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A pod's manifest, its status told from its life at an instant. */
final class PodManifest {

  static final String CONTAINER = "main";

  private PodManifest() {}

  static Map<String, Object> of(long seed, SimPod pod, Instant at) {
    SimWorkload workload = pod.workload();
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", pod.name());
    metadata.put("namespace", pod.namespace());
    metadata.put("uid", pod.uid(seed));
    metadata.put("creationTimestamp", time(pod.life().created()));
    metadata.put("labels", labels(pod));
    List<Link> chain = Manifests.chain(pod);
    if (chain.isEmpty()) {
      OwnerManifest.annotate(metadata, workload);
    } else {
      metadata.put("ownerReferences", List.of(chain.getFirst().reference(seed, pod.namespace())));
    }
    Map<String, Object> object = Manifests.object("v1", "Pod", metadata);
    Map<String, Object> spec = new LinkedHashMap<>();
    if (pod.life().bound()) {
      spec.put("nodeName", pod.slot().devices().getFirst().node().name());
    }
    spec.putAll(spec(workload));
    object.put("spec", spec);
    object.put("status", status(workload, pod.life(), at.toEpochMilli()));
    return object;
  }

  /** What a template of the workload's pods says. */
  static Map<String, Object> spec(SimWorkload workload) {
    Map<String, Object> quantities = Map.of(workload.resource(), "" + workload.gpus());
    Map<String, Object> container = new LinkedHashMap<>();
    container.put("name", CONTAINER);
    container.put("image", image(workload));
    container.put("resources", Fields.of("limits", quantities, "requests", quantities));
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("restartPolicy", workload.kind().batch() ? "Never" : "Always");
    spec.put("containers", List.of(container));
    spec.put("tolerations", List.of(Fields.of("key", "nvidia.com/gpu", "operator", "Exists")));
    return spec;
  }

  private static String image(SimWorkload workload) {
    return workload.namespace() + "/" + workload.name() + ":1";
  }

  private static Map<String, String> labels(SimPod pod) {
    SimWorkload workload = pod.workload();
    Map<String, String> labels = new TreeMap<>(OwnerManifest.selector(workload));
    labels.put("team", workload.namespace());
    String revision = OwnerKind.revision(workload.name(), pod.life().generation());
    switch (workload.kind()) {
      case DEPLOYMENT, ROLLOUT, INFERENCE_SERVICE, NIM_SERVICE ->
          labels.put("pod-template-hash", revision);
      case STATEFUL_SET, NOTEBOOK, LEADER_WORKER_SET ->
          labels.put("controller-revision-hash", workload.name() + "-" + revision);
      default -> {
        // These controllers know no revisions.
      }
    }
    return labels;
  }

  private static Map<String, Object> status(SimWorkload workload, PodLife life, long at) {
    Phase phase = life.phase(at);
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("phase", capitalised(phase));
    status.put("conditions", conditions(life, at));
    if (life.bound()) {
      status.put("startTime", time(life.created()));
      Map<String, Object> container = new LinkedHashMap<>();
      container.put("name", CONTAINER);
      container.put("image", image(workload));
      container.put("imageID", "");
      container.put("ready", ready(life, at));
      container.put("started", phase == Phase.RUNNING && life.crashed() > at);
      container.put("restartCount", life.restarts());
      container.putAll(states(life, at));
      status.put("containerStatuses", List.of(container));
    }
    return status;
  }

  private static Map<String, Object> states(PodLife life, long at) {
    Map<String, Object> states = new LinkedHashMap<>();
    if (life.started() > at) {
      states.put("state", Map.of("waiting", Map.of("reason", "ContainerCreating")));
    } else if (life.ended() <= at) {
      states.put("state", terminated(0, "Completed", life.started(), life.ended()));
    } else if (life.crashed() <= at) {
      states.put("state", Map.of("waiting", Map.of("reason", "CrashLoopBackOff")));
      states.put("lastState", terminated(1, "Error", life.started(), life.crashed()));
    } else {
      states.put("state", Map.of("running", Map.of("startedAt", time(life.started()))));
    }
    return states;
  }

  private static Map<String, Object> terminated(int code, String reason, long from, long to) {
    Map<String, Object> terminated = new LinkedHashMap<>();
    terminated.put("exitCode", code);
    terminated.put("reason", reason);
    terminated.put("startedAt", time(from));
    terminated.put("finishedAt", time(to));
    return Map.of("terminated", terminated);
  }

  private static List<Map<String, Object>> conditions(PodLife life, long at) {
    List<Map<String, Object>> conditions = new ArrayList<>();
    conditions.add(
        condition(
            "PodScheduled", life.bound(), life.created(), life.bound() ? "" : "Unschedulable"));
    if (life.bound()) {
      boolean ready = ready(life, at);
      boolean done = life.ended() <= at;
      long since = done ? life.ended() : ready ? life.ready() : life.created();
      String reason = done ? "PodCompleted" : ready ? "" : "ContainersNotReady";
      conditions.add(condition("Ready", ready, since, reason));
      conditions.add(condition("ContainersReady", ready, since, reason));
    }
    return conditions;
  }

  private static boolean ready(PodLife life, long at) {
    return life.ready() <= at && at < life.ended();
  }

  static Map<String, Object> condition(String type, boolean holds, long since, String reason) {
    Map<String, Object> condition = new LinkedHashMap<>();
    condition.put("type", type);
    condition.put("status", holds ? "True" : "False");
    condition.put("lastTransitionTime", time(since));
    if (!reason.isEmpty()) {
      condition.put("reason", reason);
    }
    return condition;
  }

  /** RFC 3339 in whole seconds, as the API server writes times. */
  static String time(long millis) {
    return Instant.ofEpochSecond(Math.floorDiv(millis, 1000L)).toString();
  }

  private static String capitalised(Phase phase) {
    return phase.name().charAt(0) + phase.name().substring(1).toLowerCase(Locale.ROOT);
  }
}
