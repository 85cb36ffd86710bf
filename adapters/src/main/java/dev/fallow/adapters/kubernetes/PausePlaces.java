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

/** Finds where a workload is paused. */
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
  private final PauseMarks marks;

  PausePlaces(KindCatalog catalog, Writes writes, PauseMarks marks) {
    this.catalog = catalog;
    this.writes = writes;
    this.marks = marks;
  }

  /**
   * Where it would be paused now; nothing if the workload is gone. The root is read last: what
   * people write on it up to then is seen.
   */
  Optional<PausePlace> find(ObjectId id) {
    Optional<ResourceKind> kind = catalog.of(id);
    Map<String, Object> besides = new HashMap<>();
    Optional<ResourceKind> keda = Optional.empty();
    Optional<ObjectTree> scaler = Optional.empty();
    if (kind.isPresent() && scales(id)) {
      keda = catalog.find("keda.sh/v1alpha1", SCALED_OBJECT.kind());
      scaler = keda.flatMap(found -> scaledObjectOf(found, id));
      List<String> scalers =
          scaler
              .flatMap(found -> found.text("status", "hpaName"))
              .map(List::of)
              .orElseGet(() -> autoscalersOf(id));
      if (!scalers.isEmpty()) {
        besides.put("hpa", scalers);
      }
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
        .flatMap(now -> marks.on(place.id()).map(root -> place.with(root, now)));
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

  /** Where it has been paused: what scales it is asked only if the root itself says nothing. */
  Optional<PausePlace> findPaused(ObjectId id) {
    if (id.is(SCALED_OBJECT.group(), SCALED_OBJECT.kind())) {
      return catalog
          .of(id)
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
    Optional<ResourceKind> kind = catalog.of(id);
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
        beside ? marks.on(id) : Optional.empty(),
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
}
