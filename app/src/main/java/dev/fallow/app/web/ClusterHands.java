package dev.fallow.app.web;

import dev.fallow.app.prune.ActionId;
import dev.fallow.app.prune.Deed;
import dev.fallow.app.prune.HandPause;
import dev.fallow.app.prune.Journal;
import dev.fallow.core.Unavailable;
import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.acknowledge.KeepRules;
import dev.fallow.core.acknowledge.KeepTerm;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.RefusalReason;
import dev.fallow.server.Problem;
import dev.fallow.server.Rejected;
import dev.fallow.server.access.Caller;
import dev.fallow.server.fleet.Hands;
import dev.fallow.server.fleet.WorkloadItem;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Does what people ask for through the dashboard, on the same path as the daemon. */
public final class ClusterHands implements Hands {

  private final FleetBoard board;
  private final Actuator actuator;
  private final Journal journal;
  private final KeepRules rules;
  private final InstantSource clock;
  private final UnaryOperator<ObjectId> identified;
  private final Runnable afterwards;

  /**
   * @param identified finds the UID of an object that is known by its name alone
   * @param afterwards told that something has changed, so that a new look is worth while
   */
  public ClusterHands(
      FleetBoard board,
      Actuator actuator,
      Journal journal,
      KeepRules rules,
      InstantSource clock,
      UnaryOperator<ObjectId> identified,
      Runnable afterwards) {
    this.board = board;
    this.actuator = actuator;
    this.journal = journal;
    this.rules = rules;
    this.clock = clock;
    this.identified = identified;
    this.afterwards = afterwards;
  }

  /** Also a keep that stands already is written: what was seen of it may be gone since. */
  @Override
  public Keep keep(WorkloadItem item, KeepTerm term, String reason, Caller caller) {
    Instant now = clock.instant();
    Instant end = term.end(now);
    rules
        .problem(Duration.between(now, end), reason)
        .ifPresent(problem -> {
          throw new Rejected(new Problem(422, "KEEP_REFUSED", problem));
        });
    ObjectId id = id(item);
    Keep keep = term.over(standing(item, id, now), new Keep(end, nameOf(caller), reason));
    done(Deed.Verb.KEEP, item, id, keep.sentence(), caller, actuator.note(id, keep.marks()));
    board.changed(item, seen -> seen.kept(keep), clock.instant());
    return keep;
  }

  @Override
  public void endKeep(WorkloadItem item, Caller caller) {
    ObjectId id = id(item);
    Instant now = clock.instant();
    boolean anything = actuator.marks(id).map(Keep::isAmong).orElse(true);
    if (anything) {
      done(
          Deed.Verb.END_KEEP,
          item,
          id,
          "its keep was ended by " + nameOf(caller),
          caller,
          actuator.note(id, Keep.cleared()));
    }
    board
        .decision(item)
        .flatMap(seen -> Keep.belowTheRoot(seen.assessment().workload(), now))
        .ifPresent(other -> {
          throw new Rejected(
              new Problem(409, RefusalReason.ACKNOWLEDGED.name(), Keep.goesOn(id, other)));
        });
    board.changed(item, WorkloadItem::notKept, clock.instant());
  }

  /** The keep on a workload itself: as it is now or, where nobody can say, as it was last seen. */
  private Optional<Keep> standing(WorkloadItem item, ObjectId id, Instant now) {
    return actuator
        .marks(id)
        .map(marks -> Keep.among(marks, now))
        .orElseGet(() ->
            board
                .decision(item)
                .flatMap(seen -> seen.assessment().workload().rootObject())
                .flatMap(root -> Keep.on(root, now)));
  }

  @Override
  public void pause(WorkloadItem item, String reason, Caller caller) {
    rules
        .problem(Duration.ofHours(1), reason)
        .ifPresent(problem -> {
          throw new Rejected(new Problem(422, "BAD_PARAMETER", "reason: " + problem));
        });
    Decision decision =
        board
            .decision(item)
            .orElseThrow(() ->
                new Rejected(
                    item.state().equals("PAUSED")
                        ? new Problem(
                            409, RefusalReason.PAUSED_ALREADY.name(), "it is paused already")
                        : new Problem(
                            409,
                            RefusalReason.RESUMED_LATELY.name(),
                            "it was resumed just now, and nothing has looked at it since; try"
                                + " again after the next look")));
    Assessment assessment = decision.assessment();
    Workload workload = assessment.workload();
    Instant now = clock.instant();
    Intent intent = new Intent(ActionId.of(workload.root().uid(), now), "by-hand", now);
    String why = reason.isEmpty() ? "by hand" : reason;
    Outcome outcome =
        HandPause.of(
            actuator,
            workload,
            intent,
            PauseNote.of(
                nameOf(caller), "Paused: " + why + ".", assessment, board.partsOf(decision)));
    done(Deed.Verb.PAUSE, intent.id(), item, workload.root(), why, caller, outcome);
    board.changed(
        item,
        seen -> seen.paused(intent.at(), nameOf(caller), "Paused: " + why + "."),
        clock.instant());
  }

  @Override
  public void resume(WorkloadItem item, Caller caller) {
    ObjectId id = id(item);
    done(Deed.Verb.RESUME, item, id, "resumed by " + nameOf(caller), caller, actuator.resume(id));
    board.changed(item, WorkloadItem::resumed, clock.instant());
  }

  private ObjectId id(WorkloadItem item) {
    ObjectId id =
        board
            .id(item.namespace(), item.kind(), item.name())
            .orElseThrow(
                () -> new Rejected(new Problem(404, "NOT_FOUND", item.workload() + " is gone")));
    return id.uid().isEmpty() ? identified.apply(id) : id;
  }

  private void done(
      Deed.Verb verb,
      WorkloadItem item,
      ObjectId id,
      String sentence,
      Caller caller,
      Outcome outcome) {
    done(verb, ActionId.of(id.uid(), clock.instant()), item, id, sentence, caller, outcome);
  }

  private void done(
      Deed.Verb verb,
      String actionId,
      WorkloadItem item,
      ObjectId id,
      String sentence,
      Caller caller,
      Outcome outcome) {
    journal.record(
        new Deed(
            verb,
            actionId,
            clock.instant(),
            id,
            item.gpus(),
            item.costPerHour(),
            sentence,
            nameOf(caller),
            outcome));
    switch (outcome) {
      case Outcome.Done made -> afterwards.run();
      case Outcome.Refused refused ->
          throw new Rejected(
              new Problem(409, refused.refusal().reason().name(), refused.sentence()));
      case Outcome.Failed failed ->
          throw new Unavailable("kubernetes", failed.sentence(), failed.unknown());
    }
  }

  /** Whoever is not vouched for is marked, wherever the name turns up later. */
  private static String nameOf(Caller caller) {
    return caller.verified() ? caller.name() : caller.name() + " (unverified)";
  }
}
