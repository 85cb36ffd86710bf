package dev.fallow.adapters.kubernetes;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.StateBeside;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.RefusalReason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is written of a workload by people and by us: on the workload itself or, where its operator
 * would copy that to its pods, on an object beside it.
 */
final class PauseMarks {

  private final KindCatalog catalog;
  private final Writes writes;

  PauseMarks(KindCatalog catalog, Writes writes) {
    this.catalog = catalog;
    this.writes = writes;
  }

  /** The object that bears what people and we write of a workload: it, or what is kept beside. */
  Optional<ObjectTree> on(ObjectId id) {
    return StateBeside.isFor(id)
        ? stateOf(id)
        : catalog
            .of(id)
            .flatMap(kind -> writes.read(kind, id.namespace(), id.name()))
            .filter(
                root -> root.textOr("", "metadata", "uid").equals(id.uid()) || id.uid().isEmpty());
  }

  /** The annotations of a workload's root and of what is kept beside it. */
  List<Map<String, String>> annotations(ObjectId id) {
    Optional<ObjectTree> root =
        catalog.of(id).flatMap(kind -> writes.read(kind, id.namespace(), id.name()));
    Optional<ObjectTree> beside = StateBeside.isFor(id) ? stateOf(id) : Optional.empty();
    return Stream.of(root, beside)
        .flatMap(Optional::stream)
        .map(object -> object.texts("metadata", "annotations"))
        .toList();
  }

  /**
   * Takes an annotation off the object that keeps a workload's record, if it is there. What
   * somebody else takes off at the same time is not written once more.
   */
  Outcome unmark(ObjectId id, String annotation) {
    Predicate<ObjectTree> made =
        object -> !object.texts("metadata", "annotations").containsKey(annotation);
    Optional<ResourceKind> kind = catalog.of(id);
    Optional<ObjectTree> keeper = on(id);
    if (keeper.isEmpty() || made.test(keeper.get())) {
      return new Outcome.Done("nothing to take off");
    }
    Map<String, Object> marks = new HashMap<>();
    marks.put(annotation, null);
    if (StateBeside.isFor(id)) {
      return mark(id, marks, made);
    }
    Map<String, Object> metadata = new HashMap<>();
    metadata.put("uid", id.uid());
    metadata.put("resourceVersion", keeper.get().textOr("", "metadata", "resourceVersion"));
    metadata.put("annotations", marks);
    return writes.note(
        kind.orElseThrow(), named(id), Map.of("metadata", metadata), made, "taken off");
  }

  /** Marks the object that keeps a workload's record. */
  Outcome mark(ObjectId id, Map<String, ?> annotations, Predicate<ObjectTree> made) {
    Optional<ResourceKind> kind = catalog.of(id);
    if (kind.isEmpty()) {
      return Writes.changed("the API server does not know the kind of " + id + " any more");
    }
    Map<String, Object> marks = new HashMap<>(annotations);
    if (!StateBeside.isFor(id)) {
      Map<String, Object> metadata = new HashMap<>();
      metadata.put("uid", id.uid());
      metadata.put("annotations", marks);
      return writes.note(kind.get(), named(id), Map.of("metadata", metadata), made, "marked");
    }
    return markBeside(id, kind.get(), marks, made);
  }

  /**
   * Keeps the record of a pause beside the workload, if what is kept there is still what was looked
   * at last.
   */
  Writes.Patched record(PausePlace place, Map<String, Object> record, Predicate<ObjectTree> made) {
    return onState(place.beside().orElse(ObjectTree.EMPTY), record, made);
  }

  /**
   * Takes the intent off, if nobody has marked the workload since it was read or written last.
   *
   * @return a refusal if somebody has
   */
  Outcome settle(PausePlace place) {
    ObjectTree marked = place.marked();
    Optional<ResourceKind> kind = place.recordIsBeside() ? states() : catalog.of(place.id());
    return kind.map(of ->
            writes.note(
                of,
                marked,
                PauseRecord.on(PausePlace.guard(marked), PauseRecord.noIntent()),
                unsure -> false,
                "settled"))
        .orElseGet(() -> Writes.changed("the API server does not know its kind any more"));
  }

