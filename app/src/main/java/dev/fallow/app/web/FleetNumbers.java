package dev.fallow.app.web;

import dev.fallow.app.output.WorkloadRow;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.GpuNode;
import dev.fallow.server.fleet.WorkloadItem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How many GPUs and workloads are in which state now, and what that costs. */
record FleetNumbers(
    Map<String, Integer> gpus, Map<String, Integer> workloads, double cost, double waste) {

  static FleetNumbers of(ClusterState cluster, List<WorkloadRow> rows, List<WorkloadItem> items) {
    Map<String, Integer> gpus = zeros("busy", "idle", "kept", "unknown", "free", "paused");
    Map<String, Integer> workloads = zeros("busy", "idle", "kept", "unknown", "paused");
    int held = 0;
    double cost = 0;
    double waste = 0;
    Map<String, WorkloadRow> byName = new LinkedHashMap<>();
    rows.forEach(row -> byName.put(row.decision().assessment().workload().root().toString(), row));
    for (WorkloadItem item : items) {
      String state = item.state().toLowerCase(Locale.ROOT);
      workloads.merge(state, 1, Integer::sum);
      WorkloadRow row = byName.get(item.workload());
      if (item.state().equals("PAUSED") || row == null) {
        gpus.merge("paused", item.gpus(), Integer::sum);
        continue;
      }
      // One busy GPU of eight keeps the workload; the seven are idle all the same.
      int idle = item.state().equals("BUSY") ? Math.min(item.gpus(), row.cost().idleGpus()) : 0;
      gpus.merge("idle", idle, Integer::sum);
      gpus.merge(state, item.gpus() - idle, Integer::sum);
      held += item.gpus();
      cost += row.cost().perHour();
      waste += row.cost().wastedPerHour();
    }
    gpus.put("free", Math.max(0, capacity(cluster) - held));
    return new FleetNumbers(gpus, workloads, cost, waste);
  }

  private static int capacity(ClusterState cluster) {
    return cluster.nodes().stream()
        .map(GpuNode::capacity)
        .flatMap(capacity -> capacity.values().stream())
        .mapToInt(Integer::intValue)
        .sum();
  }

  private static Map<String, Integer> zeros(String... names) {
    Map<String, Integer> zeros = new LinkedHashMap<>();
    for (String name : names) {
      zeros.put(name, 0);
    }
    return zeros;
  }
}
