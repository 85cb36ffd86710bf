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

  /** The cluster's numbers are nobody's secret, unless they can be told from one's own. */
  public static Map<String, Object> summary(FleetPicture picture, Predicate<String> sees) {
    boolean all = picture.items().stream().allMatch(item -> sees.test(item.namespace()));
    Map<String, Object> summary = new LinkedHashMap<>(picture.summary());
    if (!all) {
      summary.put("partial", true);
    }
    return summary;
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
