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
      PruneMemory remembered,
      Instant at) {
    this.limits = limits;
    this.forgotten = remembered.forgotten();
    List<PastPause> past = new ArrayList<>(remembered.pauses());
    List<PastPause> over = new ArrayList<>();
    for (Assessment assessment : fleet) {
      put(workloads, assessment.workload().root());
      assessment.workload().rootObject().ifPresent(root -> over.addAll(overOn(root)));
    }
    for (OwnerObject owner : cluster.marked()) {
      over.addAll(overOn(owner));
      String when = owner.annotations().getOrDefault(Annotations.PAUSED_AT, "");
      if (!when.isEmpty()) {
        put(workloads, owner.workload());
        past.add(
            new PastPause(
                owner.annotations().getOrDefault(Annotations.ACTION_ID, owner.id().uid()),
                owner.workload(),
                // A time that nobody can read was written by somebody else: it counts as now.
                ObjectTree.parseInstant(when).orElse(at)));
      }
    }
    Instant since = at.minus(HOUR);
    past.removeIf(pause -> !pause.at().isAfter(since));
    Set<String> known = new HashSet<>();
    past.forEach(pause -> {
      put(pausedLately, pause.workload().namespace(), pause.actionId());
      known.add(pause.workload().toString());
    });
    over.stream()
        .filter(pause -> pause.at().isAfter(since) && !known.contains(pause.workload().toString()))
        .forEach(pause -> put(pausedLately, pause.workload().namespace(), pause.actionId()));
  }

  /**
   * A pause that is over shows by when it was undone, or by who switched the workload last. Which
   * one it was does not, so it counts only where none of the workload is known.
   */
  private static List<PastPause> overOn(OwnerObject root) {
    String some = "of " + root.workload();
    Optional<PastPause> byOthers =
        Undone.parse(root.annotations().getOrDefault(Annotations.UNDONE, ""))
            .map(undone -> new PastPause(some, root.workload(), undone.at()));
    Optional<PastPause> byUs =
        root.switched()
            .filter(touch -> touch.manager().equals(FieldManager.OURS))
            .map(touch -> new PastPause(some, root.workload(), touch.at()));
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

  /** What is only planned is told apart: it may yet be refused. */
  private String spent(String namespace, int paused, int planned) {
    return "--max-share-per-namespace allows namespace "
        + namespace
        + ", with "
        + workloads.getOrDefault(namespace, Set.of()).size()
        + " GPU workloads, this many pauses an hour: "
        + allowed(namespace)
        + "; made within the hour: "
        + paused
        + ", to be made now for greater waste: "
        + planned;
  }

  private int allowed(String namespace) {
    int all = workloads.getOrDefault(namespace, Set.of()).size();
    return Math.max(1, (int) Math.floor(limits.sharePerNamespace().getAsDouble() * all + 1e-9));
  }

  private static void put(Map<String, Set<String>> sets, String key, String value) {
    sets.computeIfAbsent(key, any -> new HashSet<>()).add(value);
  }

  private static void put(Map<String, Set<String>> sets, ObjectId workload) {
    put(sets, workload.namespace(), workload.toString());
  }
}
