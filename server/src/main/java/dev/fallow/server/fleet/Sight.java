package dev.fallow.server.fleet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What is left of a picture for somebody who may not see every namespace. */
public final class Sight {

  private static final String HIDDEN = "another team's";

  private Sight() {}

  /**
   * The numbers of what somebody may see. What nobody holds is nobody's secret; the rest tells what
   * others run as soon as one's own is taken off.
   */
  public static Map<String, Object> summary(FleetPicture picture, Predicate<String> sees) {
    boolean all =
        picture.items().stream().map(WorkloadItem::namespace).allMatch(sees)
            && picture.past().namespaces().stream().allMatch(sees);
    if (all) {
      return picture.summary();
    }
    Map<String, Object> summary = new LinkedHashMap<>(picture.summary());
    List<WorkloadItem> own =
        picture.items().stream().filter(item -> sees.test(item.namespace())).toList();
    FleetNumbers.of(own, free(picture)).addTo(summary);
    summary.putAll(picture.past().of(sees));
    summary.put("partial", true);
    return summary;
  }

  private static int free(FleetPicture picture) {
    return picture.summary().get("gpus") instanceof Map<?, ?> gpus
            && gpus.get("free") instanceof Integer free
        ? free
        : 0;
  }

  /** The same node with the names of others' workloads left out. */
  static Map<String, Object> node(Map<String, Object> node, Predicate<String> sees) {
    if (!(node.get("gpus") instanceof List<?> gpus)) {
      return node;
    }
    List<Object> shown = new ArrayList<>();
    for (Object gpu : gpus) {
      if (gpu instanceof Map<?, ?> fields
          && fields.get("namespace") instanceof String namespace
          && !sees.test(namespace)) {
        Map<Object, Object> less = new LinkedHashMap<>(fields);
        less.put("workload", HIDDEN);
        less.remove("namespace");
        shown.add(less);
      } else {
        shown.add(gpu);
      }
    }
    Map<String, Object> less = new LinkedHashMap<>(node);
    less.put("gpus", shown);
    return less;
  }
}
