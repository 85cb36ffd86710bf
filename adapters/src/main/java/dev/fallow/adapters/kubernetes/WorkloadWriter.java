package dev.fallow.adapters.kubernetes;

import dev.fallow.adapters.kubernetes.pausing.Switch;
import dev.fallow.adapters.kubernetes.pausing.Switch.UnreadableRecord;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import dev.fallow.core.prune.Step;
import dev.fallow.core.prune.Undone;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Pauses and resumes workloads. The write that pauses one also carries how to bring it back and is
 * guarded by the version of the object that was looked at last: whoever changed it since wins.
 */
public final class WorkloadWriter implements Actuator {

  /** What a pause leaves on an object, and a resume takes off again. */
  private static final List<String> MARKS =
      List.of(
          Annotations.PAUSED_AT,
          Annotations.PAUSED_BY,
          Annotations.PAUSE_REASON,
          Annotations.FREED,
          Annotations.BEFORE_PAUSE,
          Annotations.ACTION_ID,
          Annotations.INTENT,
          Annotations.UNDONE);

  /** Evidence and keeps are judged by the clock: one that is wrong by more must not pause. */
  private static final Duration MOST_SKEW = Duration.ofSeconds(30);

  private final Writes writes;
  private final ServerClock there;
  private final PausePlaces places;
  private final InstantSource clock;
  private final Step.Observer steps;

  /**
   * @param connection one {@linkplain KubernetesConnection#openForChanges for changes}
   */
  public WorkloadWriter(KubernetesConnection connection, InstantSource clock, Step.Observer steps) {
    this.writes = new Writes(connection.api());
    this.there = connection.api().clock();
    this.places = new PausePlaces(connection.api(), writes);
    this.clock = clock;
    this.steps = steps;
  }

  @Override
  public Outcome announce(Workload workload, Intent intent) {
    return safely(() -> {
      Optional<Refusal> wrong = wrongClock();
      if (wrong.isPresent()) {
        return new Outcome.Refused(wrong.get());
      }
      steps.reached(Step.BEFORE_INTENT);
      String text =
          Json.write(
              Map.of("id", intent.id(), "epoch", intent.epoch(), "at", intent.at().toString()));
      Outcome outcome =
          places.mark(
              workload.root(),
              Map.of(Annotations.INTENT, text),
              object -> intent.id().equals(intentOf(annotations(object))));
      steps.reached(Step.AFTER_INTENT);
      return outcome;
    });
  }

  @Override
  public Outcome pause(Workload workload, Intent intent, PauseNote note, LastWord lastWord) {
    return safely(() -> {
      Optional<PausePlace> found = places.find(workload.root());
      steps.reached(Step.AFTER_LIVE_READ);
      if (found.isEmpty()) {
        return Writes.changed(workload.root() + " is not there any more");
      }
      PausePlace place = found.get();
      Optional<Refusal> obstacle =
          wrongClock()
              .or(place::obstacle)
              .or(() -> offAlready(place))
              .or(() -> changedSince(workload, place, intent));
      if (obstacle.isPresent()) {
        return new Outcome.Refused(obstacle.get());
      }
      Optional<Refusal> last = lastWord.on(place.asOwner());
      return last.isPresent() ? new Outcome.Refused(last.get()) : write(place, intent, note);
    });
  }

  /** A scaler that is paused and has not scaled yet: a second record would bury the first. */
  private static Optional<Refusal> offAlready(PausePlace place) {
    return place.by().isOff(place.target())
        ? Optional.of(
            new Refusal(
                RefusalReason.PAUSED_ALREADY,
                ObjectId.of(place.target()) + " is switched off already"))
        : Optional.empty();
  }

  private Optional<Refusal> wrongClock() {
    return there
        .ahead(clock.instant())
        .filter(ahead -> ahead.abs().compareTo(MOST_SKEW) > 0)
        .map(ahead ->
            new Refusal(
                RefusalReason.FLEET_IMPLAUSIBLE,
                "this machine's clock is "
                    + ahead.abs().toSeconds()
                    + " s "
                    + (ahead.isNegative() ? "behind" : "ahead of")
                    + " the API server's; nothing is paused until they agree within "
                    + MOST_SKEW.toSeconds()
                    + " s"));
  }

