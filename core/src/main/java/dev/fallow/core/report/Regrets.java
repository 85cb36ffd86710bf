package dev.fallow.core.report;

import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.Outcome;
import dev.fallow.core.ledger.Span;
import dev.fallow.core.ledger.Verb;
import dev.fallow.core.prune.FieldManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How often a person wanted back at once what we had paused: the measure of whether the rule is too
 * strict.
 *
 * @param pauses how many we made in the period
 * @param within how soon is soon
 * @param items those that were regretted, the latest first
 */
public record Regrets(int pauses, Duration within, List<Regret> items) {

  public Regrets {
    items = List.copyOf(items);
  }

  /** The part of our pauses that was regretted, from 0 to 1. */
  public double share() {
    return pauses == 0 ? 0 : (double) items.size() / pauses;
  }

  /**
   * @param actions of the period and for as long after it as is soon
   */
  static Regrets of(List<ActionRecord> actions, Span period, Duration within) {
    Map<String, List<ActionRecord>> ends = new HashMap<>();
    List<ActionRecord> pauses = new ArrayList<>();
    for (ActionRecord action : actions) {
      if (isPause(action) && isIn(period, action.at())) {
        pauses.add(action);
      } else if (isTakenBack(action)) {
        ends.computeIfAbsent(name(action), any -> new ArrayList<>()).add(action);
      }
    }
    List<Regret> regrets = new ArrayList<>();
    for (ActionRecord pause : pauses) {
      firstAfter(pause, ends.getOrDefault(name(pause), List.of()))
          .filter(end -> !end.at().isAfter(pause.at().plus(within)))
          .ifPresent(end ->
              regrets.add(
                  new Regret(pause.workload(), pause.gpus(), pause.at(), end.at(), end.by())));
    }
    regrets.sort(Comparator.comparing(Regret::paused).reversed().thenComparing(Regret::workload));
    return new Regrets(pauses.size(), within, regrets);
  }

  private static Optional<ActionRecord> firstAfter(ActionRecord pause, List<ActionRecord> ends) {
    return ends.stream()
        .filter(end -> end.at().isAfter(pause.at()))
        .filter(end -> end.verb() == Verb.RESUME || end.actionId().equals(pause.actionId()))
        .min(Comparator.comparing(ActionRecord::at));
  }

  private static boolean isPause(ActionRecord action) {
    return action.verb() == Verb.PAUSE
        && action.outcome() == Outcome.DONE
        && action.by().equals(FieldManager.OURS);
  }

  /** By a person: what a controller puts back is a quarrel of programs and no regret. */
  private static boolean isTakenBack(ActionRecord action) {
    boolean resumed = action.verb() == Verb.RESUME && action.outcome() == Outcome.DONE;
    boolean undone = action.verb() == Verb.PAUSE && action.outcome() == Outcome.UNDONE;
    return (resumed && !action.by().equals(FieldManager.OURS))
        || (undone && !FieldManager.isController(action.by()));
  }

  private static boolean isIn(Span period, Instant at) {
    return !at.isBefore(period.from()) && at.isBefore(period.to());
  }

  /** Not by its UID: whoever resumes by name alone may not know it. */
  private static String name(ActionRecord action) {
    return action.workload().toString();
  }
}
