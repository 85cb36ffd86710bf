package dev.fallow.app.prune;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.FieldManager;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PausableKind;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.Undone;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The first thing that a cycle does: puts right what a crash, another leader or somebody else's
 * change has left behind. Everything it knows it reads from the objects.
 */
final class Repair {

  /** An InferenceService whose pods are still there after this has not understood the stop. */
  private static final Duration LONGEST_STOP = Duration.ofMinutes(3);

  private final Actuator actuator;
  private final Journal journal;
  private final IdleRule rule;

  Repair(Actuator actuator, Journal journal, IdleRule rule) {
    this.actuator = actuator;
    this.journal = journal;
    this.rule = rule;
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
      if (recorded && PausableKind.isOff(owner)) {
        journal.recover(owner, at);
        if (ignoresItsStop(owner, look, at)) {
          giveUp(owner.id(), at);
        }
      } else if (recorded && owner.annotations().containsKey(Annotations.INTENT)) {
        // Recorded beside the workload, and never made: the program died in between.
        actuator.noteUndone(owner.id(), Optional.empty());
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

  /** A person is right at once; a controller is given a second chance to agree. */
  private void undone(OwnerObject owner, Instant at) {
    String manager = owner.switched().map(OwnerObject.Touch::manager).orElse("somebody");
    Instant when = owner.switched().map(OwnerObject.Touch::at).orElse(at);
    Undone mark =
        FieldManager.isController(manager)
            ? earlier(owner).orElse(new Undone(0, manager, when)).again(manager, when)
            : Undone.byPerson(manager, when);
    Outcome outcome = actuator.noteUndone(owner.id(), Optional.of(mark));
    journal.record(
        new Deed(
            Deed.Verb.UNDONE,
            owner.annotations().getOrDefault(Annotations.ACTION_ID, ""),
            at,
            owner.workload(),
            PauseNote.freedBy(owner).map(PauseNote::gpus).orElse(0),
            0,
            "switched on again by " + FieldManager.title(manager),
            FieldManager.title(manager),
            outcome));
  }

  private static Optional<Undone> earlier(OwnerObject owner) {
    return Undone.parse(owner.annotations().getOrDefault(Annotations.UNDONE, ""));
  }

  /** What a person did counts for a window, and then leaves no trace. */
  private void forgetOld(OwnerObject owner, Instant at) {
    Optional<Undone> undone = earlier(owner);
    boolean over =
        undone
            .filter(mark -> mark.count() == 0 && mark.at().plus(rule.age()).isBefore(at))
            .isPresent();
    if (over) {
      actuator.noteUndone(owner.id(), Optional.empty());
    }
  }

  private boolean ignoresItsStop(OwnerObject owner, Look look, Instant at) {
    boolean stoppable =
        PausableKind.of(owner.id()).equals(Optional.of(PausableKind.INFERENCE_SERVICE));
    Optional<Instant> since =
        ObjectTree.parseInstant(owner.annotations().getOrDefault(Annotations.PAUSED_AT, ""));
    return stoppable
        && since.filter(when -> when.plus(LONGEST_STOP).isBefore(at)).isPresent()
        && look.of(owner.id().uid()).filter(Repair::holdsGpus).isPresent()
        && !actuator.saysItStopped(owner.id());
  }

  private static boolean holdsGpus(Decision decision) {
    return decision.assessment().workload().gpus() > 0;
  }

  /** Its operator does not know the stop: undone, and not tried again. */
  Outcome giveUp(ObjectId workload, Instant at) {
    Outcome resumed = actuator.resume(workload);
    actuator.noteUndone(workload, Optional.of(new Undone(2, "kserve-ignores-stop", at)));
    return resumed;
  }
}
