package dev.fallow.app.prune;

import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The workloads that could not be changed, by their UIDs. Each is left out for some cycles so that
 * others have their turn, and for twice as many the next time.
 */
final class Rests {

  private static final int FIRST = 10;

  /** For what lay at the moment: others have their turn, and then it has. */
  private static final int SHORT = 1;

  private static final int LONGEST = 16 * FIRST;

  private final Map<String, Rest> rests = new HashMap<>();

  /**
   * @param cycles how many more
   * @param whole how many in all
   */
  private record Rest(int cycles, int whole, Refusal refusal) {}

  /** One that has rested is tried again; whatever has long been gone is forgotten. */
  void cycle() {
    rests.replaceAll((uid, rest) -> new Rest(rest.cycles() - 1, rest.whole(), rest.refusal()));
    rests.values().removeIf(rest -> rest.cycles() < -LONGEST);
  }

  /** Takes in what came of an attempt: a change that was made, or may have been, ends a rest. */
  void after(String uid, Outcome outcome) {
    if (outcome instanceof Outcome.Failed failed && failed.passing() && !failed.unknown()) {
      Rest before = rests.get(uid);
      int whole = before == null ? FIRST / 2 : before.whole();
      rests.put(
          uid, new Rest(SHORT, whole, new Refusal(RefusalReason.WRITE_FAILED, failed.sentence())));
      return;
    }
    Optional<Refusal> refusal =
        switch (outcome) {
          case Outcome.Done done -> Optional.empty();
          case Outcome.Refused refused ->
              Optional.of(refused.refusal())
                  .filter(one -> one.reason() == RefusalReason.NO_SCALABLE_OWNER);
          case Outcome.Failed failed ->
              Optional.of(failed)
                  .filter(one -> !one.unknown())
                  .map(one -> new Refusal(RefusalReason.WRITE_FAILED, one.sentence()));
        };
    refusal.ifPresentOrElse(
        one -> {
          Rest before = rests.get(uid);
          int whole = before == null ? FIRST : Math.min(2 * before.whole(), LONGEST);
          rests.put(uid, new Rest(whole, whole, one));
        },
        () -> rests.remove(uid));
  }

  boolean has(String uid) {
    return rests.containsKey(uid);
  }

  /** Why those that rest now cannot be paused. */
  Map<String, Refusal> refusals() {
    Map<String, Refusal> refusals = new HashMap<>();
    rests.forEach((uid, rest) -> {
      if (rest.cycles() > 0) {
        refusals.put(uid, rest.refusal());
      }
    });
    return refusals;
  }
}
