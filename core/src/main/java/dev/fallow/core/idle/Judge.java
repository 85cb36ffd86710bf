package dev.fallow.core.idle;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.GpuNode;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.PodFinding.Missing;
import dev.fallow.core.ownership.OwnerResolver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Judges every workload of a snapshot. Busy evidence anywhere wins over missing evidence elsewhere;
 * missing evidence wins over stillness.
 */
public final class Judge {

  private final Instant at;
  private final IdleRule general;
  private final Usage usage;
  private final Attribution attribution;

  /** Samples of a longer time than this and the look back before it do not fit into one read. */
  private static final Duration LONGEST_READ = Duration.ofDays(22);

  private final IdleRule quickest;
  private final Set<String> sharingNodes = new HashSet<>();
  private final Map<String, NamespaceFacts> namespaces = new HashMap<>();

  private Judge(
      ClusterState cluster,
      List<Workload> workloads,
      Usage usage,
      Instant at,
      IdleRule general,
      Optional<Predicate<String>> exporterNamespaces) {
    this.at = at;
    this.general = general;
    this.usage = usage;
    this.attribution = Attribution.of(cluster, usage.series(), exporterNamespaces);
    for (GpuNode node : cluster.nodes()) {
      if (node.sharing()) {
        sharingNodes.add(node.name());
      }
    }
    cluster.namespaces().forEach(namespace -> namespaces.put(namespace.name(), namespace));
    this.quickest =
        general.withWindow(EffectiveRule.shortestWindow(general, workloads.stream(), namespaces));
  }

  /**
   * @param exporterNamespaces where exporters live, if the operator has said so
   * @return one assessment a workload, in the order of their names
   */
  public static List<Assessment> judge(
      ClusterState cluster,
      Usage usage,
      Instant at,
      IdleRule rule,
      Optional<Predicate<String>> exporterNamespaces) {
    List<Workload> workloads = OwnerResolver.workloadsOf(cluster);
    Judge judge = new Judge(cluster, workloads, usage, at, rule, exporterNamespaces);
    return workloads.stream().map(judge::assess).toList();
  }

  private Assessment assess(Workload workload) {
    EffectiveRule effective = EffectiveRule.of(general, workload, namespaces);
    IdleRule rule = effective.rule();
    DeviceJudge devices = new DeviceJudge(attribution, rule, Window.endingAt(at, rule.window()));
    List<PodFinding> pods = new ArrayList<>(workload.pods().size());
    for (GpuPod pod : workload.pods()) {
      List<DeviceFinding> findings = devices.find(pod);
      pods.add(new PodFinding(pod, findings, missing(pod, findings, rule)));
    }
    Verdict verdict = verdict(workload, pods, rule);
    Optional<Instant> idleSince =
        verdict instanceof Verdict.Idle ? idleSince(pods) : Optional.empty();
    return new Assessment(
        workload, rule, verdict, pods, idleSince, course(workload, rule), effective.unreadable());
  }

  private Course course(Workload workload, IdleRule rule) {
    Trace usual = trace(workload, general);
    return new Course(
        usual,
        quickest.window().equals(general.window()) ? usual : trace(workload, quickest),
        rule.window().compareTo(general.window()) < 0);
  }

  private Trace trace(Workload workload, IdleRule pace) {
    DeviceJudge devices = new DeviceJudge(attribution, pace, Window.endingAt(at, pace.window()));
    return workload.pods().stream()
        .map(pod -> devices.trace(pod, at))
        .reduce(Trace.NOTHING, Trace::and);
  }

  private Verdict verdict(Workload workload, List<PodFinding> pods, IdleRule rule) {
    if (pods.stream().anyMatch(PodFinding::busy)) {
      return Sentences.busy(pods, rule);
    }
    if (usage instanceof Usage.Missing missing) {
      return new Verdict.Unknown(Reason.METRICS_UNAVAILABLE, missing.failure());
    }
    if (usage instanceof Usage.Partial partial) {
      return new Verdict.Unknown(
          Reason.PARTIAL_ANSWER, "the metrics are incomplete: " + partial.warning());
    }
    List<Missing> gaps = new ArrayList<>();
    pods.forEach(finding -> finding.missing().ifPresent(gaps::add));
    RollOut.of(workload, rule.age(), at)
        .ifPresent(sentence -> gaps.add(new Missing(Reason.ROLLING_OUT, sentence)));
    Optional<Missing> first =
        gaps.stream().min(Comparator.comparing(Missing::reason).thenComparing(Missing::sentence));
    if (first.isPresent()) {
      return new Verdict.Unknown(first.get().reason(), first.get().sentence());
    }
    if (pods.stream().noneMatch(PodFinding::holds)) {
      return new Verdict.Unknown(
          Reason.NO_LIVE_POD, "none of its pods is alive on a node, so it holds no GPU");
    }
    return Sentences.idle(pods, rule);
  }

  /** What is missing to call a pod idle, the weightiest gap first. */
  private Optional<Missing> missing(GpuPod pod, List<DeviceFinding> devices, IdleRule rule) {
    String name = "pod " + pod.id().name();
    if (!pod.live()) {
      // It needs no proof of its stillness; what may have been its work is no stillness either.
      return unattributed(name, devices);
    }
    boolean pending = pod.phase() == GpuPod.Phase.PENDING || pod.node().isEmpty();
    Optional<Instant> clock = pod.clockStart();
    boolean ran = !pending || pod.started().isPresent();
    if (ran && clock.map(when -> RollOut.younger(when, rule.age(), at)).orElse(false)) {
      return gap(Reason.RECENTLY_STARTED, Sentences.young(name, clock.orElseThrow(), at, rule));
    }
    if (pending && pod.created().map(when -> RollOut.younger(when, rule.age(), at)).orElse(true)) {
      return gap(Reason.ROLLING_OUT, name + " is still pending");
    }
    if (pod.node().isEmpty()) {
      return Optional.empty();
    }
    if (!pending && clock.isEmpty()) {
      return gap(Reason.RECENTLY_STARTED, name + " does not tell when its GPU container started");
    }
    return series(pod, name, devices)
        .or(() -> unstarted(pod, name))
        .or(() -> reach(name, rule))
        .or(() -> coverage(name, devices))
        .or(() -> unattributed(name, devices));
  }

