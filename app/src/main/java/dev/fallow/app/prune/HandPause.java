package dev.fallow.app.prune;

import dev.fallow.core.fleet.Workload;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.PrunePlanner;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import java.util.Optional;

/**
 * A pause that a person asks for, on the same path as the daemon's. Controllers write the status of
 * what was just announced, so the write that follows at once may meet a newer object: a person is
 * not told of that, it is tried again on what there is now.
 */
public final class HandPause {

  private static final int TRIES = 5;

  private HandPause() {}

  public static Outcome of(Actuator actuator, Workload workload, Intent intent, PauseNote note) {
    // What the last look saw of keeps and replicas may be over; the last word is on what there is.
    Optional<Refusal> refusal = PrunePlanner.noScalableOwner(workload);
    if (refusal.isPresent()) {
      return new Outcome.Refused(refusal.get());
    }
    if (workload.pods().stream().noneMatch(pod -> pod.live() && pod.node().isPresent())) {
      return new Outcome.Refused(
          new Refusal(
              RefusalReason.NO_SCALABLE_OWNER,
              "none of its pods is alive on a node, so it holds no GPU to free"));
    }
    Outcome announced = actuator.announce(workload, intent);
    if (!(announced instanceof Outcome.Done)) {
      return announced;
    }
    Outcome outcome = announced;
    for (int i = 0; i < TRIES; i++) {
      outcome =
          actuator.pause(
              workload,
              intent,
              note,
              root -> PrunePlanner.byHand(workload.withRoot(root), intent.at()));
      if (!(outcome instanceof Outcome.Refused refused
          && refused.refusal().reason() == RefusalReason.CHANGED_MEANWHILE)) {
        break;
      }
    }
    if (!(outcome instanceof Outcome.Done)) {
      actuator.withdraw(workload.root());
    }
    return outcome;
  }
}
