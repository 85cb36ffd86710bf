package dev.fallow.core.fleet;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A live pod without accelerators, as far as it shows that the workload it belongs to is being
 * rolled out, or that somebody wants it left alone: a Ray head, a leader of workers, a new revision
 * that asks for no GPU any more.
 *
 * @param revision what tells this generation of the workload's pods from another; empty if unsaid
 * @param annotations those that decide something here
 */
public record PlainPod(
    ObjectId id,
    List<OwnerRef> controllers,
    boolean pending,
    Optional<Instant> created,
    String revision,
    Map<String, String> annotations) {

  public PlainPod {
    controllers = List.copyOf(controllers);
    annotations = Map.copyOf(annotations);
  }

  /** The pod, if it is live and somebody controls it: others belong to no workload. */
  public static Optional<PlainPod> of(ObjectTree pod, OwnerObject asOwner) {
    GpuPod.Phase phase = GpuPod.phaseOf(pod.textOr("", "status", "phase"));
    boolean over =
        pod.has("metadata", "deletionTimestamp")
            || phase == GpuPod.Phase.SUCCEEDED
            || phase == GpuPod.Phase.FAILED;
    return over || asOwner.controllers().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PlainPod(
                asOwner.id(),
                asOwner.controllers(),
                phase == GpuPod.Phase.PENDING,
                pod.instant("metadata", "creationTimestamp"),
                GpuPod.revisionOf(pod),
                asOwner.own()));
  }
}