  private Optional<Missing> series(GpuPod pod, String name, List<DeviceFinding> devices) {
    if (pod.accelerators().anyIntel()) {
      return gap(
          Reason.SERIES_MISSING, name + " holds Intel GPUs, whose exporters do not name pods");
    }
    if (pod.accelerators().anyUnread()) {
      return gap(
          Reason.SERIES_MISSING,
          name
              + " holds devices by a ResourceClaim that cannot be read, so their number is"
              + " unknown");
    }
    int asked =
        pod.accelerators().shownAtLeast(pod.node().filter(sharingNodes::contains).isPresent());
    int shown = fitting(pod, devices);
    return shown < asked
        ? gap(Reason.SERIES_MISSING, Sentences.fewer(name, pod, asked, shown))
        : Optional.empty();
  }

  /** How many of the devices that a pod shows can be what it asked for. */
  private static int fitting(GpuPod pod, List<DeviceFinding> devices) {
    return pod.accelerators()
        .met(
            apart(devices, one -> !one.main().amd() && !one.device().mig()),
            apart(devices, one -> !one.main().amd() && one.device().mig()),
            apart(devices, one -> one.main().amd()));
  }

  /** Of a kind, as many as are surely not one device under two names. */
  private static int apart(List<DeviceFinding> devices, Predicate<DeviceFinding> kind) {
    Map<String, Integer> byForm = new HashMap<>();
    devices.stream()
        .filter(kind)
        .forEach(one -> byForm.merge(one.device().form(), 1, Integer::sum));
    return byForm.values().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  /** What has not begun to run has not been still. */
  private static Optional<Missing> unstarted(GpuPod pod, String name) {
    return pod.started().isEmpty()
        ? gap(Reason.RECENTLY_STARTED, name + " has not started all its GPU containers yet")
        : Optional.empty();
  }

  private Optional<Missing> reach(String name, IdleRule rule) {
    return usage instanceof Usage.Complete read && rule.window().compareTo(read.reach()) > 0
        ? gap(
            Reason.COVERAGE_TOO_LOW,
            "%s is judged by %s, and samples of no more than %s could be read"
                .formatted(name, Durations.format(rule.window()), Durations.format(read.reach())))
        : Optional.empty();
  }

  private static Optional<Missing> coverage(String name, List<DeviceFinding> devices) {
    return devices.stream()
        .filter(device -> device.state() == DeviceFinding.State.NOT_COVERED)
        .findFirst()
        .flatMap(device -> gap(Reason.COVERAGE_TOO_LOW, Sentences.uncovered(name, device)));
  }

  private static Optional<Missing> unattributed(String name, List<DeviceFinding> devices) {
    return devices.stream()
        .filter(device -> device.state() == DeviceFinding.State.SHARED_BUSY)
        .findFirst()
        .flatMap(device ->
            gap(
                Reason.SHARED_GPU,
                device.device()
                    + " is shared and was active, and nothing tells whether "
                    + name
                    + " used it"));
  }

  private static Optional<Missing> gap(Reason reason, String sentence) {
    return Optional.of(new Missing(reason, sentence));
  }

  /**
   * The latest of all that ended stillness before it: activity, a start, or a time unseen; of a pod
   * that is not alive any more, its activity.
   */
  private static Optional<Instant> idleSince(List<PodFinding> pods) {
    return pods.stream()
        .flatMap(finding ->
            finding.devices().stream().flatMap(device -> stillSince(finding, device).stream()))
        .max(Instant::compareTo);
  }

  private static Optional<Instant> stillSince(PodFinding finding, DeviceFinding device) {
    return finding.holds()
        ? later(device.knownSince(), device.lastActive().or(() -> finding.pod().clockStart()))
        : device.lastActive();
  }

  private static Optional<Instant> later(Optional<Instant> one, Optional<Instant> other) {
    return one.isPresent() && other.isPresent() && other.get().isAfter(one.get())
        ? other
        : one.or(() -> other);
  }

  /**
   * The window that has to be asked for so that every workload can be judged. What asks for more
   * than can be read at once stays unknown, and nobody else with it.
   */
  public static Duration windowNeeded(ClusterState cluster, IdleRule rule) {
    return windowsNeeded(cluster, rule).getFirst();
  }

  /** All windows that workloads are judged by, as far as they can be read, the longest first. */
  public static List<Duration> windowsNeeded(ClusterState cluster, IdleRule rule) {
    Map<String, NamespaceFacts> namespaces = new HashMap<>();
    cluster.namespaces().forEach(namespace -> namespaces.put(namespace.name(), namespace));
    List<Duration> windows =
        OwnerResolver.workloadsOf(cluster).stream()
            .map(workload -> EffectiveRule.of(rule, workload, namespaces).rule().window())
            .map(Judge::readable)
            .distinct()
            .sorted(Comparator.reverseOrder())
            .toList();
    return windows.isEmpty() ? List.of(readable(rule.window())) : windows;
  }

  /** Of a window, what can be read at once. */
  public static Duration readable(Duration window) {
    return window.compareTo(LONGEST_READ) > 0 ? LONGEST_READ : window;
  }
}
