package dev.fallow.adapters.kubernetes;

import dev.fallow.adapters.kubernetes.pausing.Switch;
import dev.fallow.adapters.kubernetes.pausing.Switches;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.StateBeside;
import dev.fallow.core.prune.PausableKind;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds where a workload is paused. */
final class PausePlaces {

  private static final ResourceKind CRD =
      new ResourceKind(
          "apiextensions.k8s.io/v1",
          "CustomResourceDefinition",
          "customresourcedefinitions",
          false);

  private final KindCatalog catalog;
  private final Writes writes;
  private final PauseMarks marks;
  private final Scalers scalers;

  PausePlaces(KindCatalog catalog, Writes writes, PauseMarks marks, Scalers scalers) {
    this.catalog = catalog;
    this.writes = writes;
    this.marks = marks;
    this.scalers = scalers;
  }

  /**
   * Where it would be paused now; nothing if the workload is gone. The root is read last: what
   * people write on it up to then is seen.
   *
   * @param scaling as it was found before
   */
  Optional<PausePlace> at(ObjectId id, Scalers.Scaling scaling) {
    Optional<ResourceKind> kind = catalog.of(id);
    return kind.flatMap(k -> writes.read(k, id.namespace(), id.name()))
        .map(root ->
            scaling
                .scaledObject()
                .map(scaler ->
                    new PausePlace(
                        id,
                        root,
                        scaler.kind(),
                        scaler.object(),
                        Switches.SCALED_OBJECT,
                        false,
                        Optional.empty(),
                        scaling.besides(),
                        Optional.empty()))
                .orElseGet(() -> atRoot(id, kind.orElseThrow(), root, scaling.besides())));
  }

  /** Where it has been paused: what scales it is asked only if the root itself says nothing. */
  Optional<PausePlace> findPaused(ObjectId id) {
    if (id.is(Scalers.SCALED_OBJECT.group(), Scalers.SCALED_OBJECT.kind())) {
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
    if (here.record().containsKey(Annotations.BEFORE_PAUSE) || !Scalers.mayScale(id)) {
      return Optional.of(here);
    }
    return at(id, scalers.now(id))
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
}
