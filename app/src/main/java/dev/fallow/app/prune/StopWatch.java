package dev.fallow.app.prune;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ClusterReader;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.ownership.OwnerResolver;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PausableKind;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Waits after a single run until the InferenceServices it stopped are seen to stop: an operator
 * that does not know the stop leaves the annotation and the pods as they are. What does not stop is
 * undone. A daemon sees to it in its later cycles.
 */
final class StopWatch {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration STEP = Duration.ofSeconds(2);

  private final ClusterReader reader;
  private final Actuator actuator;
  private final Journal journal;

  StopWatch(ClusterReader reader, Actuator actuator, Journal journal) {
    this.reader = reader;
    this.actuator = actuator;
    this.journal = journal;
  }

  /** The deeds, those that did not hold told as refused. */
  List<Deed> confirmed(List<Deed> deeds) {
    List<Deed> told = new ArrayList<>(deeds);
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (int i = 0; i < told.size(); i++) {
      Deed deed = told.get(i);
      if (stops(deed) && !stoppedBy(end, deed.workload())) {
        new Repair(actuator, journal, IdleRule.DEFAULT)
            .giveUp(deed.workload(), deed.actionId(), deed.gpus(), Instant.now());
        told.set(
            i,
            deed.with(
                new Outcome.Refused(
                    new Refusal(
                        RefusalReason.CONTESTED,
                        "it did not stop within "
                            + PATIENCE.toSeconds()
                            + " s, so the stop was taken back; run a KServe that knows"
                            + " serving.kserve.io/stop"))));
      }
    }
    return told;
  }

  private static boolean stops(Deed deed) {
    return deed.done()
        && deed.verb() == Deed.Verb.PAUSE
        && PausableKind.of(deed.workload()).equals(Optional.of(PausableKind.INFERENCE_SERVICE));
  }

  private boolean stoppedBy(long end, ObjectId workload) {
    while (true) {
      if (actuator.saysItStopped(workload) || holdsNothing(workload)) {
        return true;
      }
      if (System.nanoTime() > end) {
        return false;
      }
      try {
        Thread.sleep(STEP);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return true;
      }
    }
  }

  private boolean holdsNothing(ObjectId root) {
    try {
      return OwnerResolver.workloadsOf(reader.read()).stream()
          .filter(workload -> workload.root().equals(root))
          .noneMatch(workload -> workload.gpus() > 0);
    } catch (Unavailable silent) {
      return false;
    }
  }
}
