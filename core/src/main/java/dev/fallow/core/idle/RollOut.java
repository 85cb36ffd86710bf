package dev.fallow.core.idle;

import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.OwnerRef;
import dev.fallow.core.fleet.PlainPod;
import dev.fallow.core.fleet.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Whether a workload is being changed right now: its controller has not seen its newest
 * specification, one of its pods is still pending, or pods of two revisions stand side by side.
 * Past the age at which pods are judged that is no roll-out any more but a stuck one, and the pods
 * are judged as they are.
 */
final class RollOut {

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
          Lineage lineage = Lineage.of(member, workload);
          if (!lineage.revision().isEmpty()) {
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
   * ReplicaSet a revision, or those of one other controller by their revision label.
   */
  private record Lineage(String family, String revision) {

    static Lineage of(Member pod, Workload workload) {
      if (pod.controllers().isEmpty()) {
        return new Lineage("", "");
      }
      OwnerRef controller = pod.controllers().getFirst();
      if (controller.kind().equals("ReplicaSet")) {
        Optional<String> above =
            workload.chain().stream()
                .filter(owner -> owner.id().uid().equals(controller.uid()))
                .flatMap(owner -> owner.controllers().stream())
                .map(OwnerRef::uid)
                .findFirst();
        if (above.isPresent()) {
          return new Lineage(above.get(), controller.uid());
        }
      }
      return new Lineage(controller.uid(), pod.revision());
    }
  }
}
