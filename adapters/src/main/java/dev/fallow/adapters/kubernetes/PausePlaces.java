package dev.fallow.adapters.kubernetes;

import dev.fallow.adapters.kubernetes.OwnerKinds.GroupKind;
import dev.fallow.adapters.kubernetes.pausing.Switch;
import dev.fallow.adapters.kubernetes.pausing.Switches;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.StateBeside;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PausableKind;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Finds where a workload is paused and where the record of that is kept. */
final class PausePlaces {

  private static final ResourceKind HPA =
      new ResourceKind(
          "autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", true);
  private static final ResourceKind CRD =
      new ResourceKind(
          "apiextensions.k8s.io/v1",
          "CustomResourceDefinition",
          "customresourcedefinitions",
          false);
  private static final GroupKind SCALED_OBJECT = new GroupKind("keda.sh", "ScaledObject");

  private final KindCatalog catalog;
  private final Writes writes;

  PausePlaces(ApiServer api, Writes writes) {
    this.catalog = new KindCatalog(api);
    this.writes = writes;
  }

  /**
   * Where it would be paused now; nothing if the workload is gone. The root is read last: what
   * people write on it up to then is seen.
   */
  Optional<PausePlace> find(ObjectId id) {
    Optional<ResourceKind> kind = kindOf(id);
    Map<String, Object> besides = new HashMap<>();
    Optional<ResourceKind> keda = Optional.empty();
    Optional<ObjectTree> scaler = Optional.empty();
    if (kind.isPresent() && scales(id)) {
      List<String> scalers = autoscalersOf(id);
      if (!scalers.isEmpty()) {
        besides.put("hpa", scalers);
      }
      keda = catalog.find("keda.sh/v1alpha1", SCALED_OBJECT.kind());
      scaler = keda.flatMap(found -> scaledObjectOf(found, id));
    }
    Optional<ObjectTree> root = kind.flatMap(k -> writes.read(k, id.namespace(), id.name()));
    if (root.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        scaler.isPresent()
            ? new PausePlace(
                id,
                root.get(),
                keda.orElseThrow(),
                scaler.get(),
                Switches.SCALED_OBJECT,
                false,
                Optional.empty(),
                besides,
                Optional.empty())
            : atRoot(id, kind.orElseThrow(), root.get(), besides));
  }

  /**
   * Announces the pause of a workload also on what scales it, and reads both anew. Who takes the
   * intent back there makes the late write of whoever announced it fail.
   */
  Optional<PausePlace> claimed(PausePlace place, Intent intent) {
    Outcome claim =
        writes.note(
            place.kind(),
            place.target(),
            PauseRecord.on(place.guard(), PauseRecord.announced(intent)),
            scaler -> PauseRecord.isIntent(intent, scaler),
            "announced");
    Optional<ObjectTree> scaler = claim instanceof Outcome.Done ? now(place) : Optional.empty();
    return scaler
        .filter(now -> PauseRecord.isIntent(intent, now))
        .flatMap(now -> marked(place.id()).map(root -> place.with(root, now)));
  }

  /** Takes that announcement back, if it is still the one that stands there. */
  void disclaim(PausePlace place, Intent intent) {
    now(place)
        .filter(scaler -> PauseRecord.isIntent(intent, scaler))
        .ifPresent(scaler ->
            writes.note(
                place.kind(),
                scaler,
                PauseRecord.on(PausePlace.guard(scaler), PauseRecord.noIntent()),
                any -> true,
                "taken back"));
  }

  /** What is switched, as it is now; nothing if it is gone or was made anew. */
  Optional<ObjectTree> now(PausePlace place) {
    return writes
        .read(
            place.kind(),
            place.target().textOr("", "metadata", "namespace"),
            place.target().textOr("", "metadata", "name"))
        .filter(now ->
            now.textOr("", "metadata", "uid")
                .equals(place.target().textOr("?", "metadata", "uid")));
  }

