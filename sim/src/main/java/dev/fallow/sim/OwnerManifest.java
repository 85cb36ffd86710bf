package dev.fallow.sim;

import dev.fallow.core.fleet.Annotations;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The objects above a workload's pods, each with what its own kind has in its specification. */
final class OwnerManifest {

  private final long seed;
  private final SimWorkload workload;
  private final List<SimPod> pods;
  private final long at;

  OwnerManifest(long seed, SimWorkload workload, List<SimPod> pods, Instant at) {
    this.seed = seed;
    this.workload = workload;
    this.pods = pods;
    this.at = at.toEpochMilli();
  }

  /**
   * @param above the object that controls this one; none for the root
   */
  Map<String, Object> of(Link link, List<Link> above) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", link.name());
    metadata.put("namespace", workload.namespace());
    metadata.put("uid", link.uid(seed, workload.namespace()));
    metadata.put("generation", 1);
    metadata.put("creationTimestamp", PodManifest.time(workload.life().born().toEpochMilli()));
    metadata.put("labels", Fields.of("app", workload.name(), "team", workload.namespace()));
    if (above.isEmpty()) {
      annotate(metadata, workload);
    } else {
      metadata.put(
          "ownerReferences",
          above.stream().map(owner -> owner.reference(seed, workload.namespace())).toList());
    }
    Map<String, Object> object = Manifests.object(link.apiVersion(), link.kind(), metadata);
    object.put("spec", spec(link));
    object.put("status", status(link));
    return object;
  }

  static void annotate(Map<String, Object> metadata, SimWorkload workload) {
    Map<String, String> annotations = new TreeMap<>(workload.annotations());
    workload
        .idleWindow()
        .ifPresent(window -> annotations.put(Annotations.IDLE_WINDOW, window.toMinutes() + "m"));
    if (!annotations.isEmpty()) {
      metadata.put("annotations", annotations);
    }
  }

  static Map<String, String> selector(SimWorkload workload) {
    return Map.of("app", workload.name());
  }

  private Map<String, Object> spec(Link link) {
    Map<String, Object> spec = new LinkedHashMap<>();
    switch (link.kind()) {
      case "Deployment", "ReplicaSet", "Rollout" -> {
        spec.put("replicas", pods.size());
        spec.put("selector", Map.of("matchLabels", selector(workload)));
        spec.put("template", template());
      }
      case "StatefulSet" -> {
        spec.put("serviceName", workload.name());
        spec.put("replicas", replicas(link));
        spec.put("selector", Map.of("matchLabels", selector(workload)));
        spec.put("template", template());
      }
      case "Job" -> {
        spec.put("parallelism", 1);
        spec.put("completions", 1);
        spec.put("suspend", pods.isEmpty());
        spec.put("template", template());
      }
      case "CronJob" -> {
        spec.put("schedule", "0 */6 * * *");
        spec.put("suspend", pods.isEmpty());
        spec.put("successfulJobsHistoryLimit", 1);
        spec.put("jobTemplate", Map.of("spec", Map.of("template", template())));
      }
      case "JobSet" -> {
        Map<String, Object> job = Map.of("spec", Map.of("template", template()));
        spec.put(
            "replicatedJobs",
            List.of(Fields.of("name", "workers", "replicas", pods.size(), "template", job)));
      }
      case "Notebook" -> spec.put("template", Map.of("spec", PodManifest.spec(workload)));
      case "InferenceService" ->
          spec.put("predictor", containers(Map.of("minReplicas", pods.size())));
      case "NIMService" -> {
        spec.put("replicas", pods.size());
        spec.put("image", Fields.of("repository", workload.name(), "tag", "1"));
      }
      case "LeaderWorkerSet" -> {
        spec.put("replicas", pods.isEmpty() ? 0 : 1);
        spec.put(
            "leaderWorkerTemplate",
            Fields.of("size", workload.slots().size(), "workerTemplate", template()));
      }
      case "RayCluster" -> {
        spec.put("suspend", pods.isEmpty());
        spec.put("headGroupSpec", Fields.of("rayStartParams", Map.of(), "template", template()));
        spec.put("workerGroupSpecs", List.of(workers()));
      }
      case "PyTorchJob" -> {
        Map<String, Object> replicas = new LinkedHashMap<>();
        replicas.put("Master", Fields.of("replicas", 1, "template", template()));
        replicas.put(
            "Worker", Fields.of("replicas", workload.slots().size() - 1, "template", template()));
        spec.put("runPolicy", Map.of("suspend", pods.isEmpty()));
        spec.put("pytorchReplicaSpecs", replicas);
      }
      default -> throw new IllegalArgumentException(link.kind());
    }
    return spec;
  }

  /** The set of leaders, or of a leader's workers; any other set has all of the pods. */
  private int replicas(Link link) {
    if (workload.kind() != OwnerKind.LEADER_WORKER_SET) {
      return pods.size();
    }
    int workers = Math.max(0, pods.size() - 1);
    return link.name().equals(workload.name()) ? Math.min(1, pods.size()) : workers;
  }

  private Map<String, Object> workers() {
    Map<String, Object> group = new LinkedHashMap<>();
    group.put("groupName", "gpu-group");
    group.put("replicas", pods.size());
    group.put("minReplicas", 0);
    group.put("maxReplicas", pods.size());
    group.put("rayStartParams", Map.of());
    group.put("template", template());
    return group;
  }

  private Map<String, Object> template() {
    Map<String, Object> template = new LinkedHashMap<>();
    template.put("metadata", Map.of("labels", selector(workload)));
    template.put("spec", PodManifest.spec(workload));
    return template;
  }

  private Map<String, Object> containers(Map<String, Object> first) {
    Map<String, Object> predictor = new LinkedHashMap<>(first);
    Object containers = PodManifest.spec(workload).get("containers");
    if (containers != null) {
      predictor.put("containers", containers);
    }
    return predictor;
  }

  private Map<String, Object> status(Link link) {
    Map<String, Object> status = new LinkedHashMap<>();
    long ready =
        pods.stream().filter(pod -> pod.life().ready() <= at && pod.life().live(at)).count();
    switch (link.kind()) {
      case "Deployment", "ReplicaSet", "Rollout" -> {
        status.put("observedGeneration", 1);
        status.put("replicas", pods.size());
        status.put("readyReplicas", (int) ready);
        status.put("availableReplicas", (int) ready);
      }
      case "StatefulSet" -> {
        status.put("observedGeneration", 1);
        status.put("replicas", replicas(link));
        status.put("readyReplicas", ready == 0 ? 0 : replicas(link));
      }
      case "Job" -> {
        boolean done = pods.stream().noneMatch(pod -> pod.life().live(at));
        if (!pods.isEmpty()) {
          status.put(done ? "succeeded" : "active", 1);
          status.put("startTime", PodManifest.time(pods.getFirst().life().created()));
        }
      }
      default -> {
        // The other kinds tell nothing here that a verdict asks for.
      }
    }
    return status;
  }
}
