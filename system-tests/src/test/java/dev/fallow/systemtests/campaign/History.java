package dev.fallow.systemtests.campaign;

import dev.fallow.rig.AuditEntry;
import dev.fallow.rig.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Every object of the run through its revisions, as the audit log tells it. */
final class History {
  private static final Json UNKNOWN = Json.parse("null");

  private final List<Write> writes;
  private final Map<ObjectRef, List<List<Step>>> lives = new LinkedHashMap<>();

  History(List<AuditEntry> audit) {
    writes = audit.stream().filter(AuditEntry::isWrite).map(Write::of).toList();
    Map<ObjectRef, Map<String, List<Write>>> byObject = new LinkedHashMap<>();
    for (Write write : writes) {
      if (write.applied()) {
        byObject
            .computeIfAbsent(write.object(), any -> new LinkedHashMap<>())
            .computeIfAbsent(write.uid(), any -> new ArrayList<>())
            .add(write);
      }
    }
    byObject.forEach((object, byUid) ->
        lives.put(
            object,
            byUid.values().stream()
                .map(History::life)
                .sorted(Comparator.comparingLong(life -> life.getFirst().write().revision()))
                .toList()));
  }

  private static List<Step> life(List<Write> applied) {
    List<Step> steps = new ArrayList<>();
    Json state = UNKNOWN;
    for (Write write :
        applied.stream()
            .sorted(Comparator.comparingLong(Write::revision).thenComparing(Write::received))
            .toList()) {
      Json before = guardedBy(write, state);
      Json after = write.response();
      if (write.subresource().equals("scale")) {
        // A Scale is not the object, but says what it does to it.
        after =
            before
                .with(after.at("spec", "replicas"), "spec", "replicas")
                .with(after.at("metadata", "resourceVersion"), "metadata", "resourceVersion")
                .with(after.at("metadata", "uid"), "metadata", "uid");
      }
      steps.add(new Step(write, before, after));
      state = after;
    }
    return steps;
  }

  /** A guarded write that succeeded proves which revision it met; another one than ours: a gap. */
  private static Json guardedBy(Write write, Json state) {
    String guard = write.guard();
    boolean gap = !guard.isEmpty() && !guard.equals(state.at("metadata", "resourceVersion").text());
    return gap ? UNKNOWN : state;
  }

  /** Every request for a change, also those that failed. */
  List<Write> writes() {
    return writes;
  }

  /** All changes, in the order in which they happened. */
  List<Step> steps() {
    return lives.values().stream()
        .flatMap(List::stream)
        .flatMap(List::stream)
        .sorted(Comparator.comparingLong((Step step) -> step.write().revision()))
        .toList();
  }

  /** The lives that were led under one name, first one first. */
  List<List<Step>> lives(ObjectRef object) {
    return lives.getOrDefault(object, List.of());
  }

  /** All lives of all objects. */
  List<List<Step>> lives() {
    return lives.values().stream().flatMap(List::stream).toList();
  }

  /** The life that a step belongs to. */
  List<Step> lifeOf(Step step) {
    return lives(step.object()).stream()
        .filter(life -> life.contains(step))
        .findFirst()
        .orElse(List.of());
  }

  /** What an object was right after this revision. */
  Optional<Json> stateAt(ObjectRef object, long revision) {
    return last(object, write -> write.revision() <= revision);
  }

  /** What an object was at a moment: all that had been asked for by then had been done. */
  Optional<Json> stateAt(ObjectRef object, Instant moment) {
    return last(object, write -> !write.received().isAfter(moment));
  }

  private Optional<Json> last(ObjectRef object, Predicate<Write> among) {
    return lives(object).stream()
        .flatMap(List::stream)
        .filter(step -> among.test(step.write()))
        .reduce((first, second) -> second)
        .map(Step::after);
  }
}