  /** The object that bears what people and we write of a workload: it, or what is kept beside. */
  Optional<ObjectTree> marked(ObjectId id) {
    return StateBeside.isFor(id)
        ? stateOf(id)
        : kindOf(id)
            .flatMap(kind -> writes.read(kind, id.namespace(), id.name()))
            .filter(
                root -> root.textOr("", "metadata", "uid").equals(id.uid()) || id.uid().isEmpty());
  }

  /** Where it has been paused: what scales it is asked only if the root itself says nothing. */
  Optional<PausePlace> findPaused(ObjectId id) {
    if (id.is(SCALED_OBJECT.group(), SCALED_OBJECT.kind())) {
      return kindOf(id)
          .flatMap(kind ->
              writes
                  .read(kind, id.namespace(), id.name())
                  .map(scaler ->
                      new PausePlace(
                          id,
                          scaler,
                          kind,
                          scaler,
                          Switches.SCALED_OBJECT,
                          false,
                          Optional.empty(),
                          Map.of(),
                          Optional.empty())));
    }
    Optional<ResourceKind> kind = kindOf(id);
    Optional<ObjectTree> root = kind.flatMap(k -> writes.read(k, id.namespace(), id.name()));
    if (root.isEmpty()) {
      return Optional.empty();
    }
    PausePlace here = atRoot(id, kind.get(), root.get(), Map.of());
    if (here.record().containsKey(Annotations.BEFORE_PAUSE) || !scales(id)) {
      return Optional.of(here);
    }
    return find(id)
        .filter(PausePlace::isElsewhere)
        .filter(place -> place.record().containsKey(Annotations.BEFORE_PAUSE))
        .or(() -> Optional.of(here));
  }

  private PausePlace atRoot(
      ObjectId id, ResourceKind kind, ObjectTree root, Map<String, Object> besides) {
    boolean beside = StateBeside.isFor(id);
    Optional<PausableKind> pausable =
        PausableKind.of(id)
            .or(() -> kind.scalable() ? Optional.of(PausableKind.ANY_SCALABLE) : Optional.empty());
    Optional<List<String>> path = replicasPath(id, kind, pausable);
    Optional<Refusal> obstacle =
        pausable.isEmpty()
            ? refusal("a " + id.qualifiedKind() + " cannot be paused")
            : path.isEmpty()
                ? refusal(
                    "where a "
                        + id.qualifiedKind()
                        + " keeps its replicas cannot be read; grant get on"
                        + " customresourcedefinitions.apiextensions.k8s.io")
                : Optional.empty();
    Switch by =
        Switches.of(
            pausable.orElse(PausableKind.DEPLOYMENT),
            id.kind() + "." + id.group(),
            path.orElse(List.of("spec", "replicas")));
    return new PausePlace(
        id,
        root,
        kind,
        root,
        by,
        beside,
        beside ? stateOf(id) : Optional.empty(),
        besides,
        obstacle.or(() -> missingField(pausable, path, root, id)));
  }

  private static Optional<Refusal> missingField(
      Optional<PausableKind> kind, Optional<List<String>> path, ObjectTree root, ObjectId id) {
    boolean asked = kind.equals(Optional.of(PausableKind.ANY_SCALABLE)) && path.isPresent();
    return asked && root.number(path.get().toArray(String[]::new)).isEmpty()
        ? refusal(id + " has no number at " + String.join(".", path.get()))
        : Optional.empty();
  }

  private static Optional<Refusal> refusal(String sentence) {
    return Optional.of(new Refusal(RefusalReason.NO_SCALABLE_OWNER, sentence));
  }