  /** Anything that differs from what the decision was made on calls it off. */
  private static Optional<Refusal> changedSince(
      Workload workload, PausePlace place, Intent intent) {
    OwnerObject now = place.asOwner();
    if (!now.id().uid().equals(workload.root().uid())) {
      return changed(workload.root() + " was made anew");
    }
    if (place.root().has("metadata", "deletionTimestamp")) {
      return changed(workload.root() + " is being deleted");
    }
    if (!intent.id().equals(intentOf(now.annotations()))) {
      return changed("the intent to pause it was taken back or replaced");
    }
    boolean scaled =
        workload.rootObject().map(seen -> !seen.replicas().equals(now.replicas())).orElse(true);
    return scaled ? changed("its replicas were changed") : Optional.empty();
  }

  private static Optional<Refusal> changed(String sentence) {
    return Optional.of(new Refusal(RefusalReason.CHANGED_MEANWHILE, sentence));
  }

  private Outcome write(PausePlace place, Intent intent, PauseNote note) {
    Instant now = clock.instant();
    Switch off = place.by();
    Map<String, Object> before = new HashMap<>(off.before(place.target()));
    before.putAll(place.besides());
    Map<String, Object> record = new HashMap<>();
    record.put(Annotations.PAUSED_AT, now.toString());
    record.put(Annotations.PAUSED_BY, note.by());
    record.put(Annotations.FREED, note.freed());
    record.put(Annotations.ACTION_ID, intent.id());
    record.put(Annotations.BEFORE_PAUSE, Json.write(before));
    if (!place.recordIsBeside()) {
      record.put(Annotations.INTENT, null);
    }
    record.put(
        Annotations.PAUSE_REASON,
        note.reason()
            + " To resume: "
            + ResumeCommand.of(place, off.turnOn(new ObjectTree(before)), MARKS));
    if (place.recordIsBeside()) {
      steps.reached(Step.BEFORE_STATE);
      Outcome kept =
          places.mark(
              place.id(),
              record,
              state -> intent.id().equals(annotations(state).get(Annotations.ACTION_ID)));
      steps.reached(Step.AFTER_STATE);
      if (!(kept instanceof Outcome.Done)) {
        return kept;
      }
    }
    Map<String, Object> change =
        Json.merged(
            place.guard(),
            place.recordIsBeside() ? off.turnOff(now) : withRecord(off.turnOff(now), record));
    steps.reached(Step.BEFORE_WRITE);
    Outcome outcome =
        writes.patch(
            place.kind(),
            place.target(),
            change,
            object ->
                place.recordIsBeside()
                    ? off.isOff(object)
                    : intent.id().equals(annotations(object).get(Annotations.ACTION_ID)),
            "paused " + place.id());
    steps.reached(Step.AFTER_WRITE);
    return outcome instanceof Outcome.Done
        ? afterwards(place, outcome)
        : undoRecord(place, outcome);
  }

  /**
   * Where something else than the root was written, the root still bears the intent; so does a
   * record beside it, which tells one that came true from one that did not.
   */
  private Outcome afterwards(PausePlace place, Outcome done) {
    if (place.isElsewhere() || place.recordIsBeside()) {
      places.mark(place.id(), clear(List.of(Annotations.INTENT)), any -> true);
    }
    return done;
  }

  private Outcome undoRecord(PausePlace place, Outcome outcome) {
    boolean surelyNot = !(outcome instanceof Outcome.Failed failed && failed.unknown());
    if (place.recordIsBeside() && surelyNot) {
      places.mark(place.id(), clear(MARKS), any -> true);
    }
    return outcome;
  }

  @Override
  public Outcome resume(ObjectId workload, String by) {
    return safely(() -> {
      Optional<PausePlace> found = places.findPaused(workload);
      if (found.isEmpty()) {
        return Writes.changed(workload + " is not there any more");
      }
      PausePlace place = found.get();
      String recorded = place.record().getOrDefault(Annotations.BEFORE_PAUSE, "");
      if (recorded.isEmpty()) {
        return Writes.refused(
            RefusalReason.CHANGED_MEANWHILE, workload + " was not paused by Fallow");
      }
      Switch switched = place.by();
      Optional<ObjectTree> before = Json.read(recorded);
      if (switched.isOff(place.target()) && before.isEmpty()) {
        return unreadable(workload, "it is no JSON object");
      }
      Map<String, Object> on;
      try {
        on =
            switched.isOff(place.target())
                ? switched.turnOn(before.get(), place.target())
                : Map.of();
      } catch (UnreadableRecord record) {
        return unreadable(workload, String.valueOf(record.getMessage()));
      }
      return turnOn(place, on, workload);
    });
  }

