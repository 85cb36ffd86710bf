package dev.fallow.app.autoscale;

import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.Surroundings;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.UsageSeries;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** One Deployment with one ready pod on one GPU. */
final class SmallCluster {

  static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
  static final Feed UTIL = Feed.of("DCGM_FI_DEV_GPU_UTIL").orElseThrow();

  private SmallCluster() {}

  static LiveMetricBook.Picture picture() {
    Map<String, Object> owner =
        Map.of(
            "apiVersion", "apps/v1",
            "kind", "Deployment",
            "name", "web",
            "uid", "d1",
            "controller", true);
    Map<String, Object> container =
        Map.of("name", "main", "resources", Map.of("limits", Map.of("nvidia.com/gpu", "1")));
    Map<String, Object> ready =
        Map.of("type", "Ready", "status", "True", "lastTransitionTime", "2026-11-02T09:00:00Z");
    Map<String, Object> running =
        Map.of(
            "name",
            "main",
            "state",
            Map.of("running", Map.of("startedAt", "2026-11-02T09:00:00Z")));
    Map<String, Object> pod =
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Pod",
            "metadata",
            Map.of(
                "name", "web-1",
                "namespace", "ml",
                "uid", "u1",
                "labels", Map.of("app", "web"),
                "ownerReferences", List.of(owner)),
            "spec",
            Map.of("nodeName", "n1", "containers", List.of(container)),
            "status",
            Map.of(
                "phase", "Running",
                "conditions", List.of(ready),
                "containerStatuses", List.of(running)));
    Map<String, Object> deployment =
        Map.of(
            "apiVersion",
            "apps/v1",
            "kind",
            "Deployment",
            "metadata",
            Map.of("name", "web", "namespace", "ml", "uid", "d1"));
    return new LiveMetricBook.Picture(
        ClusterState.of(List.of(new ObjectTree(pod), new ObjectTree(deployment))),
        Surroundings.NONE);
  }

  /** The pod's card with one sample. */
  static UsageSeries card(String metric, Instant at, double value) {
    Map<String, String> labels =
        Map.of(
            "UUID",
            "GPU-1",
            "Hostname",
            "n1",
            "exported_pod",
            "web-1",
            "exported_namespace",
            "ml",
            "pod",
            "dcgm-x",
            "namespace",
            "gpu-operator");
    return new UsageSeries(
        SeriesLabels.ofAny(metric, labels),
        new Samples.Builder(at).add(at.toEpochMilli(), value).build(),
        labels);
  }

  /** What a pod of the namespace tells of itself. */
  static UsageSeries told(String metric, String pod, Instant at, double value) {
    Map<String, String> labels = Map.of("namespace", "ml", "pod", pod, "instance", pod);
    return new UsageSeries(
        SeriesLabels.ofAny(metric, labels),
        new Samples.Builder(at).add(at.toEpochMilli(), value).build(),
        labels);
  }
}
