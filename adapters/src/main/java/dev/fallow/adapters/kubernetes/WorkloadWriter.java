package dev.fallow.adapters.kubernetes;

import dev.fallow.adapters.kubernetes.pausing.Switch.UnreadableRecord;
import dev.fallow.adapters.kubernetes.pausing.Switches;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
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
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Pauses and resumes workloads. The write that pauses one also carries how to bring it back and is
 * guarded by the version of the object that was looked at last: whoever changed it since wins.
 */
public final class WorkloadWriter implements Actuator {

  /** Evidence and keeps are judged by the clock: one that is wrong by more must not pause. */
  private static final Duration MOST_SKEW = Duration.ofSeconds(30);

  private static final int RESUME_TRIES = 5;

  private final Writes writes;
  private final ServerClock there;
  private final PausePlaces places;
  private final Scalers scalers;
  private final DisruptionBudgets budgets;
  private final Neighbours neighbours;
  private final PauseMarks marks;
  private final LookBack lookBack;
  private final InstantSource clock;
  private final Step.Observer steps;

  /**
   * @param connection one {@linkplain KubernetesConnection#openForChanges for changes}
   */
  public WorkloadWriter(KubernetesConnection connection, InstantSource clock, Step.Observer steps) {
    this.writes = new Writes(connection.api());
    this.there = connection.api().clock();
    KindCatalog catalog = new KindCatalog(connection.api());
    this.marks = new PauseMarks(catalog, writes);
    this.neighbours = new Neighbours(writes);
    this.scalers = new Scalers(catalog, neighbours, writes);
    this.budgets = new DisruptionBudgets(neighbours);
    this.places = new PausePlaces(catalog, writes, marks, scalers);
    this.lookBack = new LookBack(marks, writes);
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
      steps.reached(Step.BEFORE_INTENT, workload.root().kind());
      Outcome outcome =
          marks.mark(
              workload.root(),
              PauseRecord.announced(intent),
              object -> PauseRecord.isIntent(intent, object));
      steps.reached(Step.AFTER_INTENT, workload.root().kind());
      return outcome;
    });
  }

  @Override
  public Outcome pause(Workload workload, Intent intent, PauseNote note, LastWord lastWord) {
    return safely(() -> {
      Optional<Refusal> wrong = wrongClock();
      if (wrong.isPresent()) {
        return new Outcome.Refused(wrong.get());
      }
      Optional<String> budget = budgets.over(workload);
      PauseNote whole = budget.map(note::adding).orElse(note);
      Scalers.Scaling scaling = scalers.of(workload.root());
      Outcome outcome =
          scaling
              .scaledObject()
              .map(scaler -> claimAndWrite(scaler, scaling, workload, intent, whole, lastWord))
              .orElseGet(() -> readAndWrite(scaling, workload, intent, whole, lastWord));
      return outcome instanceof Outcome.Done done && budget.isPresent()
          ? new Outcome.Done(done.sentence() + "; " + budget.get())
          : outcome;
    });
  }

  /** Only a workload whose pause is announced on its ScaledObject too is looked at and paused. */
  private Outcome claimAndWrite(
      Scalers.ScaledObject scaler,
      Scalers.Scaling scaling,
      Workload workload,
      Intent intent,
      PauseNote note,
      LastWord lastWord) {
    if (Switches.SCALED_OBJECT.isOff(scaler.object())) {
      neighbours.forget();
      return new Outcome.Refused(PausePlace.offAlready(scaler.object()));
    }
    steps.reached(Step.BEFORE_STATE, workload.root().kind());
    Optional<Scalers.ScaledObject> claimed = scalers.claimed(scaler, intent);
    steps.reached(Step.AFTER_STATE, workload.root().kind());
    Outcome outcome =
        claimed.isEmpty()
            ? Writes.changed(ObjectId.of(scaler.object()) + " was changed at the same time")
            : readAndWrite(
                new Scalers.Scaling(claimed, scaling.autoscalers()),
                workload,
                intent,
                note,
                lastWord);
    if (outcome instanceof Outcome.Refused) {
      neighbours.forget();
      scalers.disclaim(scaler, intent);
    }
    return outcome;
  }

  private Outcome readAndWrite(
      Scalers.Scaling scaling,
      Workload workload,
      Intent intent,
      PauseNote note,
      LastWord lastWord) {
    Optional<PausePlace> found = places.at(workload.root(), scaling);
    steps.reached(Step.AFTER_LIVE_READ, workload.root().kind());
    if (found.isEmpty()) {
      return Writes.changed(workload.root() + " is not there any more");
    }
    PausePlace place = found.get();
    return place
        .obstacle()
        .or(place::offAlready)
        .or(() -> place.changedSince(workload, intent))
        .<Outcome>map(Outcome.Refused::new)
        .orElseGet(() -> lastlyWrite(place, intent, note, lastWord));
  }

  private Outcome lastlyWrite(PausePlace place, Intent intent, PauseNote note, LastWord lastWord) {
    return lastWord
        .on(place.asOwner())
        .<Outcome>map(Outcome.Refused::new)
        .orElseGet(() -> write(place, intent, note));
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

  private Outcome write(PausePlace place, Intent intent, PauseNote note) {
    Instant now = clock.instant();
    Map<String, Object> record = PauseRecord.of(place, intent, note, now);
    if (!place.recordIsBeside()) {
      return switchOff(place, intent, PauseRecord.on(place.by().turnOff(now), record));
    }
    steps.reached(Step.BEFORE_STATE, place.id().kind());
    Writes.Patched kept = marks.record(place, record, state -> PauseRecord.isOf(intent, state));
    steps.reached(Step.AFTER_STATE, place.id().kind());
    if (!(kept.outcome() instanceof Outcome.Done)) {
      return kept.outcome();
    }
    PausePlace recorded = place.recorded(kept.now());
    Outcome outcome = switchOff(recorded, intent, place.by().turnOff(now));
    boolean surelyNot =
        !(outcome instanceof Outcome.Done)
            && !(outcome instanceof Outcome.Failed failed && failed.unknown());
    if (surelyNot) {
      marks.takeBack(place.id(), intent);
    }
    return outcome;
  }

  private Outcome switchOff(PausePlace place, Intent intent, Map<String, Object> off) {
    steps.reached(Step.BEFORE_WRITE, place.id().kind());
    Outcome outcome =
        writes.patch(
            place.kind(),
            place.target(),
            Json.merged(place.guard(), off),
            object ->
                place.recordIsBeside()
                    ? place.by().isOff(object)
                    : PauseRecord.isOf(intent, object),
            "paused " + place.id());
    steps.reached(Step.AFTER_WRITE, place.id().kind());
    return outcome instanceof Outcome.Done && place.isMarkedApart()
        ? lookBack.on(place, intent, outcome)
        : outcome;
  }

  /**
   * A controller that writes at the same moment means nothing by it: then it is looked at again.
   */
  @Override
  public Outcome resume(ObjectId workload) {
    return safely(() -> {
      neighbours.forget();
      Outcome outcome = Writes.changed(workload + " is not there any more");
      for (int i = 0; i < RESUME_TRIES; i++) {
        Optional<PausePlace> found = places.findPaused(workload);
        if (found.isEmpty()) {
          return outcome;
        }
        Optional<Outcome> hindered = hindered(found.get(), workload);
        if (hindered.isPresent()) {
          return hindered.get();
        }
        outcome = turnOn(found.get(), workload);
        if (!(outcome instanceof Outcome.Refused)) {
          return outcome;
        }
      }
      return outcome;
    });
  }

  private static Optional<Outcome> hindered(PausePlace place, ObjectId workload) {
    String recorded = place.record().getOrDefault(Annotations.BEFORE_PAUSE, "");
    if (recorded.isEmpty()) {
      return Optional.of(
          Writes.refused(RefusalReason.CHANGED_MEANWHILE, workload + " was not paused by Fallow"));
    }
    Optional<String> lock =
        place
            .by()
            .heldByOthers(
                place.target(),
                ObjectTree.parseInstant(place.record().getOrDefault(Annotations.PAUSED_AT, "")));
    return lock.map(whose ->
        Writes.refused(
            RefusalReason.CHANGED_MEANWHILE,
            workload + " is held off by " + whose + ", which Fallow has not written"));
  }

  private Outcome turnOn(PausePlace place, ObjectId workload) {
    if (!place.by().isOff(place.target())) {
      return turnOn(place, Map.of(), workload);
    }
    Optional<ObjectTree> before =
        Json.read(place.record().getOrDefault(Annotations.BEFORE_PAUSE, ""));
    if (before.isEmpty()) {
      return unreadable(workload, "it is no JSON object");
    }
    try {
      return turnOn(place, place.by().turnOn(before.get(), place.target()), workload);
    } catch (UnreadableRecord record) {
      return unreadable(workload, String.valueOf(record.getMessage()));
    }
  }

  private Outcome turnOn(PausePlace place, Map<String, Object> on, ObjectId workload) {
    Map<String, Object> change = Json.merged(place.guard(), on);
    Outcome outcome =
        place.recordIsBeside() && on.isEmpty()
            ? new Outcome.Done("resumed")
            : writes.patch(
                place.kind(),
                place.target(),
                place.recordIsBeside() ? change : PauseRecord.on(change, PauseRecord.none()),
                object -> !place.by().isOff(object),
                "resumed " + workload + (on.isEmpty() ? ", which was on again already" : ""));
    if (outcome instanceof Outcome.Done && place.recordIsBeside()) {
      marks.mark(place.id(), PauseRecord.none(), any -> true);
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
  public Outcome note(ObjectId workload, Map<String, Optional<String>> notes) {
    Map<String, Object> annotations = new HashMap<>();
    notes.forEach((key, value) -> annotations.put(key, value.orElse(null)));
    return safely(() ->
        marks.mark(
            workload,
            annotations,
            object ->
                notes.entrySet().stream()
                    .allMatch(note ->
                        Objects.equals(
                            note.getValue().orElse(null),
                            object.texts("metadata", "annotations").get(note.getKey())))));
  }

  @Override
  public Optional<List<Map<String, String>>> marks(ObjectId workload) {
    try {
      return Optional.of(marks.annotations(workload));
    } catch (ApiRefusal | Unavailable silent) {
      return Optional.empty();
    }
  }

  /** What was seen may be a moment old: the intent may be gone since, with whoever made it. */
  @Override
  public Outcome withdraw(ObjectId workload) {
    return safely(() -> marks.unmark(workload, Annotations.INTENT));
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
      Map<String, Object> ended = PauseRecord.none();
      undone.ifPresent(mark -> ended.put(Annotations.UNDONE, mark.toString()));
      Predicate<ObjectTree> made = object -> !PauseRecord.has(Annotations.BEFORE_PAUSE, object);
      return place.recordIsBeside()
          ? marks.mark(workload, ended, made)
          : writes.note(
              place.kind(), place.target(), PauseRecord.on(place.guard(), ended), made, "noted");
    });
  }

  /** An answer or a silence of the API server is an outcome. */
  private static Outcome safely(Supplier<Outcome> attempt) {
    try {
      return attempt.get();
    } catch (ApiRefusal refusal) {
      return new Outcome.Failed(
          String.valueOf(refusal.unavailable().getMessage()), false, refusal.passes());
    } catch (Unavailable silent) {
      return new Outcome.Failed(String.valueOf(silent.getMessage()), false, silent.retryable());
    }
  }
}
