package dev.fallow.adapters.kubernetes.pausing;

import dev.fallow.core.fleet.ObjectTree;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A field of the specification: replicas at zero, or suspend. */
public final class FieldSwitch implements Switch {

  /** What the field lies in, where that was not there either: a resume takes it away again. */
  private static final String ABSENT = "absent";

  private final List<String> path;
  private final String name;
  private final Object off;

  private FieldSwitch(List<String> path, Object off) {
    this.path = List.copyOf(path);
    this.name = path.getLast();
    this.off = off;
  }

  /** Zero at the place where the kind keeps its replicas. */
  public static FieldSwitch replicas(List<String> path) {
    return new FieldSwitch(path, 0L);
  }

  /** True at the place where the kind keeps its suspend. */
  public static FieldSwitch suspend(List<String> path) {
    return new FieldSwitch(path, true);
  }

  @Override
  public boolean isOff(ObjectTree live) {
    String[] steps = path.toArray(String[]::new);
    return off.equals(true)
        ? live.isTrue(steps)
        : live.number(steps).isPresent() && live.number(steps).getAsLong() == 0;
  }

  @Override
  public Map<String, Object> before(ObjectTree live) {
    String[] steps = path.toArray(String[]::new);
    Map<String, Object> before = new HashMap<>();
    if (off.equals(true)) {
      if (live.has(steps)) {
        before.put(name, live.isTrue(steps));
      }
    } else {
      live.number(steps).ifPresent(count -> before.put(name, count));
    }
    for (int depth = 1; depth < path.size(); depth++) {
      List<String> above = path.subList(0, depth);
      if (!live.has(above.toArray(String[]::new))) {
        before.put(ABSENT, String.join("/", above));
        break;
      }
    }
    return before;
  }

  @Override
  public Map<String, Object> turnOff(Instant at) {
    return at(off);
  }

  @Override
  public Map<String, Object> turnOn(ObjectTree before) {
    if (before.has(ABSENT)) {
      List<String> above = List.of(before.textOr("", ABSENT).split("/"));
      if (above.size() >= path.size() || !path.subList(0, above.size()).equals(above)) {
        throw new UnreadableRecord(ABSENT + " names no place around " + String.join("/", path));
      }
      return at(above, null);
    }
    if (!before.has(name)) {
      return at(null);
    }
    if (off.equals(true)) {
      if (before.fields().get(name) instanceof Boolean suspended && !suspended) {
        return at(false);
      }
      throw new UnreadableRecord(name + " was neither false nor absent");
    }
    long count =
        before
            .number(name)
            .orElseThrow(() -> new UnreadableRecord(name + " is no number: " + said(before)));
    if (count < 1 || count > Integer.MAX_VALUE) {
      throw new UnreadableRecord(name + " cannot have been " + count);
    }
    return at(count);
  }

  /** Somebody may have written into what the pause had to make room in. */
  @Override
  public Map<String, Object> turnOn(ObjectTree before, ObjectTree live) {
    Map<String, Object> on = turnOn(before);
    boolean shared = false;
    for (int depth = 1; before.has(ABSENT) && depth < path.size(); depth++) {
      boolean within = depth >= before.textOr("", ABSENT).split("/").length;
      shared |=
          within && live.tree(path.subList(0, depth).toArray(String[]::new)).fields().size() > 1;
    }
    return shared ? at(null) : on;
  }

  private String said(ObjectTree before) {
    String text = before.textOr("?", name);
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }

  private Map<String, Object> at(@Nullable Object value) {
    return at(path, value);
  }

  private static Map<String, Object> at(List<String> path, @Nullable Object value) {
    Map<String, Object> here = new HashMap<>();
    here.put(path.getLast(), value);
    for (String step : path.subList(0, path.size() - 1).reversed()) {
      Map<String, Object> above = new HashMap<>();
      above.put(step, here);
      here = above;
    }
    return here;
  }
}
