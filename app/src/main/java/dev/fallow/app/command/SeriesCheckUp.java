package dev.fallow.app.command;

import dev.fallow.app.command.DoctorCommand.Finding;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSeries;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What the GPU series of a cluster look like, and what is wrong with them. */
final class SeriesCheckUp {

  private SeriesCheckUp() {}

  static List<Finding> of(ClusterState cluster, List<UsageSeries> series) {
    if (series.isEmpty()) {
      return List.of(
          new Finding(
              "GPU series",
              "the source answers and knows no GPU series",
              "install dcgm-exporter (GPU operator or its Helm chart), and have Prometheus scrape"
                  + " it or name it with --exporters"));
    }
    List<Finding> findings = new ArrayList<>();
    Set<Signal> signals = EnumSet.noneOf(Signal.class);
    Set<String> devices = new HashSet<>();
    Set<String> hosts = new TreeSet<>();
    Set<String> named = new HashSet<>();
    int moved = 0;
    for (UsageSeries one : series) {
      SeriesLabels labels = one.labels();
      signals.add(labels.signal());
      devices.add(labels.host() + labels.node() + "/" + labels.card() + "/" + labels.migInstance());
      hosts.add(labels.host().isEmpty() ? labels.node() : labels.host());
      named.add(
          labels.claimed().isNone() ? labels.plain().toString() : labels.claimed().toString());
      moved += labels.claimed().isNone() ? 0 : 1;
    }
    findings.add(
        new Finding(
            "GPU series",
            series.size()
                + " series of "
                + devices.size()
                + " devices on "
                + hosts.size()
                + " nodes, labels "
                + form(moved, series.size())
                + ", signals "
                + signals,
            ""));
    findings.add(mainSignal(signals));
    findings.add(unseen(cluster, named));
    return findings;
  }

  private static String form(int moved, int all) {
    if (moved == 0) {
      return "as the exporter wrote them (honorLabels on)";
    }
    return moved == all
        ? "moved to exported_* (honorLabels off)"
        : "partly moved to exported_* (honorLabels off, some GPUs free)";
  }

  private static Finding mainSignal(Set<Signal> signals) {
    boolean engine = signals.contains(Signal.GR_ENGINE_ACTIVE);
    boolean any = signals.stream().anyMatch(Signal.mains()::contains);
    return new Finding(
        "proof",
        any
            ? engine
                ? "GR_ENGINE_ACTIVE is there, the best proof of idleness"
                : "no GR_ENGINE_ACTIVE; idleness is proven by utilisation, and MIG slices stay"
                    + " unknown"
            : "no signal that can prove idleness",
        any
            ? ""
            : "let the exporter publish DCGM_FI_DEV_GPU_UTIL or DCGM_FI_PROF_GR_ENGINE_ACTIVE");
  }

  private static Finding unseen(ClusterState cluster, Set<String> named) {
    List<GpuPod> unseen =
        cluster.pods().stream()
            .filter(pod -> pod.live() && pod.node().isPresent())
            .filter(pod -> !named.contains(pod.id().namespace() + "/" + pod.id().name()))
            .toList();
    if (unseen.isEmpty()) {
      return new Finding("pod labels", "every running GPU pod is named by some series", "");
    }
    return new Finding(
        "pod labels",
        unseen.size()
            + " running GPU pods are named by no series, such as "
            + unseen.getFirst().id(),
        "set DCGM_EXPORTER_KUBERNETES=true on the exporter and mount the kubelet's pod-resources"
            + " socket; on nodes without an exporter, run one");
  }
}
