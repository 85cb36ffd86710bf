package dev.fallow.systemtests.faults;

import dev.fallow.rig.Json;
import dev.fallow.systemtests.campaign.ObjectRef;
import java.util.ArrayList;
import java.util.List;

/**
 * A workload of the workshop.
 *
 * @param scaler the ScaledObject in front of it; empty where there is none
 * @param gpus of each of its pods
 * @param team whose turn it is with: every other iteration; neither of the two for those that are
 *     never paused
 */
record Resident(
    Form form, String namespace, String name, String scaler, int replicas, int gpus, Team team) {

  /** Who takes part in an iteration. The others grow old enough meanwhile for the next. */
  enum Team {
    EVEN,
    ODD,
    /** One of its GPUs works all the time. */
    BUSY,
    /** Idle, and nobody may pause it. */
    EXEMPT
  }

  /** The kinds, and what makes each of them run again. */
  enum Form {
    DEPLOYMENT("apps", "v1", "Deployment", "deployments", "{\"spec\":{\"replicas\":%d}}"),
    STATEFUL_SET("apps", "v1", "StatefulSet", "statefulsets", "{\"spec\":{\"replicas\":%d}}"),
    NOTEBOOK(
        "kubeflow.org",
        "v1",
        "Notebook",
        "notebooks",
        "{\"metadata\":{\"annotations\":{\"kubeflow-resource-stopped\":null}}}"),
    INFERENCE_SERVICE(
        "serving.kserve.io",
        "v1beta1",
        "InferenceService",
        "inferenceservices",
        "{\"metadata\":{\"annotations\":{\"serving.kserve.io/stop\":null}}}"),
    TRAINING_JOB(
        "kubeflow.org",
        "v1",
        "PyTorchJob",
        "pytorchjobs",
        "{\"spec\":{\"runPolicy\":{\"suspend\":null}}}"),
    REPLICA_SET("apps", "v1", "ReplicaSet", "replicasets", "{\"spec\":{\"replicas\":%d}}"),
    JOB("batch", "v1", "Job", "jobs", "{\"spec\":{\"suspend\":false}}"),
    LEADER_WORKER_SET(
        "leaderworkerset.x-k8s.io",
        "v1",
        "LeaderWorkerSet",
        "leaderworkersets",
        "{\"spec\":{\"replicas\":%d}}"),
    JOB_SET("jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets", "{\"spec\":{\"suspend\":null}}"),
    RAY_CLUSTER("ray.io", "v1", "RayCluster", "rayclusters", "{\"spec\":{\"suspend\":null}}"),
    ROLLOUT("argoproj.io", "v1alpha1", "Rollout", "rollouts", "{\"spec\":{\"replicas\":%d}}");

    private final String group;
    private final String version;
    private final String kind;
    private final String plural;
    private final String on;

    Form(String group, String version, String kind, String plural, String on) {
      this.group = group;
      this.version = version;
      this.kind = kind;
      this.plural = plural;
      this.on = on;
    }

    /** Whether no controller runs its pods, so that the workshop has to. */
    boolean isCustom() {
      return !group.equals("apps") && !group.equals("batch");
    }

    String apiVersion() {
      return group + "/" + version;
    }
  }

  ObjectRef ref() {
    return new ObjectRef(form.group, form.plural, namespace, name);
  }

  /** What is written to pause it: itself, or its scaler. */
  ObjectRef target() {
    return scaler.isEmpty() ? ref() : new ObjectRef("keda.sh", "scaledobjects", namespace, scaler);
  }

  String title() {
    boolean groupGoesUnsaid =
        switch (form) {
          case DEPLOYMENT, STATEFUL_SET, REPLICA_SET, JOB -> true;
          case NOTEBOOK, INFERENCE_SERVICE, LEADER_WORKER_SET -> true;
          case TRAINING_JOB, JOB_SET, RAY_CLUSTER, ROLLOUT -> false;
        };
    String kind = groupGoesUnsaid ? form.kind : form.kind + "." + form.group;
    return kind + "/" + namespace + "/" + name;
  }

  /** As kubectl and {@code fallow resume} take it. */
  String argument() {
    return form.plural + "." + form.group + "/" + name;
  }

  String collection() {
    return "/apis/" + form.apiVersion() + "/namespaces/" + namespace + "/" + form.plural;
  }

  String path() {
    return collection() + "/" + name;
  }

  String targetPath() {
    return scaler.isEmpty()
        ? path()
        : "/apis/keda.sh/v1alpha1/namespaces/" + namespace + "/scaledobjects/" + scaler;
  }

  /** Where what the product writes of it is kept: on it, or beside it. */
  String marksPath() {
    return form == Form.INFERENCE_SERVICE
        ? "/apis/fallow.dev/v1/namespaces/%s/workloadstates/inferenceservice-%s"
            .formatted(namespace, name)
        : path();
  }

  boolean isCustom() {
    return form.isCustom();
  }

  /** Whether it is paused, whoever did it. */
  boolean isStopped(Json target) {
    Json annotations = target.at("metadata", "annotations");
    if (!scaler.isEmpty()) {
      return annotations.at("autoscaling.keda.sh/paused-replicas").text().equals("0");
    }
    return switch (form) {
      case DEPLOYMENT, STATEFUL_SET, REPLICA_SET, LEADER_WORKER_SET, ROLLOUT ->
          target.at("spec", "replicas").text().equals("0");
      case NOTEBOOK -> !annotations.at("kubeflow-resource-stopped").isMissing();
      case INFERENCE_SERVICE -> annotations.at("serving.kserve.io/stop").text().equals("true");
      case TRAINING_JOB -> target.at("spec", "runPolicy", "suspend").text().equals("true");
      case JOB, JOB_SET, RAY_CLUSTER -> target.at("spec", "suspend").text().equals("true");
    };
  }

  /** A merge patch of the target that switches it on, with so many replicas if it has any. */
  String on(int count) {
    return scaler.isEmpty()
        ? form.on.formatted(count)
        : "{\"metadata\":{\"annotations\":{\"autoscaling.keda.sh/paused-replicas\":null}}}";
  }

  String json() {
    String containers =
        "\"nodeName\":\"%s\",\"terminationGracePeriodSeconds\":0,\"containers\":[{\"name\":\"main\",\"image\":\"none\",\"resources\":{\"limits\":{\"nvidia.com/gpu\":\"%d\"}}}]"
            .formatted(Fleet.NODE, gpus);
    String template =
        "{\"metadata\":{\"labels\":{\"%s\":\"%s\"}},\"spec\":{%s}}"
            .formatted(Fleet.LABEL, name, containers);
    String once = template.replace("\"spec\":{", "\"spec\":{\"restartPolicy\":\"Never\",");
    String selector = "\"selector\":{\"matchLabels\":{\"%s\":\"%s\"}}".formatted(Fleet.LABEL, name);
    String spec =
        switch (form) {
          case DEPLOYMENT, REPLICA_SET, ROLLOUT ->
              "{\"replicas\":%d,%s,\"template\":%s}".formatted(replicas, selector, template);
          case STATEFUL_SET ->
              "{\"replicas\":%d,\"podManagementPolicy\":\"Parallel\",\"serviceName\":\"%s\",%s,\"template\":%s}"
                  .formatted(replicas, name, selector, template);
          case NOTEBOOK -> "{\"template\":{\"spec\":{%s}}}".formatted(containers);
          case INFERENCE_SERVICE ->
              "{\"predictor\":{\"containers\":[{\"name\":\"main\",\"image\":\"none\"}]}}";
          case TRAINING_JOB ->
              "{\"pytorchReplicaSpecs\":{\"Master\":{\"replicas\":1,\"template\":%s}}}"
                  .formatted(template);
          case JOB -> "{\"template\":%s}".formatted(once);
          case LEADER_WORKER_SET ->
              "{\"replicas\":%d,\"rolloutStrategy\":{\"type\":\"RollingUpdate\"},\"leaderWorkerTemplate\":{\"size\":1,\"workerTemplate\":%s}}"
                  .formatted(replicas, template);
          case JOB_SET ->
              "{\"replicatedJobs\":[{\"name\":\"w\",\"template\":{\"spec\":{\"template\":%s}}}]}"
                  .formatted(once);
          case RAY_CLUSTER ->
              "{\"headGroupSpec\":{\"rayStartParams\":{},\"template\":%s}}".formatted(template);
        };
    String annotations =
        team == Team.EXEMPT ? "{\"fallow.dev/exempt\":\"the campaign says so\"}" : "{}";
    return "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\",\"annotations\":%s},\"spec\":%s}"
        .formatted(form.apiVersion(), form.kind, name, annotations, spec);
  }

  String scalerJson() {
    return "{\"apiVersion\":\"keda.sh/v1alpha1\",\"kind\":\"ScaledObject\",\"metadata\":{\"name\":\"%s\"},\"spec\":{\"scaleTargetRef\":{\"name\":\"%s\"},\"triggers\":[{\"type\":\"cpu\",\"metadata\":{\"value\":\"50\"}}]}}"
        .formatted(scaler, name);
  }

  /** A pod as the operator of its kind would make it. */
  String podJson(String pod, Json owner) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s\",\"labels\":{\"%s\":\"%s\"},\"ownerReferences\":[{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"name\":\"%s\",\"uid\":\"%s\",\"controller\":true}]},\"spec\":{\"nodeName\":\"%s\",\"terminationGracePeriodSeconds\":0,\"containers\":[{\"name\":\"main\",\"image\":\"none\",\"resources\":{\"limits\":{\"nvidia.com/gpu\":\"%d\"}}}]}}"
        .formatted(
            pod,
            Fleet.LABEL,
            name,
            form.apiVersion(),
            form.kind,
            name,
            owner.at("metadata", "uid").text(),
            Fleet.NODE,
            gpus);
  }

  String kind() {
    return form.kind;
  }

  /**
   * All who live in the workshop. Most of those that work are there for the budget alone: a
   * namespace may have as many pauses an hour as it has workloads, and those of the iterations
   * before count as well.
   */
  static List<Resident> everybody() {
    List<Resident> all = new ArrayList<>(whoTakePart());
    for (String namespace : List.of("red", "blue")) {
      for (int i = 0; i < 8; i++) {
        all.add(new Resident(Form.STATEFUL_SET, namespace, "at-work-" + i, "", 1, 1, Team.BUSY));
      }
    }
    return all;
  }

  private static List<Resident> whoTakePart() {
    return List.of(
        new Resident(Form.DEPLOYMENT, "red", "web-e", "", 2, 1, Team.EVEN),
        new Resident(Form.STATEFUL_SET, "red", "db-e", "", 1, 2, Team.EVEN),
        new Resident(Form.NOTEBOOK, "red", "book-e", "", 1, 1, Team.EVEN),
        new Resident(Form.INFERENCE_SERVICE, "blue", "llm-e", "", 1, 1, Team.EVEN),
        new Resident(Form.TRAINING_JOB, "blue", "torch-e", "", 1, 1, Team.EVEN),
        new Resident(Form.DEPLOYMENT, "blue", "scaled-e", "scaler-e", 1, 1, Team.EVEN),
        new Resident(Form.REPLICA_SET, "red", "set-e", "", 1, 1, Team.EVEN),
        new Resident(Form.JOB, "red", "job-e", "", 1, 1, Team.EVEN),
        new Resident(Form.JOB_SET, "blue", "jobs-e", "", 1, 1, Team.EVEN),
        new Resident(Form.LEADER_WORKER_SET, "red", "group-e", "", 1, 1, Team.EVEN),
        new Resident(Form.RAY_CLUSTER, "blue", "ray-e", "", 1, 1, Team.EVEN),
        new Resident(Form.ROLLOUT, "blue", "canary-e", "", 1, 1, Team.EVEN),
        new Resident(Form.REPLICA_SET, "red", "set-o", "", 1, 1, Team.ODD),
        new Resident(Form.JOB, "red", "job-o", "", 1, 1, Team.ODD),
        new Resident(Form.JOB_SET, "blue", "jobs-o", "", 1, 1, Team.ODD),
        new Resident(Form.LEADER_WORKER_SET, "red", "group-o", "", 1, 1, Team.ODD),
        new Resident(Form.RAY_CLUSTER, "blue", "ray-o", "", 1, 1, Team.ODD),
        new Resident(Form.ROLLOUT, "blue", "canary-o", "", 1, 1, Team.ODD),
        new Resident(Form.DEPLOYMENT, "red", "web-o", "", 1, 1, Team.ODD),
        new Resident(Form.STATEFUL_SET, "red", "db-o", "", 2, 1, Team.ODD),
        new Resident(Form.NOTEBOOK, "red", "book-o", "", 1, 2, Team.ODD),
        new Resident(Form.INFERENCE_SERVICE, "blue", "llm-o", "", 1, 1, Team.ODD),
        new Resident(Form.TRAINING_JOB, "blue", "torch-o", "", 1, 1, Team.ODD),
        new Resident(Form.DEPLOYMENT, "blue", "scaled-o", "scaler-o", 1, 1, Team.ODD),
        new Resident(Form.DEPLOYMENT, "red", "half-busy", "", 1, 2, Team.BUSY),
        new Resident(Form.STATEFUL_SET, "blue", "one-of-two", "", 2, 1, Team.BUSY),
        new Resident(Form.DEPLOYMENT, "blue", "sacred", "", 1, 1, Team.EXEMPT),
        new Resident(Form.DEPLOYMENT, "kube-idle", "system", "", 1, 1, Team.EXEMPT));
  }
}
