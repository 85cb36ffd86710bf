package dev.fallow.core.acknowledge;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Somebody's wish to leave a workload alone.
 *
 * @param until the first instant at which it does not bind any more
 * @param by who wished it; empty if nobody has said
 * @param reason why; empty if nobody has said
 */
public record Keep(Instant until, String by, String reason) {

  /** Whole seconds: that is how people write and compare it. */
  public Keep {
    until = until.truncatedTo(ChronoUnit.SECONDS);
  }

  public boolean bindsAt(Instant at) {
    return at.isBefore(until);
  }

  /** The annotations that say so; an empty one is taken off. */
  public Map<String, Optional<String>> marks() {
    Map<String, Optional<String>> marks = new HashMap<>();
    marks.put(Annotations.KEEP_UNTIL, Optional.of(until.toString()));
    marks.put(Annotations.KEPT_BY, Optional.of(by).filter(text -> !text.isEmpty()));
    marks.put(Annotations.KEEP_REASON, Optional.of(reason).filter(text -> !text.isEmpty()));
    return marks;
  }

  /** {@code kept until 2026-11-02T12:00:00Z by alice (demo)}. */
  public String sentence() {
    return "kept until "
        + until
        + (by.isEmpty() ? "" : " by " + by)
        + (reason.isEmpty() ? "" : " (" + reason + ")");
  }

  /** What ends a keep, gpu-pruner's as well. */
  public static Map<String, Optional<String>> cleared() {
    Map<String, Optional<String>> marks = new HashMap<>();
    Stream.of(
            Annotations.KEEP_UNTIL,
            Annotations.KEPT_BY,
            Annotations.KEEP_REASON,
            Annotations.ACK_UNTIL,
            Annotations.ACK_BY)
        .forEach(key -> marks.put(key, Optional.empty()));
    return marks;
  }

  /** The one that binds longest, on whatever object from the root down to the pods it stands. */
  public static Optional<Keep> standing(Workload workload, Instant at) {
    return workload
        .wishes()
        .map(Workload.Wish::annotations)
        .flatMap(Keep::written)
        .filter(keep -> keep.bindsAt(at))
        .max(Comparator.comparing(Keep::until));
  }

  /** The one on an object itself that binds longest. */
  public static Optional<Keep> on(OwnerObject object, Instant at) {
    return among(object.wishes(), at);
  }

  /** The one among annotations that binds longest. */
  public static Optional<Keep> among(Collection<Map<String, String>> annotations, Instant at) {
    return annotations.stream()
        .flatMap(Keep::written)
        .filter(keep -> keep.bindsAt(at))
        .max(Comparator.comparing(Keep::until));
  }

  /** An object below the root with a wish of its own, which stands when the root's has ended. */
  public static Optional<ObjectId> belowTheRoot(Workload workload, Instant at) {
    return workload
        .wishes()
        .filter(wish -> !wish.on().equals(workload.root()) && binds(wish.annotations(), at))
        .map(Workload.Wish::on)
        .findFirst();
  }

  /** Whether annotations ask for it now. What cannot be read was meant to. */
  public static boolean binds(Map<String, String> annotations, Instant at) {
    return Stream.of(Annotations.KEEP_UNTIL, Annotations.ACK_UNTIL)
        .filter(annotations::containsKey)
        .anyMatch(key -> until(annotations, key).map(at::isBefore).orElse(true));
  }

  /** The annotation that was meant to ask for it and cannot be read, if there is one. */
  public static Optional<String> unreadable(Map<String, String> annotations) {
    return Stream.of(Annotations.KEEP_UNTIL, Annotations.ACK_UNTIL)
        .filter(key -> annotations.containsKey(key) && until(annotations, key).isEmpty())
        .findFirst();
  }

  /** Whether there is anything of a keep among annotations, be it over or unreadable. */
  public static boolean isAmong(Collection<Map<String, String>> annotations) {
    return annotations.stream()
        .anyMatch(one -> cleared().keySet().stream().anyMatch(one::containsKey));
  }

  /** What whoever ends a keep is told where another goes on. */
  public static String goesOn(ObjectId workload, ObjectId other) {
    return "the keep on "
        + workload
        + " was ended, but "
        + other
        + " has one of its own, which goes on; take its annotation off with kubectl";
  }

  private static Stream<Keep> written(Map<String, String> annotations) {
    return Stream.concat(
        until(annotations, Annotations.KEEP_UNTIL)
            .map(until ->
                new Keep(
                    until,
                    annotations.getOrDefault(Annotations.KEPT_BY, ""),
                    annotations.getOrDefault(Annotations.KEEP_REASON, "")))
            .stream(),
        until(annotations, Annotations.ACK_UNTIL)
            .map(until -> new Keep(until, annotations.getOrDefault(Annotations.ACK_BY, ""), ""))
            .stream());
  }

  private static Optional<Instant> until(Map<String, String> annotations, String key) {
    return ObjectTree.parseInstant(annotations.getOrDefault(key, ""));
  }
}
