package dev.fallow.app.prune;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Outcome;
import dev.fallow.core.ledger.Verb;
import dev.fallow.core.prune.PastPause;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.PruneMemory;
import dev.fallow.core.prune.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Writes deeds into the ledger and tells of them on the workload, in this order. A ledger that
 * fails loses nothing: what shows on the objects is written down as soon as it is back.
 */
public final class Books implements Journal {

  /** Tells on the workload itself what was done to it. */
  @FunctionalInterface
  public interface Events {
    Events NONE = (about, reason, message, actionId, at) -> "";

    /** Answers why it could not be told; empty if it was. */
    String write(ObjectId about, String reason, String message, String actionId, Instant at);
  }

  /** The reason of a pause that shows on its object and of which the ledger has no word. */
  public static final String FOUND_PAUSED = "FOUND_PAUSED";

  private static final Duration MEMORY = Duration.ofHours(1);

  /** An event that is this late would tell of the past as of the present. */
  private static final Duration LATEST_EVENT = Duration.ofMinutes(10);

  /** What was sent longer ago than this has come about, or never will. */
  private static final Duration SLOWEST_WRITE = Duration.ofSeconds(15);

  /** How far back a program that starts looks for what one before it left open. */
  private static final Duration LONGEST_ABSENCE = Duration.ofDays(7);

  private final Optional<Ledger> ledger;
  private final Events events;
  private final Step.Observer steps;
  private final List<PastPause> pauses = new ArrayList<>();
  private final Set<String> known = new HashSet<>();
  private final Set<String> begun = new HashSet<>();
  private Instant settledUntil = Instant.MIN;
  private Consumer<Deed> listener = deed -> {};
  private Consumer<Optional<String>> trouble = sentence -> {};

  public Books(Optional<Ledger> ledger, Events events, Step.Observer steps) {
    this.ledger = ledger;
    this.events = events;
    this.steps = steps;
  }

  /**
   * @param heard told of every deed
   * @param ledgerTrouble told why the ledger fails, or that it does not
   */
  public Books telling(Consumer<Deed> heard, Consumer<Optional<String>> ledgerTrouble) {
    this.listener = heard;
    this.trouble = ledgerTrouble;
    return this;
  }

  @Override
  public synchronized void record(Deed deed) {
    listener.accept(deed);
    switch (deed.verb()) {
      case PAUSE -> {
        if (deed.done()) {
          pauses.add(new PastPause(deed.actionId(), deed.workload(), deed.at()));
          known.add(deed.actionId());
          enter(deed, Verb.PAUSE, Outcome.DONE);
          tell(deed, "Paused", "Paused: " + deed.sentence());
        } else if (deed.outcome() instanceof dev.fallow.core.prune.Outcome.Failed failed) {
          enter(deed, Verb.PAUSE, failed.unknown() ? Outcome.UNKNOWN : Outcome.FAILED);
        } else if (begun.contains(deed.actionId())) {
          enter(deed, Verb.PAUSE, Outcome.REFUSED);
        }
        begun.remove(deed.actionId());
      }
      case RESUME -> {
        if (deed.done()) {
          enter(deed, Verb.RESUME, Outcome.DONE);
          tell(deed, "Resumed", deed.sentence());
        }
      }
      case UNDONE -> {
        if (deed.done()) {
          enter(deed, Verb.PAUSE, Outcome.UNDONE);
          tell(deed, "PauseUndone", deed.sentence());
        }
      }
      case KEEP -> {
        if (deed.done()) {
          enter(deed, Verb.KEEP, Outcome.DONE);
          tell(deed, "Kept", deed.sentence());
        }
      }
      case END_KEEP -> {
        if (deed.done()) {
          enter(deed, Verb.END_KEEP, Outcome.DONE);
        }
      }
      case ANNOUNCE -> {
        // The annotation is the announcement.
      }
    }
  }

  @Override
  public synchronized void begin(Deed deed) {
    begun.add(deed.actionId());
    enter(
        new ActionRecord(
            deed.actionId(),
            deed.at(),
            Verb.PAUSE,
            Outcome.BEGUN,
            deed.workload(),
            deed.gpus(),
            deed.dollarsPerHour(),
            usualReason(deed, Verb.PAUSE, Outcome.BEGUN),
            deed.sentence(),
            deed.by()));
  }

  @Override
  public synchronized void settle(Set<String> standing, Instant at) {
    if (ledger.isEmpty()) {
      return;
    }
    Instant until = at.minus(SLOWEST_WRITE);
    Instant from = settledUntil.equals(Instant.MIN) ? at.minus(LONGEST_ABSENCE) : settledUntil;
    if (!from.isBefore(until)) {
      return;
    }
    try {
      List<ActionRecord> actions =
          ledger
              .get()
              .actions(
                  ActionQuery.latest(ActionQuery.MOST)
                      .between(from, at)
                      .verb(Verb.PAUSE)
                      .withBeginnings());
      Set<String> ended = new HashSet<>(standing);
      actions.stream()
          .filter(action -> action.outcome() != Outcome.BEGUN)
          .forEach(action -> ended.add(action.actionId()));
      actions.stream()
          .filter(action -> action.outcome() == Outcome.BEGUN && action.at().isBefore(until))
          .filter(action -> !ended.contains(action.actionId()))
          .forEach(action -> ledger.get().record(endUnknown(action)));
      settledUntil = until;
      trouble.accept(Optional.empty());
    } catch (Unavailable failed) {
      trouble.accept(Optional.of(String.valueOf(failed.getMessage())));
    }
  }

