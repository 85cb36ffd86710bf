package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Looks back on a pause that was written on another object than the one that people and other
 * leaders mark: what they wrote in that moment the write could not meet. They win, and the pause is
 * undone with what is still in hand.
 */
final class LookBack {

  /** What a person can write on a workload to have it left alone. */
  private static final List<String> WISHES =
      List.of(
          Annotations.KEEP_UNTIL,
          Annotations.ACK_UNTIL,
          Annotations.EXEMPT,
          Annotations.IDLE_WINDOW);

  /** Its operator writes its status in these moments, and each such write makes ours fail. */
  private static final int TRIES = 5;

  private final PauseMarks marks;
  private final Writes writes;

  LookBack(PauseMarks marks, Writes writes) {
    this.marks = marks;
    this.writes = writes;
  }

  /**
   * @param done what the pause is told as, if it is to stand
   */
  Outcome on(PausePlace place, Intent intent, Outcome done) {
    if (!(marks.settle(place) instanceof Outcome.Refused)) {
      // Nobody has written; or there was no answer, and if the intent still stands it tells who
      // repairs that nobody has looked.
      return done;
    }
    try {
      Optional<String> regret = regret(place, intent);
      if (regret.isPresent()) {
        return undone(place, intent, regret.get(), done);
      }
      marks.mark(place.id(), PauseRecord.noIntent(), any -> true);
    } catch (ApiRefusal | Unavailable unseen) {
      // No answer either: the intent, which still stands, tells who repairs.
    }
    return done;
  }

  private Optional<String> regret(PausePlace place, Intent intent) {
    Optional<ObjectTree> found = marks.on(place.id());
    if (found.isEmpty()) {
      return Optional.of("it was deleted in the moment of its pause");
    }
    ObjectTree now = found.get();
    if (!PauseRecord.isIntent(intent, now)
        || (place.recordIsBeside() && !PauseRecord.isOf(intent, now))) {
      return Optional.of("the intent to pause it was taken back in the moment of its pause");
    }
    ObjectTree then = place.marked();
    for (String wish : WISHES) {
      String text = annotation(now, wish);
      if (!text.isEmpty() && !text.equals(annotation(then, wish))) {
        return Optional.of(wish + " was written in the moment of its pause");
      }
    }
    return place.isElsewhere() && wasScaled(then, now)
        ? Optional.of("its replicas were changed in the moment of its pause")
        : Optional.empty();
  }

  /** Whoever scales it may have followed the pause already. */
  private static boolean wasScaled(ObjectTree then, ObjectTree now) {
    OptionalLong count = now.number("spec", "replicas");
    return !Objects.equals(then.number("spec", "replicas"), count)
        && !Objects.equals(count, OptionalLong.of(0));
  }

  private static String annotation(ObjectTree object, String key) {
    return object.texts("metadata", "annotations").getOrDefault(key, "");
  }

  /**
   * Where somebody else has ended the pause first it stays told as made: its record tells who
   * repairs by whom it was undone.
   */
  private Outcome undone(PausePlace place, Intent intent, String because, Outcome done) {
    Outcome undo = done;
    for (int i = 0; i < TRIES; i++) {
      Optional<ObjectTree> target =
          writes.again(place.kind(), place.target()).filter(now -> isOurs(place, intent, now));
      if (target.isEmpty()) {
        forget(place, intent);
        return done;
      }
      undo = turnOn(place, target.get());
      if (!(undo instanceof Outcome.Refused)) {
        break;
      }
    }
    if (!(undo instanceof Outcome.Done)) {
      return new Outcome.Failed(
          because + ", and it could not be brought back: " + undo.sentence(), true);
    }
    if (place.recordIsBeside()) {
      marks.takeBack(place.id(), intent);
    }
    return Writes.changed(because + ", and it is on again");
  }

  /** Only its own intent is for it to take off. */
  private void forget(PausePlace place, Intent intent) {
    if (marks.on(place.id()).filter(now -> PauseRecord.isIntent(intent, now)).isPresent()) {
      marks.mark(place.id(), PauseRecord.noIntent(), any -> true);
    }
  }

  private static boolean isOurs(PausePlace place, Intent intent, ObjectTree now) {
    return place.by().isOff(now) && (place.recordIsBeside() || PauseRecord.isOf(intent, now));
  }

  private Outcome turnOn(PausePlace place, ObjectTree now) {
    ObjectTree before = new ObjectTree(place.by().before(place.target()));
    Map<String, Object> on = Json.merged(PausePlace.guard(now), place.by().turnOn(before, now));
    return writes.patch(
        place.kind(),
        now,
        place.recordIsBeside() ? on : PauseRecord.on(on, PauseRecord.notMade()),
        object -> !place.by().isOff(object),
        "on again");
  }
}
