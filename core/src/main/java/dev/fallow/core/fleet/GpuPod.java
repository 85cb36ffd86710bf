package dev.fallow.core.fleet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A pod that holds accelerators, or waits for them.
 *
 * @param node where it is bound, if it is
 * @param bound when it was bound there, where its conditions tell; it holds its devices from then
 *     on
 * @param created when the API server took it in
 * @param started the latest start of a container that holds an accelerator, where known
 * @param ended when the last such container ended, if all of them have
 * @param readySince when it became Ready, if it is
 * @param unreadySince when it was last found not to be Ready, if it is not
 * @param revision what tells this generation of the workload's pods from another; empty if unsaid
 * @param labels by which autoscalers and services choose it
 * @param annotations those that decide something here
 */
public record GpuPod(
    ObjectId id,
    List<OwnerRef> controllers,
    Optional<String> node,
    Optional<Instant> bound,
    Phase phase,
    boolean terminating,
    Optional<Instant> created,
    Optional<Instant> started,
    Optional<Instant> ended,
    Optional<Instant> readySince,
    Optional<Instant> unreadySince,
    String revision,
    Accelerators accelerators,
    Map<String, String> labels,
    Map<String, String> annotations) {

  /** Where a pod is in its life. */
  public enum Phase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    UNKNOWN
  }

  private static final List<String> REVISION_LABELS =
      List.of("pod-template-hash", "controller-revision-hash");

  public GpuPod {
    if (accelerators.isEmpty()) {
      throw new IllegalArgumentException(id + " holds no accelerator");
    }
    controllers = List.copyOf(controllers);
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
  }

  /** The pod, if it asks for accelerators; {@code claimed} are those it asks for by claim. */
  public static Optional<GpuPod> of(ObjectTree pod, Accelerators claimed) {
    Accelerators accelerators = Accelerators.requestedBy(pod.tree("spec"));
    for (Map.Entry<String, Integer> claim : claimed.byResource().entrySet()) {
      accelerators = accelerators.plus(claim.getKey(), claim.getValue());
    }
    if (accelerators.isEmpty()) {
      return Optional.empty();
    }
    ContainerTimes times = ContainerTimes.of(pod);
    return Optional.of(
        new GpuPod(
            idOf(pod),
            OwnerRef.controllersOf(pod),
            pod.text("spec", "nodeName").filter(name -> !name.isEmpty()),
            since(pod, "PodScheduled", "True"),
            phaseOf(pod.textOr("", "status", "phase")),
            pod.has("metadata", "deletionTimestamp"),
            pod.instant("metadata", "creationTimestamp"),
            times.started(),
            times.ended(),
            since(pod, "Ready", "True"),
            since(pod, "Ready", "False"),
            revisionOf(pod),
            accelerators,
            pod.texts("metadata", "labels"),
            Annotations.decisiveOf(pod)));
  }

  /** The same pod, its accelerators under names that say which of them its node shares. */
  GpuPod on(GpuNode host) {
    Accelerators named = accelerators.sharing(host::sharesInstances);
    return named.equals(accelerators)
        ? this
        : new GpuPod(
            id,
            controllers,
            node,
            bound,
            phase,
            terminating,
            created,
            started,
            ended,
            readySince,
            unreadySince,
            revision,
            named,
            labels,
            annotations);
  }

  /** Neither finished nor on its way out: what it holds, it holds. */
  public boolean live() {
    return !terminating && phase != Phase.SUCCEEDED && phase != Phase.FAILED;
  }

  /** Since when it holds its devices, as far as it tells; nothing for a pod that is not bound. */
  public Optional<Instant> heldSince() {
    return node.flatMap(name -> bound.or(() -> created));
  }

  /** The moment from which its idleness may be counted, if it has begun to run. */
  public Optional<Instant> clockStart() {
    if (started.isEmpty()) {
      return readySince;
    }
    return readySince.filter(ready -> ready.isAfter(started.get())).or(() -> started);
  }

  private static ObjectId idOf(ObjectTree pod) {
    ObjectId id = ObjectId.of(pod);
    return new ObjectId("", "Pod", id.namespace(), id.name(), id.uid());
  }

  static String revisionOf(ObjectTree pod) {
    Map<String, String> labels = pod.texts("metadata", "labels");
    return REVISION_LABELS.stream()
        .map(label -> labels.getOrDefault(label, ""))
        .filter(value -> !value.isEmpty())
        .findFirst()
        .orElse("");
  }

  static Phase phaseOf(String phase) {
    return switch (phase) {
      case "Running" -> Phase.RUNNING;
      case "Succeeded" -> Phase.SUCCEEDED;
      case "Failed" -> Phase.FAILED;
      case "Pending" -> Phase.PENDING;
      default -> Phase.UNKNOWN;
    };
  }

  private static Optional<Instant> since(ObjectTree pod, String condition, String status) {
    return pod.list("status", "conditions").stream()
        .filter(stated -> stated.textOr("", "type").equals(condition))
        .filter(stated -> stated.textOr("", "status").equals(status))
        .flatMap(stated -> stated.instant("lastTransitionTime").stream())
        .findFirst();
  }

  /**
   * When the containers that hold accelerators started, if none has yet to, and, if they have all
   * ended, ended.
   */
  private record ContainerTimes(Optional<Instant> started, Optional<Instant> ended) {

    static ContainerTimes of(ObjectTree pod) {
      Set<String> holders = holders(pod);
      List<Instant> starts = new ArrayList<>();
      List<Instant> ends = new ArrayList<>();
      int seen = 0;
      boolean oneHasYetToStart = false;
      for (String statuses : List.of("containerStatuses", "initContainerStatuses")) {
        for (ObjectTree status : pod.list("status", statuses)) {
          if (!holders.contains(status.textOr("", "name"))) {
            continue;
          }
          seen++;
          Optional<Instant> running = status.instant("state", "running", "startedAt");
          Optional<Instant> start =
              running
                  .or(() -> status.instant("state", "terminated", "startedAt"))
                  .or(() -> status.instant("lastState", "terminated", "startedAt"));
          start.ifPresent(starts::add);
          oneHasYetToStart |= start.isEmpty() && statuses.equals("containerStatuses");
          if (running.isEmpty()) {
            status
                .instant("state", "terminated", "finishedAt")
                .or(() -> status.instant("lastState", "terminated", "finishedAt"))
                .ifPresent(ends::add);
          }
        }
      }
      boolean allEnded = seen > 0 && ends.size() == seen;
      return new ContainerTimes(
          oneHasYetToStart ? Optional.empty() : starts.stream().max(Instant::compareTo),
          allEnded ? ends.stream().max(Instant::compareTo) : Optional.empty());
    }

    /** With claims any container may hold the device, so all of them count then. */
    private static Set<String> holders(ObjectTree pod) {
      Set<String> names = new HashSet<>();
      for (String part : List.of("containers", "initContainers")) {
        for (ObjectTree container : pod.list("spec", part)) {
          boolean claims = !container.list("resources", "claims").isEmpty();
          if (claims || !Accelerators.requested(container).isEmpty()) {
            names.add(container.textOr("", "name"));
          }
        }
      }
      return names;
    }
  }
}
