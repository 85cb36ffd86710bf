package dev.fallow.core.prune;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.Assessment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How many more workloads may be paused now. What was paused in the last hour is read from the
 * objects themselves, and from what the program remembers besides, so neither a restart nor a
 * second leader starts afresh.
 */
final class Budget {

  private static final Duration HOUR = Duration.ofHours(1);

  private final Limits limits;
  private final Map<String, Set<String>> workloads = new HashMap<>();
  private final Map<String, Set<String>> pausedLately = new HashMap<>();
  private int thisCycle;

  Budget(
      Limits limits,
      List<Assessment> fleet,
      ClusterState cluster,
      Collection<PastPause> remembered,
      Instant at) {
    this.limits = limits;
    for (Assessment assessment : fleet) {
      Workload workload = assessment.workload();
      put(workloads, workload.namespace(), workload.root().uid());
    }
    List<PastPause> past = new ArrayList<>(remembered);
    for (OwnerObject owner : cluster.marked()) {
      String when = owner.annotations().getOrDefault(Annotations.PAUSED_AT, "");
      if (when.isEmpty()) {
        continue;
      }
      put(workloads, owner.id().namespace(), owner.id().uid());
      past.add(
          new PastPause(
              owner.annotations().getOrDefault(Annotations.ACTION_ID, owner.id().uid()),
              owner.id().namespace(),
              // A time that nobody can read was written by somebody else: it counts as now.
              ObjectTree.parseInstant(when).orElse(at)));
    }
    for (PastPause pause : past) {
      if (pause.at().isAfter(at.minus(HOUR))) {
        put(pausedLately, pause.namespace(), pause.actionId());
      }
    }
  }

  /** Takes one pause out of the budget, or says why there is none left. */
  Optional<String> spend(Workload workload) {
    if (limits.pausesPerCycle().isPresent() && thisCycle >= limits.pausesPerCycle().getAsInt()) {
      return Optional.of(
          "this cycle's "
              + limits.pausesPerCycle().getAsInt()
              + " pauses (--max-pauses-per-cycle) are spent on greater waste");
    }
    String namespace = workload.namespace();
    int spent = pausedLately.getOrDefault(namespace, Set.of()).size();
    if (limits.sharePerNamespace().isPresent() && spent >= allowed(namespace)) {
      return Optional.of(
          spent
              + " of the "
              + workloads.getOrDefault(namespace, Set.of()).size()
              + " GPU workloads of namespace "
              + namespace
              + " were paused within the hour, as many as --max-share-per-namespace allows");
    }
    thisCycle++;
    put(pausedLately, namespace, "now:" + workload.root().uid());
    return Optional.empty();
  }

  private int allowed(String namespace) {
    int all = workloads.getOrDefault(namespace, Set.of()).size();
    return Math.max(1, (int) Math.floor(limits.sharePerNamespace().getAsDouble() * all + 1e-9));
  }

  private static void put(Map<String, Set<String>> sets, String key, String value) {
    sets.computeIfAbsent(key, any -> new HashSet<>()).add(value);
  }
}
