package dev.fallow.core.idle;

import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.OwnerRef;
import dev.fallow.core.fleet.PlainPod;
import dev.fallow.core.fleet.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Whether a workload is being changed right now: its controller has not seen its newest
 * specification, one of its pods is still pending, or pods of two revisions stand side by side.
 * Past the age at which pods are judged that is no roll-out any more but a stuck one, and the pods
 * are judged as they are.
 */
final class RollOut {

  private static final int LONGEST_CHAIN = 10;

  private RollOut() {}

  static Optional<String> of(Workload workload, Duration age, Instant at) {
    for (OwnerObject owner : workload.chain()) {
      boolean recent = owner.changedAt().map(when -> younger(when, age, at)).orElse(true);
      if (owner.unobserved() && recent) {
        return Optional.of(owner.id() + " has a newer generation than its controller has seen");
      }
    }
    return workload.plain().stream()
        .filter(pod -> pod.pending())
        .filter(pod -> pod.created().map(when -> younger(when, age, at)).orElse(true))
        .map(pod -> "pod " + pod.id().name() + " is still pending")
        .findFirst()
        .or(() -> twoRevisions(workload, age, at));
  }

  private static Optional<String> twoRevisions(Workload workload, Duration age, Instant at) {
    Map<String, Map<String, Instant>> firstSeen = new HashMap<>();
    Consumer<Member> note =
        member -> {
          for (Lineage lineage : Lineage.of(member, workload)) {
            firstSeen
                .computeIfAbsent(lineage.family(), family -> new HashMap<>())
                .merge(
                    lineage.revision(),
                    member.created().orElse(at),
                    (a, b) -> a.isBefore(b) ? a : b);
          }
        };
    workload.pods().stream().filter(GpuPod::live).map(Member::of).forEach(note);
    workload.plain().stream().map(Member::of).forEach(note);
    for (Map<String, Instant> revisions : firstSeen.values()) {
      Optional<Instant> newest = revisions.values().stream().max(Instant::compareTo);
      if (revisions.size() > 1 && newest.isPresent() && younger(newest.get(), age, at)) {
        return Optional.of(
            "pods of "
                + revisions.size()
                + " revisions run side by side since "
                + Durations.format(Duration.between(newest.get(), at)));
      }
    }
    return Optional.empty();
  }

  static boolean younger(Instant since, Duration age, Instant at) {
    return Duration.between(since, at).compareTo(age) < 0;
  }

  /** A pod of the workload, with accelerators or without. */
  private record Member(List<OwnerRef> controllers, String revision, Optional<Instant> created) {

    static Member of(GpuPod pod) {
      return new Member(pod.controllers(), pod.revision(), pod.created());
    }

    static Member of(PlainPod pod) {
      return new Member(pod.controllers(), pod.revision(), pod.created());
    }
  }

  /**
   * Which pods are generations of one another: those of ReplicaSets under one controller, each
   * ReplicaSet a revision; those of Knative's Revisions under one Configuration; or those of one
   * other controller by their revision label.
   */
  private record Lineage(String family, String revision) {

    private static final Set<String> GENERATIONS = Set.of("ReplicaSet", "Revision");

    static List<Lineage> of(Member pod, Workload workload) {
      List<Lineage> lineages = new ArrayList<>();
      List<OwnerRef> above = pod.controllers();
      if (!above.isEmpty() && !pod.revision().isEmpty()) {
        lineages.add(new Lineage(above.getFirst().uid(), pod.revision()));
      }
      // A chain that leads in a circle is left where it is longer than any real one.
      for (int step = 0; !above.isEmpty() && step < LONGEST_CHAIN; step++) {
        OwnerRef controller = above.getFirst();
        above = controllersOf(controller, workload);
        if (GENERATIONS.contains(controller.kind()) && !above.isEmpty()) {
          lineages.add(new Lineage(above.getFirst().uid(), controller.uid()));
        }
      }
      return lineages;
    }

    private static List<OwnerRef> controllersOf(OwnerRef owner, Workload workload) {
      return workload.chain().stream()
          .filter(one -> one.id().uid().equals(owner.uid()))
          .findFirst()
          .map(OwnerObject::controllers)
          .orElse(List.of());
    }
  }
}