  /** Of a kind that is only known to be scalable, its definition tells where. */
  private Optional<List<String>> replicasPath(
      ObjectId id, ResourceKind kind, Optional<PausableKind> pausable) {
    if (!pausable.equals(Optional.of(PausableKind.ANY_SCALABLE)) || id.group().isEmpty()) {
      return Optional.of(List.of("spec", "replicas"));
    }
    try {
      return writes
          .read(CRD, "", kind.resource())
          .flatMap(definition ->
              definition.list("spec", "versions").stream()
                  .filter(version -> kind.apiVersion().endsWith("/" + version.textOr("?", "name")))
                  .flatMap(
                      version -> version.text("subresources", "scale", "specReplicasPath").stream())
                  .findFirst())
          .map(path -> List.of(path.replaceFirst("^\\.", "").split("\\.")));
    } catch (ApiRefusal refusal) {
      if (refusal.passes()) {
        throw refusal;
      }
      return Optional.empty();
    }
  }

  /**
   * Takes an annotation off the object that keeps a workload's record, if it is there. What
   * somebody else takes off at the same time is not written once more.
   */
  Outcome unmark(ObjectId id, String annotation) {
    Predicate<ObjectTree> made =
        object -> !object.texts("metadata", "annotations").containsKey(annotation);
    Optional<ResourceKind> kind = kindOf(id);
    Optional<ObjectTree> keeper = marked(id);
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
    Optional<ResourceKind> kind = kindOf(id);
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
  Outcome record(PausePlace place, Map<String, Object> record, Predicate<ObjectTree> made) {
    return onState(place.beside().orElse(ObjectTree.EMPTY), record, made);
  }

  /** Takes the record of a pause that was not made, or is undone, from beside the workload. */
  Outcome takeBack(ObjectId id, Intent intent) {
    return stateOf(id)
        .filter(state -> PauseRecord.isOf(intent, state))
        .map(state -> onState(state, PauseRecord.notMade(), now -> !PauseRecord.isOf(intent, now)))
        .orElse(new Outcome.Done("nothing to take back"));
  }

  private Outcome onState(ObjectTree state, Map<String, Object> marks, Predicate<ObjectTree> made) {
    return states()
        .map(kind ->
            writes.note(
                kind, state, PauseRecord.on(PausePlace.guard(state), marks), made, "marked"))
        .orElseGet(() -> Writes.changed("the API server does not know WorkloadState any more"));
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

  private static boolean scales(ObjectId id) {
    return PausableKind.of(id)
        .map(kind ->
            switch (kind) {
              case DEPLOYMENT,
                  STATEFUL_SET,
                  REPLICA_SET,
                  LEADER_WORKER_SET,
                  ROLLOUT,
                  ANY_SCALABLE ->
                  true;
              default -> false;
            })
        .orElse(true);
  }

  private List<String> autoscalersOf(ObjectId id) {
    List<String> names = new ArrayList<>();
    for (ObjectTree hpa :
        writes.listed(HPA, id.namespace(), Projection.of("metadata.name", "spec.scaleTargetRef"))) {
      if (targets(hpa, id)) {
        names.add(hpa.textOr("", "metadata", "name"));
      }
    }
    return names;
  }

  private Optional<ObjectTree> scaledObjectOf(ResourceKind kind, ObjectId id) {
    for (ObjectTree scaler : writes.listed(kind, id.namespace(), Projection.WHOLE)) {
      if (targets(scaler, id)) {
        return Optional.of(scaler);
      }
    }
    return Optional.empty();
  }

  private static boolean targets(ObjectTree scaler, ObjectId id) {
    ObjectTree target = scaler.tree("spec", "scaleTargetRef");
    return target.textOr("", "name").equals(id.name())
        && target.textOr("Deployment", "kind").equals(id.kind())
        && ObjectId.groupOf(target.textOr("apps/v1", "apiVersion")).equals(id.group());
  }

  private Optional<ResourceKind> kindOf(ObjectId id) {
    return catalog.find(id.group().isEmpty() ? "v1" : id.group() + "/v1", id.kind());
  }

  private static ObjectTree named(ObjectId id) {
    return new ObjectTree(
        Map.of("metadata", Map.of("namespace", id.namespace(), "name", id.name())));
  }
}
