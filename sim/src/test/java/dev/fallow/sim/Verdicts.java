package dev.fallow.sim;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.idle.Judge;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSource;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.PrunePlanner;
import dev.fallow.core.prune.PrunePolicy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the product makes of a fleet, and what is true of it, in one spelling. */
final class Verdicts {

  private Verdicts() {}

  static Map<String, String> found(SimulatedFleet fleet, UsageSource source, Instant at) {
    ClusterState cluster = new SimClusterReader(fleet, () -> at).read();
    Usage usage = source.read(at, Judge.windowNeeded(cluster, IdleRule.DEFAULT));
    return found(cluster, usage, at);
  }

  static Map<String, String> found(ClusterState cluster, Usage usage, Instant at) {
    List<Assessment> assessments =
        Judge.judge(cluster, usage, at, IdleRule.DEFAULT, Optional.empty());
    Map<String, String> found = new TreeMap<>();
    for (Decision decision : PrunePlanner.plan(assessments, cluster, PrunePolicy.DEFAULT, at)) {
      Assessment assessment = decision.assessment();
      found.put(
          assessment.workload().root().toString(),
          assessment.verdict().name() + " " + decision.reason() + " " + decision.action());
    }
    return found;
  }

  static Map<String, String> truth(SimulatedFleet fleet, Instant at) {
    return truth(fleet, at, LabelForm.HONOURED);
  }

  static Map<String, String> truth(SimulatedFleet fleet, Instant at, LabelForm form) {
    Map<String, String> truth = new TreeMap<>();
    for (Truth one : fleet.truth(at, form)) {
      truth.put(
          one.workload().toString(), one.finding() + " " + one.reasonShown() + " " + one.action());
    }
    return truth;
  }
}
