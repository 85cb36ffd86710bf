package dev.fallow.app.prune;

import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.FieldManager;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PausableKind;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.Undone;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The first thing that a cycle does: puts right what a crash, another leader or somebody else's
 * change has left behind. Everything it knows it reads from the objects.
 */
final class Repair {

  /** An InferenceService whose pods are still there after this has not understood the stop. */
  private static final Duration LONGEST_STOP = Duration.ofMinutes(3);

  /**
   * Who sent a stop longer ago than this has lost its lease, and its stop has arrived or never
   * will.
   */
  private static final Duration LATEST_STOP = Duration.ofSeconds(30);

  /** Whoever keeps undoing a pause does it within this; who cannot be named may be a person. */
  private static final Duration DAY = Duration.ofDays(1);

  private final Actuator actuator;
  private final Journal journal;
  private final IdleRule rule;
  private final Predicate<String> namespaces;

  Repair(Actuator actuator, Journal journal, IdleRule rule) {
    this(actuator, journal, rule, any -> true);
  }

  /**
   * @param namespaces those that this instance prunes: another may be at work in the others
   */
  Repair(Actuator actuator, Journal journal, IdleRule rule, Predicate<String> namespaces) {
    this.actuator = actuator;
    this.journal = journal;
    this.rule = rule;
    this.namespaces = namespaces;
  }

  /**
   * @param mine the ids of intents that still stand; all others are another leader's, or a crash's
   */
  void after(Look look, Collection<String> mine) {
    Instant at = look.inspection().at();
    Set<String> standing = new HashSet<>();
    for (OwnerObject owner : look.cluster().marked()) {
      boolean recorded = owner.annotations().containsKey(Annotations.BEFORE_PAUSE);
      standing.add(owner.annotations().getOrDefault(Annotations.ACTION_ID, ""));
      if (!namespaces.test(owner.id().namespace())) {
        continue;
      }
      if (recorded && PausableKind.isOff(owner)) {
        journal.recover(owner, at);
        paused(owner, look, at);
      } else if (recorded && owner.annotations().containsKey(Annotations.INTENT)) {
        // Recorded beside the workload, and not made: the program died in between, or its stop is
        // still on the way, and what undoes that must be there when it arrives.
        if (madeAt(owner).map(when -> when.plus(LATEST_STOP).isBefore(at)).orElse(true)) {
          actuator.noteUndone(owner.id(), Optional.empty());
        }
        continue;
      } else if (recorded) {
        // Who made the pause may have died before it was written down.
        journal.recover(owner, at);
        undone(owner, at);
      } else {
        forgetOld(owner, at);
      }
      String intent = owner.annotations().getOrDefault(Annotations.INTENT, "");
      if (!intent.isEmpty() && mine.stream().noneMatch(intent::contains)) {
        actuator.withdraw(owner.id());
      }
    }
    journal.settle(standing, at);
  }

  private void paused(OwnerObject owner, Look look, Instant at) {
    if (ignoresItsStop(owner, look, at)) {
      giveUp(owner.id(), actionId(owner), gpus(owner), at);
    } else if (PausableKind.isPresumedOff(owner) && holdsGpus(owner, look)) {
      undone(owner, at);
    } else if (isKeptUnseen(owner, look, at)) {
      Outcome resumed = actuator.resume(owner.id());
      tellUndone(
          owner.workload(),
          actionId(owner),
          gpus(owner),
          "it was kept in the moment of its pause, and is on again",
          Deed.OURSELVES,
          resumed,
          at);
    }
  }

  /**
   * Whether somebody has asked for it to be left alone, and whoever paused it did not live to see
   * that: the intent, which goes last, still stands.
   */
  private static boolean isKeptUnseen(OwnerObject owner, Look look, Instant at) {
    String id = actionId(owner);
    return look.cluster().owners().stream()
        .filter(root -> root.id().equals(owner.id()) || owner.scales(root.id()))
        .filter(root -> root.annotations().getOrDefault(Annotations.INTENT, "").contains(id))
        .anyMatch(root -> !id.isEmpty() && root.wishes().stream().anyMatch(w -> binds(w, at)));
  }

