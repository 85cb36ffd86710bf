package dev.fallow.adapters.kubernetes;

import dev.fallow.adapters.kubernetes.pausing.Switch;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a workload is paused, as it is right now.
 *
 * @param id the workload's root
 * @param root the root itself
 * @param kind of the object that is written
 * @param target the object that is written: the root, or what scales it
 * @param by its switch
 * @param beside the object that keeps the record, where that must not be on the target
 * @param besides what else is worth remembering with the record
 * @param obstacle why it cannot be paused here, if so
 */
record PausePlace(
    ObjectId id,
    ObjectTree root,
    ResourceKind kind,
    ObjectTree target,
    Switch by,
    boolean recordIsBeside,
    Optional<ObjectTree> beside,
    Map<String, Object> besides,
    Optional<Refusal> obstacle) {

  /** Whether something else than the root is written. */
  boolean isElsewhere() {
    return !target.textOr("", "metadata", "uid").equals(root.textOr("", "metadata", "uid"));
  }

  /**
   * Whether what people and other leaders write stands on another object than the one that is
   * switched: its version then guards against nothing of that.
   */
  boolean isMarkedApart() {
    return isElsewhere() || recordIsBeside;
  }

  /** The same with the record of the pause beside it. */
  PausePlace recorded(Optional<ObjectTree> record) {
    return new PausePlace(
        id, root, kind, target, by, recordIsBeside, record.or(() -> beside), besides, obstacle);
  }

  /** The object that people and other leaders mark, as it was read or written last. */
  ObjectTree marked() {
    return recordIsBeside ? beside.orElse(ObjectTree.EMPTY) : root;
  }

  /** The root with the marks that are kept beside it. */
  OwnerObject asOwner() {
    OwnerObject owner = OwnerObject.of(root).scalable(isElsewhere() || kind.scalable());
    return beside.map(state -> owner.with(List.of(decisive(state)))).orElse(owner);
  }

  /** A second record would bury the first, and say that nothing was there. */
  Optional<Refusal> offAlready() {
    return by.isOff(target) ? Optional.of(offAlready(target)) : Optional.empty();
  }

  static Refusal offAlready(ObjectTree target) {
    return new Refusal(
        RefusalReason.PAUSED_ALREADY, ObjectId.of(target) + " is switched off already");
  }

  /** Anything that differs from what the decision was made on calls it off. */
  Optional<Refusal> changedSince(Workload decided, Intent intent) {
    OwnerObject now = asOwner();
    if (!now.id().uid().equals(decided.root().uid())) {
      return changed(id + " was made anew");
    }
    if (root.has("metadata", "deletionTimestamp")) {
      return changed(id + " is being deleted");
    }
    if (!PauseRecord.isIntent(intent, now.annotations())) {
      return changed("the intent to pause it was taken back or replaced");
    }
    Optional<OwnerObject> seen = decided.rootObject();
    if (seen.map(root -> !root.replicas().equals(now.replicas())).orElse(true)) {
      return changed("its replicas were changed");
    }
    if (seen.map(root -> !asksForNoOther(now, root)).orElse(true)) {
      return changed("its " + Annotations.IDLE_WINDOW + " was changed");
    }
    return Optional.empty();
  }

  /**
   * Whether it asks to be judged by no other window than when it was looked at, on it or in our
   * state beside it; of other states nothing is read in this moment.
   */
  private static boolean asksForNoOther(OwnerObject now, OwnerObject seen) {
    return window(now.own()).equals(window(seen.own())) && windows(seen).containsAll(windows(now));
  }

  private static List<String> windows(OwnerObject owner) {
    return owner.wishes().stream()
        .map(PausePlace::window)
        .filter(window -> !window.isEmpty())
        .toList();
  }

  private static String window(Map<String, String> wish) {
    return wish.getOrDefault(Annotations.IDLE_WINDOW, "");
  }

  private static Optional<Refusal> changed(String sentence) {
    return Optional.of(new Refusal(RefusalReason.CHANGED_MEANWHILE, sentence));
  }

  /** The annotations among which the record of a pause is. */
  Map<String, String> record() {
    return (recordIsBeside ? beside.orElse(ObjectTree.EMPTY) : target)
        .texts("metadata", "annotations");
  }

  /** The write counts only if the object is still the one that was looked at. */
  Map<String, Object> guard() {
    return guard(target);
  }

  static Map<String, Object> guard(ObjectTree object) {
    Map<String, Object> metadata = new HashMap<>();
    metadata.put("resourceVersion", object.textOr("", "metadata", "resourceVersion"));
    metadata.put("uid", object.textOr("", "metadata", "uid"));
    return Map.of("metadata", metadata);
  }

  private static Map<String, String> decisive(ObjectTree state) {
    return OwnerObject.of(state).annotations();
  }
}