  private static ActionRecord endUnknown(ActionRecord begun) {
    return new ActionRecord(
        begun.actionId(),
        begun.at(),
        begun.verb(),
        Outcome.UNKNOWN,
        begun.workload(),
        begun.gpus(),
        begun.dollarsPerHour(),
        "OUTCOME_UNKNOWN",
        "the program ended in the moment of this pause, and the workload bears no mark of it now: "
            + "either it was never made, or somebody has undone it since",
        begun.by());
  }

  private void enter(Deed deed, Verb verb, Outcome outcome) {
    String reason = deed.reason();
    enter(
        new ActionRecord(
            deed.actionId(),
            deed.at(),
            verb,
            outcome,
            deed.workload(),
            deed.gpus(),
            deed.dollarsPerHour(),
            reason.isEmpty() ? usualReason(deed, verb, outcome) : reason,
            deed.done() ? deed.sentence() : deed.outcome().sentence(),
            deed.by()));
    steps.reached(Step.AFTER_RECORD, deed.workload().kind());
  }

  private static String usualReason(Deed deed, Verb verb, Outcome outcome) {
    boolean byHand = outcome != Outcome.UNDONE && !deed.by().equals(Deed.OURSELVES);
    return switch (verb) {
      case PAUSE -> byHand ? "BY_HAND" : "ALL_GPUS_IDLE";
      case RESUME -> "RESUMED";
      case KEEP, END_KEEP -> "ACKNOWLEDGED";
    };
  }

  private boolean enter(ActionRecord action) {
    if (ledger.isEmpty()) {
      return true;
    }
    try {
      ledger.get().record(action);
      trouble.accept(Optional.empty());
      return true;
    } catch (Unavailable failed) {
      trouble.accept(Optional.of(String.valueOf(failed.getMessage())));
      return false;
    }
  }

  private void tell(Deed deed, String reason, String message) {
    events.write(deed.workload(), reason, message, deed.actionId(), deed.at());
    steps.reached(Step.AFTER_EVENT, deed.workload().kind());
  }

  @Override
  public synchronized void recover(OwnerObject paused, Instant at) {
    String id = paused.annotations().getOrDefault(Annotations.ACTION_ID, "");
    if (!ActionId.isOne(id) || known.contains(id)) {
      return;
    }
    Instant when =
        ObjectTree.parseInstant(paused.annotations().getOrDefault(Annotations.PAUSED_AT, ""))
            .orElse(at);
    Optional<List<ActionRecord>> written = written(paused.workload(), id);
    if (written.isEmpty()) {
      return;
    }
    boolean ended = written.get().stream().anyMatch(action -> action.outcome() == Outcome.DONE);
    ActionRecord found =
        written.get().stream()
            .filter(action -> action.outcome() == Outcome.BEGUN)
            .findFirst()
            .map(Books::endDone)
            .orElseGet(() -> foundPaused(paused, id, when));
    if (ended || enter(found)) {
      known.add(id);
    }
    if (!ended && when.isAfter(at.minus(LATEST_EVENT))) {
      events.write(paused.workload(), "Paused", found.sentence(), id, when);
    }
  }

  private static ActionRecord endDone(ActionRecord begun) {
    return new ActionRecord(
        begun.actionId(),
        begun.at(),
        begun.verb(),
        Outcome.DONE,
        begun.workload(),
        begun.gpus(),
        begun.dollarsPerHour(),
        begun.reason(),
        begun.sentence(),
        begun.by());
  }

  /**
   * A pause that was made without this ledger, as by hand from a laptop. What the object says of it
   * anybody may have written who may change the object, so its words are not taken over.
   */
  private static ActionRecord foundPaused(OwnerObject paused, String id, Instant when) {
    return new ActionRecord(
        id,
        when,
        Verb.PAUSE,
        Outcome.DONE,
        paused.workload(),
        PauseNote.freedBy(paused).map(PauseNote::gpus).orElse(0),
        0,
        FOUND_PAUSED,
        "was found paused; who did it and why stands on the object",
        "");
  }

  /** What the ledger knows of a pause; nothing if it cannot be asked. */
  private Optional<List<ActionRecord>> written(ObjectId workload, String id) {
    if (ledger.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ledger
              .get()
              .actions(
                  ActionQuery.latest(50)
                      .namespace(workload.namespace())
                      .kind(workload.qualifiedKind())
                      .name(workload.name())
                      .verb(Verb.PAUSE)
                      .withBeginnings())
              .stream()
              .filter(action -> action.actionId().equals(id))
              .toList());
    } catch (Unavailable failed) {
      trouble.accept(Optional.of(String.valueOf(failed.getMessage())));
      return Optional.empty();
    }
  }

  @Override
  public synchronized PruneMemory pausesSince(Instant since) {
    pauses.removeIf(pause -> pause.at().isBefore(since.minus(MEMORY)));
    List<PastPause> found =
        new ArrayList<>(pauses.stream().filter(pause -> pause.at().isAfter(since)).toList());
    if (ledger.isPresent()) {
      try {
        ledger
            .get()
            .actions(
                ActionQuery.latest(ActionQuery.MOST)
                    .between(since, since.plus(Duration.ofDays(2)))
                    .verb(Verb.PAUSE))
            .stream()
            .filter(
                action -> action.outcome() == Outcome.DONE || action.outcome() == Outcome.UNKNOWN)
            .forEach(action ->
                found.add(new PastPause(action.actionId(), action.workload(), action.at())));
        trouble.accept(Optional.empty());
      } catch (Unavailable failed) {
        String sentence = String.valueOf(failed.getMessage());
        trouble.accept(Optional.of(sentence));
        return new PruneMemory(
            found, Optional.of("the ledger cannot be read (" + sentence + ")"), Map.of());
      }
    }
    return PruneMemory.pauses(found);
  }
}
