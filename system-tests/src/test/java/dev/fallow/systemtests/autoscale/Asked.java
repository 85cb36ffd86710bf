package dev.fallow.systemtests.autoscale;

import java.util.List;

/**
 * A way to the numbers of {@link Scenarios}, once their autoscalers have done what they had to.
 *
 * @param path below a version of an API
 * @param kind what has the numbers
 * @param values how many numbers there are, all the same
 * @param value as the API writes it
 */
record Asked(String path, String kind, int values, String value) {

  static List<Asked> ofObjects() {
    return List.of(
        new Asked("namespaces/ml/pods/*/gpu_utilization?labelSelector=app%3Dup", "Pod", 3, "40"),
        new Asked("namespaces/ml/pods/%2A/gpu_utilization?labelSelector=app=up", "Pod", 3, "40"),
        new Asked("namespaces/ml/pods/same-name-again-0/gpu_utilization", "Pod", 1, "50"),
        new Asked("namespaces/ml/pods/same-name-again-0/DCGM_FI_DEV_GPU_UTIL", "Pod", 1, "50"),
        new Asked("namespaces/ml/deployments.apps/up/gpu_utilization", "Deployment", 1, "40"),
        new Asked("namespaces/ml/deployments.apps/up/gpu_utilization_sum", "Deployment", 1, "120"),
        new Asked(
            "namespaces/ml/statefulsets.apps/of-a-stateful-set/gpu_utilization",
            "StatefulSet",
            1,
            "50"),
        new Asked(
            "namespaces/ml/inferenceservices.serving.kserve.io/model/gpu_utilization",
            "InferenceService",
            1,
            "30"),
        new Asked(
            "namespaces/ml/leaderworkersets.leaderworkerset.x-k8s.io/group/gpu_utilization",
            "LeaderWorkerSet",
            1,
            "20"),
        new Asked("namespaces/ml/services/of-a-service/gpu_utilization", "Service", 1, "50"),
        new Asked("namespaces/alone/metrics/gpu_utilization", "Namespace", 1, "50"),
        new Asked("nodes/n2/gpu_utilization", "Node", 1, "40"));
  }

  static List<Asked> external() {
    String path = "namespaces/ml/gpu_utilization?labelSelector=workload%3Dexternal";
    return List.of(new Asked(path, "Deployment", 1, "50"));
  }
}
