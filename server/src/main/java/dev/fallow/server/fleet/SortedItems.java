package dev.fallow.server.fleet;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The workloads of the latest picture, sorted once for each order that somebody asks for. */
final class SortedItems {

  private volatile Sorted latest = new Sorted(FleetPicture.NONE, new ConcurrentHashMap<>());

  private record Sorted(FleetPicture picture, Map<String, List<WorkloadItem>> lists) {}

  /**
   * @param sort one that {@link FleetQuery} knows: there are few, so there are few lists
   */
  @SuppressWarnings("ReferenceEquality") // to compare ten thousand rows is what is spared here
  List<WorkloadItem> of(FleetPicture picture, String sort) {
    Sorted sorted = latest;
    if (sorted.picture != picture) {
      sorted = new Sorted(picture, new ConcurrentHashMap<>());
      latest = sorted;
    }
    return sorted.lists.computeIfAbsent(
        sort, key -> picture.items().stream().sorted(FleetQuery.order(key)).toList());
  }
}
