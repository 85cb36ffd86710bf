package dev.fallow.server.fleet;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** How many GPUs and workloads are in which state now, and what that costs. */
public record FleetNumbers(
    Map<String, Integer> gpus, Map<String, Integer> workloads, double cost, double waste) {

  /**
   * @param free how many GPUs nobody holds
   */
  public static FleetNumbers of(Collection<WorkloadItem> items, int free) {
    Map<String, Integer> gpus = zeros("busy", "idle", "kept", "unknown", "free", "paused");
    Map<String, Integer> workloads = zeros("busy", "idle", "kept", "unknown", "paused");
    double cost = 0;
    double waste = 0;
    for (WorkloadItem item : items) {
      String state = item.state().toLowerCase(Locale.ROOT);
      workloads.merge(state, 1, Integer::sum);
      // One busy GPU of eight keeps the workload; the seven are idle all the same.
      int idle = item.state().equals("BUSY") ? Math.min(item.gpus(), item.idleGpus()) : 0;
      gpus.merge("idle", idle, Integer::sum);
      gpus.merge(state, item.gpus() - idle, Integer::sum);
      cost += item.costPerHour();
      waste += item.wastedPerHour();
    }
    gpus.put("free", free);
    return new FleetNumbers(gpus, workloads, cost, waste);
  }

  /** As the summary has them. */
  public void addTo(Map<String, Object> summary) {
    summary.put("gpus", gpus);
    summary.put("workloads", workloads);
    summary.put("costPerHour", cents(cost));
    summary.put("wastedPerHour", cents(waste));
  }

  private static double cents(double dollars) {
    return Math.round(dollars * 100) / 100.0;
  }

  private static Map<String, Integer> zeros(String... names) {
    Map<String, Integer> zeros = new LinkedHashMap<>();
    for (String name : names) {
      zeros.put(name, 0);
    }
    return zeros;
  }
}