  private Outcome turnOn(PausePlace place, Map<String, Object> on, ObjectId workload) {
    Map<String, Object> change = Json.merged(place.guard(), on);
    Outcome outcome =
        place.recordIsBeside() && on.isEmpty()
            ? new Outcome.Done("resumed")
            : writes.patch(
                place.kind(),
                place.target(),
                place.recordIsBeside() ? change : withRecord(change, clear(MARKS)),
                object -> !place.by().isOff(object),
                "resumed " + workload + (on.isEmpty() ? ", which was on again already" : ""));
    if (outcome instanceof Outcome.Done && place.recordIsBeside()) {
      places.mark(place.id(), clear(MARKS), any -> true);
    }
    return outcome;
  }

  private static Outcome unreadable(ObjectId workload, String why) {
    return new Outcome.Failed(
        Annotations.BEFORE_PAUSE
            + " of "
            + workload
            + " does not tell how to bring it back ("
            + why
            + "); set the field by hand and remove the fallow.dev annotations",
        false);
  }

  @Override
  public boolean saysItStopped(ObjectId workload) {
    try {
      return places
          .findPaused(workload)
          .map(place ->
              place.root().list("status", "conditions").stream()
                  .anyMatch(condition ->
                      condition.textOr("", "type").equals("Stopped")
                          && condition.textOr("", "status").equals("True")))
          .orElse(true);
    } catch (ApiRefusal | Unavailable silent) {
      return false;
    }
  }

  @Override
  public Outcome withdraw(ObjectId workload) {
    return safely(() ->
        places.mark(
            workload,
            clear(List.of(Annotations.INTENT)),
            object -> !annotations(object).containsKey(Annotations.INTENT)));
  }

  @Override
  public Outcome noteUndone(ObjectId workload, Optional<Undone> undone) {
    return safely(() -> {
      Optional<PausePlace> found = places.findPaused(workload);
      if (found.isEmpty()) {
        return Writes.changed(workload + " is not there any more");
      }
      PausePlace place = found.get();
      boolean hasRecord = place.record().containsKey(Annotations.BEFORE_PAUSE);
      if (hasRecord && place.by().isOff(place.target())) {
        return Writes.changed(workload + " is paused");
      }
      Map<String, Object> marks = clear(MARKS);
      undone.ifPresent(mark -> marks.put(Annotations.UNDONE, mark.toString()));
      Predicate<ObjectTree> made =
          object -> !annotations(object).containsKey(Annotations.BEFORE_PAUSE);
      return place.recordIsBeside()
          ? places.mark(workload, marks, made)
          : writes.note(
              place.kind(), place.target(), withRecord(place.guard(), marks), made, "noted");
    });
  }

  private static Map<String, Object> withRecord(
      Map<String, Object> change, Map<String, Object> record) {
    return Json.merged(change, Map.of("metadata", Map.of("annotations", record)));
  }

  private static Map<String, Object> clear(List<String> keys) {
    Map<String, Object> cleared = new HashMap<>();
    keys.forEach(key -> cleared.put(key, null));
    return cleared;
  }

  private static Map<String, String> annotations(ObjectTree object) {
    return object.texts("metadata", "annotations");
  }

  private static String intentOf(Map<String, String> annotations) {
    return Json.read(annotations.getOrDefault(Annotations.INTENT, ""))
        .map(intent -> intent.textOr("", "id"))
        .orElse("");
  }

  /** An answer or a silence of the API server is an outcome. */
  private static Outcome safely(java.util.function.Supplier<Outcome> attempt) {
    try {
      return attempt.get();
    } catch (ApiRefusal refusal) {
      return new Outcome.Failed(String.valueOf(refusal.unavailable().getMessage()), false);
    } catch (Unavailable silent) {
      return new Outcome.Failed(String.valueOf(silent.getMessage()), false);
    }
  }
}
