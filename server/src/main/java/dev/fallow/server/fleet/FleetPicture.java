package dev.fallow.server.fleet;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The cluster as the last look found it.
 *
 * @param number one more with every look
 * @param items the greatest waste first
 * @param summary the cluster in one object
 * @param past the part of the summary that is about the past, for those who may not see all of it
 * @param nodes what each GPU of each node does
 */
public record FleetPicture(
    long number,
    Instant at,
    List<WorkloadItem> items,
    Map<String, Object> summary,
    PastSums past,
    List<Map<String, Object>> nodes) {

  /** Before the first look. */
  public static final FleetPicture NONE =
      new FleetPicture(0, Instant.EPOCH, List.of(), Map.of(), List.of());

  public FleetPicture {
    items = List.copyOf(items);
    nodes = List.copyOf(nodes);
  }

  /** Of nothing but the present. */
  public FleetPicture(
      long number,
      Instant at,
      List<WorkloadItem> items,
      Map<String, Object> summary,
      List<Map<String, Object>> nodes) {
    this(number, at, items, summary, PastSums.NONE, nodes);
  }

  /** The same, with other items in the places of those of the same workloads. */
  public FleetPicture with(Map<String, WorkloadItem> changed) {
    return changed.isEmpty()
        ? this
        : new FleetPicture(
            number,
            at,
            items.stream().map(item -> changed.getOrDefault(item.workload(), item)).toList(),
            summary,
            past,
            nodes);
  }

  public Optional<WorkloadItem> find(String namespace, String kind, String name) {
    return items.stream().filter(item -> item.is(namespace, kind, name)).findFirst();
  }
}
