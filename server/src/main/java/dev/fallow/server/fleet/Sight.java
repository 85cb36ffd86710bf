package dev.fallow.server.fleet;

import dev.fallow.server.access.Rights;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What is left of a picture for somebody who may not see every namespace. */
public final class Sight {

  private static final Map<String, Object> HELD = Map.of("state", "HELD");

  private Sight() {}

  /**
   * The numbers of what somebody may see. What nobody holds is nobody's secret; the rest tells what
   * others run as soon as one's own is taken off.
   */
  public static Map<String, Object> summary(FleetPicture picture, Predicate<String> sees) {
    boolean everywhere = sees.test(Rights.EVERYWHERE);
    boolean all =
        picture.items().stream().map(WorkloadItem::namespace).allMatch(sees)
            && picture.past().namespaces().stream().allMatch(sees);
    if (all && everywhere) {
      return picture.summary();
    }
    Map<String, Object> summary = new LinkedHashMap<>(picture.summary());
    if (!everywhere) {
      summary.computeIfPresent("degraded", (name, parts) -> sources(parts));
    }
    if (all) {
      return summary;
    }
    List<WorkloadItem> own =
        picture.items().stream().filter(item -> sees.test(item.namespace())).toList();
    FleetNumbers.of(own, free(picture)).addTo(summary);
    summary.putAll(picture.past().of(sees));
    summary.put("partial", true);
    return summary;
  }

  /** A sentence may name what is in any namespace. */
  private static List<Object> sources(Object parts) {
    List<Object> sources = new ArrayList<>();
    for (Object part : parts instanceof List<?> list ? list : List.of()) {
      if (part instanceof Map<?, ?> fields && fields.get("source") instanceof String source) {
        sources.add(Map.of("source", source));
      }
    }
    return sources;
  }

  private static int free(FleetPicture picture) {
    return picture.summary().get("gpus") instanceof Map<?, ?> gpus
            && gpus.get("free") instanceof Integer free
        ? free
        : 0;
  }

  /**
   * What each GPU does, of those that somebody may see; of the others only that they are held. Who
   * sees no namespace is told of no node.
   */
  static List<Map<String, Object>> nodes(FleetPicture picture, Predicate<String> sees) {
    boolean any =
        sees.test(Rights.EVERYWHERE)
            || picture.items().stream().map(WorkloadItem::namespace).anyMatch(sees)
            || picture.past().namespaces().stream().anyMatch(sees);
    return any ? picture.nodes().stream().map(node -> node(node, sees)).toList() : List.of();
  }

  /** What others do with a card is theirs to know, and so is which one it is. */
  private static Map<String, Object> node(Map<String, Object> node, Predicate<String> sees) {
    if (!(node.get("gpus") instanceof List<?> gpus)) {
      return node;
    }
    List<Object> shown = gpus.stream().map(gpu -> hidden(gpu, sees) ? HELD : (Object) gpu).toList();
    if (!shown.contains(HELD)) {
      return node;
    }
    Map<String, Object> less = new LinkedHashMap<>(node);
    if (shown.stream().allMatch(HELD::equals)) {
      less.remove("model");
    }
    less.put("gpus", shown);
    return less;
  }

  private static boolean hidden(Object gpu, Predicate<String> sees) {
    return gpu instanceof Map<?, ?> fields
        && fields.get("namespace") instanceof String namespace
        && !sees.test(namespace);
  }
}
