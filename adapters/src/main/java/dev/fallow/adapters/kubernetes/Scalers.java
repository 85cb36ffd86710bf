package dev.fallow.adapters.kubernetes;

import dev.fallow.adapters.kubernetes.OwnerKinds.GroupKind;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.PausableKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds what scales a workload, and announces a pause there as well. */
final class Scalers {

  static final GroupKind SCALED_OBJECT = new GroupKind("keda.sh", "ScaledObject");

  private static final ResourceKind HPA =
      new ResourceKind(
          "autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", true);

  private static final Projection OF_AUTOSCALERS =
      Projection.of("metadata.name", "metadata.namespace", "spec.scaleTargetRef");

  private static final Projection OF_SCALED_OBJECTS =
      OF_AUTOSCALERS.and(
          "metadata.uid", "metadata.resourceVersion", "metadata.annotations", "status.hpaName");

  private final KindCatalog catalog;
  private final Neighbours neighbours;
  private final Writes writes;

  Scalers(KindCatalog catalog, Neighbours neighbours, Writes writes) {
    this.catalog = catalog;
    this.neighbours = neighbours;
    this.writes = writes;
  }

  /** A ScaledObject as it was read, and how it is written. */
  record ScaledObject(ResourceKind kind, ObjectTree object) {}

  /**
   * What scales one workload.
   *
   * @param scaledObject in whose place the workload is paused
   * @param autoscalers by name, worth remembering
   */
  record Scaling(Optional<ScaledObject> scaledObject, List<String> autoscalers) {
    static final Scaling NONE = new Scaling(Optional.empty(), List.of());

    /** What is remembered of it with a pause. */
    Map<String, Object> besides() {
      return autoscalers.isEmpty() ? Map.of() : Map.of("hpa", autoscalers);
    }
  }

  /** Whether a workload of this kind has replicas that something may scale. */
  static boolean mayScale(ObjectId id) {
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

  /** As it is now, for whom what was listed some seconds ago is too old. */
  Scaling now(ObjectId id) {
    neighbours.forget();
    return of(id);
  }

  /** KEDA makes and names the autoscaler of a ScaledObject itself. */
  Scaling of(ObjectId id) {
    if (!mayScale(id)) {
      return Scaling.NONE;
    }
    Optional<ScaledObject> scaledObject =
        catalog
            .find("keda.sh/v1alpha1", SCALED_OBJECT.kind())
            .flatMap(kind -> scaledObjectOf(kind, id));
    return new Scaling(
        scaledObject,
        scaledObject
            .map(found -> found.object().text("status", "hpaName").stream().toList())
            .orElseGet(() -> autoscalersOf(id)));
  }

  /**
   * Announces the pause of a workload on its ScaledObject, if that is still as it was read. Who
   * takes the intent back there makes the late write of whoever announced it fail.
   *
   * @return the ScaledObject with the announcement on it
   */
  Optional<ScaledObject> claimed(ScaledObject found, Intent intent) {
    return writes
        .noted(
            found.kind(),
            found.object(),
            PauseRecord.on(PausePlace.guard(found.object()), PauseRecord.announced(intent)),
            now -> PauseRecord.isIntent(intent, now))
        .now()
        .map(now -> new ScaledObject(found.kind(), now));
  }

  /** Takes that announcement back, if it is still the one that stands there. */
  void disclaim(ScaledObject claimed, Intent intent) {
    writes
        .again(claimed.kind(), claimed.object())
        .filter(now -> PauseRecord.isIntent(intent, now))
        .ifPresent(now ->
            writes.note(
                claimed.kind(),
                now,
                PauseRecord.on(PausePlace.guard(now), PauseRecord.noIntent()),
                any -> true,
                "taken back"));
  }

  private List<String> autoscalersOf(ObjectId id) {
    return neighbours.known(HPA, id.namespace(), OF_AUTOSCALERS).stream()
        .filter(hpa -> targets(hpa, id))
        .map(hpa -> hpa.textOr("", "metadata", "name"))
        .toList();
  }

  private Optional<ScaledObject> scaledObjectOf(ResourceKind kind, ObjectId id) {
    return neighbours.of(kind, id.namespace(), OF_SCALED_OBJECTS).stream()
        .filter(scaler -> targets(scaler, id))
        .findFirst()
        .map(scaler -> new ScaledObject(kind, scaler));
  }

  private static boolean targets(ObjectTree scaler, ObjectId id) {
    ObjectTree target = scaler.tree("spec", "scaleTargetRef");
    return target.textOr("", "name").equals(id.name())
        && target.textOr("Deployment", "kind").equals(id.kind())
        && ObjectId.groupOf(target.textOr("apps/v1", "apiVersion")).equals(id.group());
  }
}
