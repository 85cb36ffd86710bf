package dev.fallow.core.fleet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An object somewhere above a pod: a ReplicaSet, a Deployment, an operator's own kind.
 *
 * @param controllers the controllers it names, at most one unless someone is playing tricks
 * @param own its annotations that decide something here
 * @param beside those that are kept beside it, where an annotation on it would do harm: of each
 *     object that keeps some, our own last
 * @param replicas what it is asked to run, where it says so in the usual place
 * @param suspended whether it is switched off by its own {@code spec.suspend}
 * @param unobserved whether its controller has not yet seen its newest generation
 * @param changedAt when its specification was last written, where that is known
 * @param switched who last wrote the field that switches it on and off, where that is known
 * @param queue who decides when it runs, if a queue does
 * @param scales what it scales, without its UID, if it is an autoscaler of KEDA's
 * @param scalable whether the API server can scale it, though its kind is not one known here
 * @param losesVolumes whether its volumes are deleted when it is scaled down
 * @param generation which writing of its specification this is, where the server counts them
 */
public record OwnerObject(
    ObjectId id,
    List<OwnerRef> controllers,
    Map<String, String> own,
    List<Map<String, String>> beside,
    OptionalLong replicas,
    boolean suspended,
    boolean unobserved,
    Optional<Instant> changedAt,
    Optional<Touch> switched,
    Optional<String> queue,
    Optional<ObjectId> scales,
    boolean scalable,
    boolean losesVolumes,
    OptionalLong generation) {

  private static final Set<String> SIGNS =
      Set.of(
          Annotations.PAUSED_AT, Annotations.BEFORE_PAUSE, Annotations.INTENT, Annotations.UNDONE);

  private static final String VOLUMES = "persistentVolumeClaimRetentionPolicy";

  /** A manager's last write to a field, as the API server dates it. */
  public record Touch(String manager, Instant at) {}

  public OwnerObject {
    controllers = List.copyOf(controllers);
    own = Map.copyOf(own);
    beside = beside.stream().map(Map::copyOf).toList();
  }

  public static OwnerObject of(ObjectTree object) {
    OptionalLong generation = object.number("metadata", "generation");
    OptionalLong observed = object.number("status", "observedGeneration");
    return new OwnerObject(
        ObjectId.of(object),
        OwnerRef.controllersOf(object),
        CopiedAnnotations.without(Annotations.decisiveOf(object), object),
        List.of(),
        object.number("spec", "replicas"),
        object.isTrue("spec", "suspend") || object.isTrue("spec", "runPolicy", "suspend"),
        generation.isPresent()
            && observed.isPresent()
            && observed.getAsLong() < generation.getAsLong(),
        lastWrite(object),
        lastSwitch(object),
        Queues.of(object),
        scaledBy(object),
        false,
        losesVolumes(object),
        generation);
  }

  public OwnerObject scalable(boolean byTheServer) {
    return new OwnerObject(
        id,
        controllers,
        own,
        beside,
        replicas,
        suspended,
        unobserved,
        changedAt,
        switched,
        queue,
        scales,
        byTheServer,
        losesVolumes,
        generation);
  }

  /** The same with annotations that are kept beside it. */
  public OwnerObject with(List<Map<String, String>> keptBeside) {
    return new OwnerObject(
        id,
        controllers,
        own,
        keptBeside,
        replicas,
        suspended,
        unobserved,
        changedAt,
        switched,
        queue,
        scales,
        scalable,
        losesVolumes,
        generation);
  }

  /**
   * Whether it was written since it looked so, as far as that can be told. Annotations move the
   * generation of some kinds, and our own notes do not move the time.
   */
  public boolean isWrittenSince(OwnerObject seen) {
    return !changedAt.equals(seen.changedAt)
        && (generation.isEmpty() || !generation.equals(seen.generation));
  }

  /** What people may have asked for, on it and beside it: the one does not silence the other. */
  public List<Map<String, String>> wishes() {
    if (beside.isEmpty()) {
      return List.of(own);
    }
    List<Map<String, String>> wishes = new ArrayList<>(beside);
    wishes.addFirst(own);
    return wishes;
  }

  /** What is written of it: of a pause, what is kept beside it counts before what is on it. */
  public Map<String, String> annotations() {
    if (beside.isEmpty()) {
      return own;
    }
    Map<String, String> all = new HashMap<>(own);
    beside.forEach(all::putAll);
    return all;
  }

  /** Whether a pause of ours, made or announced, has left its mark on it. */
  public boolean marked() {
    return annotations().keySet().stream().anyMatch(SIGNS::contains);
  }

  /**
   * The API server dates each manager's writes. The status subresource is not the owner's wish, nor
   * are our notes: a Deployment counts every annotation as a new generation, and a controller that
   * is behind would otherwise make our own announcement look like a roll-out.
   */
  private static Optional<Instant> lastWrite(ObjectTree object) {
    return object.list("metadata", "managedFields").stream()
        .filter(entry -> entry.textOr("", "subresource").isEmpty())
        .filter(entry -> !entry.textOr("", "manager").equals(Annotations.NOTES_WRITER))
        .flatMap(entry -> entry.instant("time").stream())
        .max(Comparator.naturalOrder());
  }

  /** A StatefulSet, and a LeaderWorkerSet, which deletes those of its groups when it is at zero. */
  private static boolean losesVolumes(ObjectTree object) {
    ObjectTree ofGroups = object.tree("spec", "leaderWorkerTemplate", VOLUMES);
    return isDelete(object.tree("spec", VOLUMES), "whenScaled")
        || isDelete(ofGroups, "whenScaled")
        || isDelete(ofGroups, "whenDeleted");
  }

  private static boolean isDelete(ObjectTree policy, String when) {
    return policy.textOr("", when).equals("Delete");
  }

  private static Optional<ObjectId> scaledBy(ObjectTree object) {
    ObjectTree target = object.tree("spec", "scaleTargetRef");
    return ObjectId.of(object).is("keda.sh", "ScaledObject") && target.has("name")
        ? Optional.of(
            new ObjectId(
                ObjectId.groupOf(target.textOr("apps/v1", "apiVersion")),
                target.textOr("Deployment", "kind"),
                ObjectId.of(object).namespace(),
                target.textOr("", "name"),
                ""))
        : Optional.empty();
  }

  /** What a pause that is marked here is a pause of: this, or what this scales. */
  public ObjectId workload() {
    return scales.orElse(id);
  }

  /** Whether this autoscaler scales an object of its namespace. */
  public boolean scales(ObjectId other) {
    return scales.equals(
        Optional.of(
            new ObjectId(other.group(), other.kind(), other.namespace(), other.name(), "")));
  }

  private static final List<List<String>> SWITCHES =
      List.of(
          List.of("f:spec", "f:replicas"),
          List.of("f:spec", "f:suspend"),
          List.of("f:spec", "f:runPolicy", "f:suspend"),
          List.of("f:metadata", "f:annotations", "f:" + Annotations.NOTEBOOK_STOPPED),
          List.of("f:metadata", "f:annotations", "f:" + Annotations.INFERENCE_STOP),
          List.of("f:metadata", "f:annotations", "f:" + Annotations.KEDA_PAUSED_REPLICAS));

  private static Optional<Touch> lastSwitch(ObjectTree object) {
    return object.list("metadata", "managedFields").stream()
        .filter(entry ->
            SWITCHES.stream()
                .anyMatch(path -> entry.tree("fieldsV1").has(path.toArray(String[]::new))))
        .flatMap(entry ->
            entry.instant("time").map(at -> new Touch(entry.textOr("", "manager"), at)).stream())
        .max(Comparator.comparing(Touch::at));
  }
}
