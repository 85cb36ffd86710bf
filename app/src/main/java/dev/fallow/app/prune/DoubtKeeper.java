package dev.fallow.app.prune;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.DoubtMarks;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PrunePolicy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Marks the workloads whose stillness is in doubt, and takes the marks off when it is not. */
final class DoubtKeeper {

  /** In one cycle; the evidence lasts for many, and those left have their turn in the next. */
  private static final int MOST = 500;

  private static final int MOST_FAILURES = 3;

  private final Actuator actuator;

  DoubtKeeper(Actuator actuator) {
    this.actuator = actuator;
  }

  void after(Look look, PrunePolicy policy) {
    Instant at = look.inspection().at();
    DoubtMarks marks = DoubtMarks.of(look.inspection().decisions(), look.cluster(), policy, at);
    write(marks.missing(), Optional.of(at.toString()));
    write(marks.over(), Optional.empty());
  }

  private void write(List<ObjectId> workloads, Optional<String> mark) {
    int failures = 0;
    for (ObjectId workload : workloads.subList(0, Math.min(MOST, workloads.size()))) {
      Outcome outcome = actuator.note(workload, Map.of(Annotations.DOUBTED_SINCE, mark));
      failures += outcome instanceof Outcome.Failed ? 1 : 0;
      if (failures >= MOST_FAILURES) {
        break;
      }
    }
  }
}
