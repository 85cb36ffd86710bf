package dev.fallow.sim;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.GpuPod.Phase;
import dev.fallow.core.idle.Reason;
import dev.fallow.core.prune.RefusalReason;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says what is true of each workload, from what the workloads do and not from what anyone measures:
 * it asks at the moments at which somebody looks whether there is work, and knows the lives of the
 * pods. It shares no code with the judge, so that the two can be compared.
 */
final class GroundTruth {

  private static final Duration WINDOW = Duration.ofMinutes(30);
  private static final Duration GRACE = Duration.ofMinutes(5);

  private final SimulatedFleet fleet;
  private final Instant instant;
  private final long at;
  private final boolean processesSeen;
  private final Set<String> exempt = new HashSet<>();

  /**
   * @param processesSeen whether the exporter can tell who uses a shared card
   */
  GroundTruth(SimulatedFleet fleet, Instant at, boolean processesSeen) {
    this.fleet = fleet;
    this.processesSeen = processesSeen;
    this.instant = at;
    this.at = at.toEpochMilli();
    for (SimNamespace namespace : fleet.namespaces()) {
      if (namespace.annotations().containsKey(Annotations.EXEMPT)) {
        exempt.add(namespace.name());
      }
    }
  }

  List<Truth> ofAll() {
    return fleet.workloads().stream().flatMap(workload -> of(workload).stream()).toList();
  }

  private Optional<Truth> of(SimWorkload workload) {
    List<SimPod> pods = fleet.pods(workload, instant);
    if (pods.isEmpty()) {
      return Optional.empty();
    }
    Reason reason = reason(workload, pods);
    return Optional.of(
        new Truth(
            workload,
            reason,
            reason == Reason.ALL_GPUS_IDLE ? refusal(workload) : Optional.empty()));
  }

  private Reason reason(SimWorkload workload, List<SimPod> pods) {
    Duration window = workload.idleWindow().orElse(WINDOW);
    Set<Reason> gaps = EnumSet.noneOf(Reason.class);
    boolean busy = false;
    boolean idleBeside = false;
    boolean holding = false;
    for (SimPod pod : pods) {
      PodLife life = pod.life();
      boolean live = life.live(at);
      holding |= live && life.bound();
      Optional<Reason> age = live ? age(life, window.plus(GRACE).toMillis()) : Optional.empty();
      age.ifPresent(gaps::add);
      for (SimDevice device : pod.slot().devices()) {
        Sight sight = look(pod, device, window.toMillis());
        busy |= sight == Sight.BUSY;
        boolean young = age.filter(gap -> gap == Reason.RECENTLY_STARTED).isPresent();
        idleBeside |= sight == Sight.IDLE && live && !young;
        if (live ? age.isEmpty() : sight == Sight.SHARED) {
          sight.gap.ifPresent(gaps::add);
        }
      }
    }
    if (busy) {
      return idleBeside ? Reason.PARTLY_BUSY : Reason.GPU_ACTIVE;
    }
    // Reasons stand in the order in which they are given.
    return gaps.stream().findFirst().orElse(holding ? Reason.ALL_GPUS_IDLE : Reason.NO_LIVE_POD);
  }

  private Optional<Reason> age(PodLife life, long enough) {
    if (life.phase(at) == Phase.PENDING) {
      return at - life.created() < enough ? Optional.of(Reason.ROLLING_OUT) : Optional.empty();
    }
    return at - life.clockStart(at) < enough
        ? Optional.of(Reason.RECENTLY_STARTED)
        : Optional.empty();
  }

  private enum Sight {
    BUSY(Optional.empty()),
    IDLE(Optional.empty()),
    UNSEEN(Optional.of(Reason.SERIES_MISSING)),
    UNEVEN(Optional.of(Reason.COVERAGE_TOO_LOW)),
    SHARED(Optional.of(Reason.SHARED_GPU));

    private final Optional<Reason> gap;

    Sight(Optional<Reason> gap) {
      this.gap = gap;
    }
  }

  /** What somebody who looks whenever the exporter does gets to see of the device. */
  private Sight look(SimPod pod, SimDevice device, long window) {
    if (!device.seen()) {
      return Sight.UNSEEN;
    }
    PodLife life = pod.life();
    long[] looks = device.node().exporter().looks(at - window, at);
    boolean named = false;
    for (long look : looks) {
      if (look > life.started() && look <= life.ended()) {
        named = true;
        if (working(pod, device, look)) {
          return device.node().shared() && !processesSeen ? Sight.SHARED : Sight.BUSY;
        }
      }
    }
    if (!named) {
      return Sight.UNSEEN;
    }
    return covered(looks, window) ? Sight.IDLE : Sight.UNEVEN;
  }

  private boolean working(SimPod pod, SimDevice device, long look) {
    if (!processesSeen || !device.node().shared()) {
      return fleet.work(device, look).active();
    }
    return fleet.holdings(device).stream()
        .filter(holding ->
            holding.workload().equals(pod.workload()) && holding.slot().equals(pod.slot()))
        .anyMatch(holding -> holding.workload().work(holding.gpu(), look).active());
  }

  private boolean covered(long[] looks, long window) {
    long spacing = Exporter.SPACING.toMillis();
    long longest = 0;
    long before = at - window;
    for (long look : looks) {
      longest = Math.max(longest, look - before);
      before = look;
    }
    longest = Math.max(longest, at - before);
    return looks.length >= 0.95 * window / spacing && longest <= Math.max(3 * spacing, window / 20);
  }

  private Optional<RefusalReason> refusal(SimWorkload workload) {
    if (!workload.kind().pausable()) {
      return Optional.of(RefusalReason.NO_SCALABLE_OWNER);
    }
    if (exempt.contains(workload.namespace())
        || workload.annotations().containsKey(Annotations.EXEMPT)) {
      return Optional.of(RefusalReason.EXEMPT);
    }
    if (!workload.kind().pausedByDefault()) {
      return Optional.of(RefusalReason.KIND_DISABLED);
    }
    String keep = workload.annotations().get(Annotations.KEEP_UNTIL);
    return keep != null && instant.isBefore(Instant.parse(keep))
        ? Optional.of(RefusalReason.ACKNOWLEDGED)
        : Optional.empty();
  }
}
