package dev.fallow.server.stream;

import dev.fallow.server.JsonText;
import dev.fallow.server.fleet.FleetPicture;
import dev.fallow.server.fleet.Sight;
import dev.fallow.server.fleet.WorkloadItem;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One picture after another: what is told to everybody who listens. What all may hear alike is
 * written once, and everybody is sent those same bytes: it can be megabytes, and they hundreds.
 */
final class Frame {

  final FleetPicture picture;
  final long number;
  private final List<WorkloadItem> changed;
  private final List<WorkloadItem> gone;
  private final List<Map<String, Object>> deeds;

  /** All that are spoken of: in the picture, in its past, in what has gone, in what was done. */
  private final Set<String> namespaces = new HashSet<>();

  private byte @Nullable [] wholeForAll;
  private byte @Nullable [] changesForAll;

  private Frame(
      long number,
      FleetPicture picture,
      List<WorkloadItem> changed,
      List<WorkloadItem> gone,
      List<Map<String, Object>> deeds) {
    this.number = number;
    this.picture = picture;
    this.changed = changed;
    this.gone = gone;
    this.deeds = deeds;
    picture.items().forEach(item -> namespaces.add(item.namespace()));
    namespaces.addAll(picture.past().namespaces());
    gone.forEach(item -> namespaces.add(item.namespace()));
    deeds.forEach(deed -> namespaces.add(String.valueOf(deed.get("namespace"))));
  }

  /**
   * @param deeds what was done since, a row of the history each
   */
  static Frame after(
      long number, FleetPicture before, FleetPicture now, List<Map<String, Object>> deeds) {
    Map<String, WorkloadItem> old = new HashMap<>();
    before.items().forEach(item -> old.put(item.workload(), item));
    List<WorkloadItem> changed =
        now.items().stream().filter(item -> !item.equals(old.remove(item.workload()))).toList();
    return new Frame(number, now, changed, List.copyOf(old.values()), List.copyOf(deeds));
  }

  /**
   * @param whole whether the listener has missed something and has to have everything
   * @return not to be changed: others are sent the same
   */
  byte[] bytes(boolean whole, Predicate<String> sees) {
    if (!namespaces.stream().allMatch(sees)) {
      return written(whole, sees);
    }
    synchronized (this) {
      if (whole) {
        byte[] bytes = wholeForAll == null ? written(true, any -> true) : wholeForAll;
        wholeForAll = bytes;
        return bytes;
      }
      byte[] bytes = changesForAll == null ? written(false, any -> true) : changesForAll;
      changesForAll = bytes;
      return bytes;
    }
  }

  private byte[] written(boolean whole, Predicate<String> sees) {
    Map<String, Object> fleet = new LinkedHashMap<>();
    fleet.put("at", picture.at());
    fleet.put("whole", whole);
    fleet.put("summary", Sight.summary(picture, sees));
    fleet.put(
        "changed",
        (whole ? picture.items() : changed)
            .stream()
                .filter(item -> sees.test(item.namespace()))
                .map(WorkloadItem::fields)
                .toList());
    fleet.put(
        "gone",
        whole
            ? List.of()
            : gone.stream()
                .filter(item -> sees.test(item.namespace()))
                .map(WorkloadItem::workload)
                .toList());
    String text = event("fleet", fleet);
    List<Map<String, Object>> heard =
        deeds.stream().filter(deed -> sees.test(String.valueOf(deed.get("namespace")))).toList();
    String all = whole || heard.isEmpty() ? text : text + event("history", Map.of("items", heard));
    return all.getBytes(StandardCharsets.UTF_8);
  }

  private String event(String name, Object data) {
    return "event: " + name + "\nid: " + number + "\ndata: " + JsonText.of(data) + "\n\n";
  }
}