  /** Takes the record of a pause that was not made, or is undone, from beside the workload. */
  Outcome takeBack(ObjectId id, Intent intent) {
    return stateOf(id)
        .filter(state -> PauseRecord.isOf(intent, state))
        .map(state ->
            onState(state, PauseRecord.notMade(), now -> !PauseRecord.isOf(intent, now)).outcome())
        .orElse(new Outcome.Done("nothing to take back"));
  }

  private Writes.Patched onState(
      ObjectTree state, Map<String, Object> marks, Predicate<ObjectTree> made) {
    return states()
        .map(
            kind -> writes.noted(kind, state, PauseRecord.on(PausePlace.guard(state), marks), made))
        .orElseGet(() ->
            new Writes.Patched(
                Writes.changed("the API server does not know WorkloadState any more")));
  }

  private Outcome markBeside(
      ObjectId id, ResourceKind kind, Map<String, Object> marks, Predicate<ObjectTree> made) {
    Optional<ResourceKind> states = states();
    if (states.isEmpty()) {
      return Writes.refused(
          RefusalReason.NO_SCALABLE_OWNER,
          "an InferenceService needs the kind WorkloadState to be installed:"
              + " kubectl apply -f deploy/base/workloadstates.yaml");
    }
    ObjectTree place = named(new ObjectId("", "", id.namespace(), StateBeside.nameFor(id), ""));
    Map<String, Object> change = Map.of("metadata", Map.of("annotations", marks));
    boolean clears = marks.values().stream().allMatch(value -> value == null);
    Outcome onIt = clears ? clearOnIt(id, kind, marks) : new Outcome.Done("nothing to clear");
    if (!(onIt instanceof Outcome.Done)) {
      return onIt;
    }
    boolean exists = stateOf(id).isPresent();
    if (!exists && clears) {
      return onIt;
    }
    if (!exists) {
      Outcome created = writes.create(states.get(), id.namespace(), newState(id, kind));
      if (!(created instanceof Outcome.Done)) {
        return created;
      }
    }
    return writes.note(states.get(), place, change, made, "marked");
  }

  /** People write a keep on the workload itself, and it binds there as well. */
  private Outcome clearOnIt(ObjectId id, ResourceKind kind, Map<String, Object> marks) {
    Optional<ObjectTree> root = writes.read(kind, id.namespace(), id.name());
    Map<String, Object> there = new HashMap<>(marks);
    there
        .keySet()
        .retainAll(
            root.map(object -> object.texts("metadata", "annotations").keySet()).orElse(Set.of()));
    if (there.isEmpty()) {
      return new Outcome.Done("nothing to clear");
    }
    Map<String, Object> metadata = new HashMap<>();
    metadata.put("uid", id.uid());
    metadata.put("annotations", there);
    return writes.note(
        kind,
        named(id),
        Map.of("metadata", metadata),
        object ->
            there.keySet().stream().noneMatch(object.texts("metadata", "annotations")::containsKey),
        "cleared");
  }

  /** It goes when its workload goes. */
  private static Map<String, Object> newState(ObjectId id, ResourceKind kind) {
    Map<String, Object> owner =
        Map.of(
            "apiVersion", kind.apiVersion(),
            "kind", id.kind(),
            "name", id.name(),
            "uid", id.uid());
    return Map.of(
        "apiVersion",
        StateBeside.GROUP + "/v1",
        "kind",
        StateBeside.KIND,
        "metadata",
        Map.of(
            "name",
            StateBeside.nameFor(id),
            "namespace",
            id.namespace(),
            "ownerReferences",
            List.of(owner)),
        "spec",
        Map.of(
            "workload",
            Map.of("group", id.group(), "kind", id.kind(), "name", id.name(), "uid", id.uid())));
  }

  private Optional<ObjectTree> stateOf(ObjectId id) {
    return states()
        .flatMap(kind -> writes.read(kind, id.namespace(), StateBeside.nameFor(id)))
        .filter(state ->
            state.textOr("", "spec", "workload", "uid").equals(id.uid()) || id.uid().isEmpty());
  }

  private Optional<ResourceKind> states() {
    return catalog.find(StateBeside.GROUP + "/v1", StateBeside.KIND);
  }

  private static ObjectTree named(ObjectId id) {
    return new ObjectTree(
        Map.of("metadata", Map.of("namespace", id.namespace(), "name", id.name())));
  }
}