  private static boolean binds(Map<String, String> wish, Instant at) {
    return !wish.getOrDefault(Annotations.EXEMPT, "").isEmpty() || Keep.binds(wish, at);
  }

  /**
   * A person is right at once; a controller is given a second chance to agree, and so is whoever
   * cannot be named.
   */
  private void undone(OwnerObject owner, Instant at) {
    String manager = owner.switched().map(OwnerObject.Touch::manager).orElse(FieldManager.UNNAMED);
    Instant when = owner.switched().map(OwnerObject.Touch::at).orElse(at);
    boolean counts = FieldManager.isController(manager) || manager.equals(FieldManager.UNNAMED);
    Undone mark =
        counts
            ? earlier(owner).orElse(new Undone(0, manager, when)).again(manager, when)
            : Undone.byPerson(manager, when);
    Outcome outcome = actuator.noteUndone(owner.id(), Optional.of(mark));
    String title = FieldManager.title(manager);
    tellUndone(
        owner.workload(),
        actionId(owner),
        gpus(owner),
        "switched on again by " + title,
        title,
        outcome,
        at);
  }

  private void tellUndone(
      ObjectId workload,
      String actionId,
      int gpus,
      String sentence,
      String by,
      Outcome outcome,
      Instant at) {
    if (!(outcome instanceof Outcome.Refused)) {
      journal.record(
          new Deed(Deed.Verb.UNDONE, actionId, at, workload, gpus, 0, sentence, by, outcome));
    }
  }

  private static String actionId(OwnerObject owner) {
    return owner.annotations().getOrDefault(Annotations.ACTION_ID, "");
  }

  private static int gpus(OwnerObject owner) {
    return PauseNote.freedBy(owner).map(PauseNote::gpus).orElse(0);
  }

  private static Optional<Undone> earlier(OwnerObject owner) {
    return Undone.parse(owner.annotations().getOrDefault(Annotations.UNDONE, ""));
  }

  /**
   * What a person did counts for a window; for a day what nobody can be named for, and a stop that
   * came to nothing: operators are away for a while, or renewed. No trace stays.
   */
  private void forgetOld(OwnerObject owner, Instant at) {
    boolean over =
        earlier(owner)
            .filter(mark -> mark.mayBeAPersons() || mark.by().equals(FieldManager.IGNORES_STOP))
            .filter(mark -> mark.at().plus(memory(mark)).isBefore(at))
            .isPresent();
    if (over) {
      actuator.noteUndone(owner.id(), Optional.empty());
    }
  }

  private Duration memory(Undone mark) {
    return mark.count() == 0 || rule.age().compareTo(DAY) > 0 ? rule.age() : DAY;
  }

  private boolean ignoresItsStop(OwnerObject owner, Look look, Instant at) {
    boolean stoppable =
        PausableKind.of(owner.id()).equals(Optional.of(PausableKind.INFERENCE_SERVICE));
    return stoppable
        && madeAt(owner).filter(when -> when.plus(LONGEST_STOP).isBefore(at)).isPresent()
        && holdsGpus(owner, look)
        && !actuator.saysItStopped(owner.id());
  }

  private static Optional<Instant> madeAt(OwnerObject paused) {
    return ObjectTree.parseInstant(paused.annotations().getOrDefault(Annotations.PAUSED_AT, ""));
  }

  private static boolean holdsGpus(OwnerObject owner, Look look) {
    return look.of(owner.id().uid())
        .filter(decision -> decision.assessment().workload().gpus() > 0)
        .isPresent();
  }

  /** Its operator does not know the stop, or was away: undone, told, and not tried for a day. */
  Outcome giveUp(ObjectId workload, String actionId, int gpus, Instant at) {
    Outcome resumed = actuator.resume(workload);
    actuator.noteUndone(workload, Optional.of(new Undone(2, FieldManager.IGNORES_STOP, at)));
    tellUndone(
        workload,
        actionId,
        gpus,
        "it did not stop, so the stop was taken back; run a KServe that knows"
            + " serving.kserve.io/stop",
        Deed.OURSELVES,
        resumed,
        at);
    return resumed;
  }
}
