package dev.fallow.core.prune;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.Assessment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How many more workloads may be paused now. What was paused in the last hour is read from the
 * objects themselves, also where a pause is over, and from what the program remembers besides, so
 * neither a restart nor a second leader starts afresh.
 */
final class Budget {

  private static final Duration HOUR = Duration.ofHours(1);

  private final Limits limits;
  private final Map<String, Set<String>> workloads = new HashMap<>();
  private final Map<String, Set<String>> pausedLately = new HashMap<>();
  private final Map<String, Set<String>> plannedNow = new HashMap<>();
  private final Optional<String> forgotten;
  private int thisCycle;

  Budget(
      Limits limits,
      List<Assessment> fleet,
      ClusterState cluster,
      Remembered remembered,
      Instant at) {
    this.limits = limits;
    this.forgotten = remembered.forgotten();
    List<PastPause> past = new ArrayList<>(remembered.pauses());
    for (Assessment assessment : fleet) {
      put(workloads, assessment.workload().root());
      assessment.workload().rootObject().ifPresent(root -> past.addAll(undoneOf(root)));
    }
    for (OwnerObject owner : cluster.marked()) {
      past.addAll(undoneOf(owner));
      String when = owner.annotations().getOrDefault(Annotations.PAUSED_AT, "");
      if (!when.isEmpty()) {
        put(workloads, owner.workload());
        // A time that nobody can read was written by somebody else: it counts as now.
        past.add(new PastPause(owner.workload(), ObjectTree.parseInstant(when).orElse(at)));
      }
    }
    for (PastPause pause : past) {
      if (pause.at().isAfter(at.minus(HOUR))) {
        put(pausedLately, pause.workload());
      }
    }
  }

  /** A pause that is over shows by when it was undone, or by who switched the workload last. */
  private static List<PastPause> undoneOf(OwnerObject root) {
    Optional<PastPause> byOthers =
        Undone.parse(root.annotations().getOrDefault(Annotations.UNDONE, ""))
            .map(undone -> new PastPause(root.workload(), undone.at()));
    Optional<PastPause> byUs =
        root.switched()
            .filter(touch -> touch.manager().equals(FieldManager.OURS))
            .map(touch -> new PastPause(root.workload(), touch.at()));
    return Stream.of(byOthers, byUs).flatMap(Optional::stream).toList();
  }

  /** Takes one pause out of the budget, or says why there is none left. */
  Optional<String> spend(Workload workload) {
    if (limits.pausesPerCycle().isPresent() && thisCycle >= limits.pausesPerCycle().getAsInt()) {
      return Optional.of(
          "this cycle's "
              + limits.pausesPerCycle().getAsInt()
              + " pauses (--max-pauses-per-cycle) are spent on greater waste");
    }
    if (limits.sharePerNamespace().isPresent()) {
      if (forgotten.isPresent()) {
        return Optional.of(
            "how many workloads were paused within the hour (--max-share-per-namespace) is not"
                + " known: "
                + forgotten.get());
      }
      String namespace = workload.namespace();
      int paused = pausedLately.getOrDefault(namespace, Set.of()).size();
      int planned = plannedNow.getOrDefault(namespace, Set.of()).size();
      if (paused + planned >= allowed(namespace)) {
        return Optional.of(spent(namespace, paused, planned));
      }
    }
    thisCycle++;
    put(plannedNow, workload.root());
    return Optional.empty();
  }

  private String spent(String namespace, int paused, int planned) {
    List<String> parts = new ArrayList<>();
    if (paused > 0) {
      parts.add(paused + " paused within the hour");
    }
    if (planned > 0) {
      parts.add(planned + " of greater waste to be paused now");
    }
    return "of the "
        + workloads.getOrDefault(namespace, Set.of()).size()
        + " GPU workloads of namespace "
        + namespace
        + " there are "
        + String.join(" and ", parts)
        + ", as many as --max-share-per-namespace allows";
  }

  private int allowed(String namespace) {
    int all = workloads.getOrDefault(namespace, Set.of()).size();
    return Math.max(1, (int) Math.floor(limits.sharePerNamespace().getAsDouble() * all + 1e-9));
  }

  private static void put(Map<String, Set<String>> sets, ObjectId workload) {
    sets.computeIfAbsent(workload.namespace(), any -> new HashSet<>()).add(workload.toString());
  }
}
