package dev.fallow.core.prune;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.idle.Assessment;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * What is to be written on workloads so that a doubt outlives its evidence. They bear it
 * themselves: whoever may pause a workload may mark it, and whoever decides on it next sees the
 * mark.
 *
 * @param missing the workloads that went still together, would be paused but for the doubt, and do
 *     not say so yet
 * @param over those that are marked though the fleet is believed again
 */
public record DoubtMarks(List<ObjectId> missing, List<ObjectId> over) {

  public DoubtMarks {
    missing = List.copyOf(missing);
    over = List.copyOf(over);
  }

  public static DoubtMarks of(
      List<Decision> decisions, ClusterState cluster, PrunePolicy policy, Instant at) {
    if (policy.limits().idleShare().orElse(1) >= 1) {
      // Who does not ask the question has no answer to it.
      return new DoubtMarks(List.of(), List.of());
    }
    Plausibility plausibility = new Plausibility(policy, cluster, at);
    List<Assessment> fleet = decisions.stream().map(Decision::assessment).toList();
    if (plausibility.doubt(fleet).isEmpty() && plausibility.doubtOfHurried(fleet).isEmpty()) {
      return new DoubtMarks(
          List.of(),
          cluster.owners().stream()
              .filter(owner -> owner.controllers().isEmpty() && isMarked(owner))
              .filter(owner -> isOurs(owner, policy))
              .map(OwnerObject::id)
              .toList());
    }
    Set<Assessment> fallen = plausibility.fallenTogether(fleet);
    return new DoubtMarks(
        decisions.stream()
            .filter(decision ->
                decision
                    .refusal()
                    .filter(refusal -> refusal.reason() == RefusalReason.FLEET_IMPLAUSIBLE)
                    .isPresent())
            .map(Decision::assessment)
            .filter(fallen::contains)
            .filter(one -> one.workload().rootObject().filter(DoubtMarks::isMarked).isEmpty())
            .map(one -> one.workload().root())
            .toList(),
        List.of());
  }

  /** Another instance may be at work in the other namespaces. */
  private static boolean isOurs(OwnerObject owner, PrunePolicy policy) {
    return policy.namespaces().map(ours -> ours.test(owner.id().namespace())).orElse(true);
  }

  private static boolean isMarked(OwnerObject owner) {
    return owner.annotations().containsKey(Annotations.DOUBTED_SINCE);
  }
}
