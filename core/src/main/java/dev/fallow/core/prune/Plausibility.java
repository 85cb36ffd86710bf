package dev.fallow.core.prune;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.Course;
import dev.fallow.core.idle.DeviceFinding;
import dev.fallow.core.idle.DeviceId;
import dev.fallow.core.idle.PodFinding;
import dev.fallow.core.idle.Reason;
import dev.fallow.core.idle.SeriesLabels.Partition;
import dev.fallow.core.idle.Trace;
import dev.fallow.core.idle.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Whether the fleet as a whole can be believed. A fault of the metrics looks like idleness, but it
 * looks so everywhere at once: too few devices with samples, or too many workloads that were at
 * work a window ago and are all still now. Then nothing is paused.
 *
 * <p>It rests on evidence, so it holds in a single run and after a restart. It is asked for every
 * moment of the last window: after a fault the fleet counts as doubtful until it has looked normal
 * for a whole window. Samples reach back three windows only; of a fall that looks like a fault
 * {@link DoubtMarks} keep on the workloads that it happened.
 */
final class Plausibility {

  private final Limits limits;
  private final Predicate<String> ours;
  private final Map<String, NamespaceFacts> namespaces = new HashMap<>();
  private final Set<String> sharingNodes;
  private final Instant at;

  Plausibility(PrunePolicy policy, ClusterState cluster, Instant at) {
    this.limits = policy.limits();
    this.ours = policy.namespaces().orElse(any -> true);
    this.at = at;
    this.sharingNodes = cluster.sharingNodes();
    cluster.namespaces().forEach(namespace -> namespaces.put(namespace.name(), namespace));
  }

  /** Why nothing may be paused now, if that is so. */
  Optional<String> doubt(List<Assessment> fleet) {
    return coverage(fleet).or(() -> stillness(fleet, Course::usual));
  }

  /** Why nothing may be paused that is judged by a shorter window than the usual, if that is so. */
  Optional<String> doubtOfHurried(List<Assessment> fleet) {
    return stillness(fleet, Course::quick);
  }

  private Optional<String> coverage(List<Assessment> fleet) {
    if (limits.fleetCoverage().isEmpty()) {
      return Optional.empty();
    }
    Set<DeviceId> shown = new HashSet<>();
    Set<DeviceId> withSamples = new HashSet<>();
    Set<String> speaking = new HashSet<>();
    Set<String> cut = new HashSet<>();
    List<PodFinding> counted = new ArrayList<>();
    for (Assessment assessment : fleet) {
      for (PodFinding finding : assessment.pods()) {
        for (DeviceFinding device : finding.devices()) {
          speaking.add(device.device().node());
          if (device.partition() != Partition.NONE) {
            cut.add(device.device().node());
          }
        }
        if (countsFor(finding)) {
          counted.add(finding);
          for (DeviceFinding device : finding.devices()) {
            boolean covered = device.state() != DeviceFinding.State.NOT_COVERED;
            if (covered) {
              withSamples.add(device.device());
            }
            // Of the later parts of a card nobody can tell.
            if (covered || device.partition() != Partition.LATER) {
              shown.add(device.device());
            }
          }
        }
      }
    }
    long covered = withSamples.size();
    long held =
        shown.size()
            + counted.stream()
                .filter(one -> !one.pod().node().map(cut::contains).orElse(false))
                .mapToLong(one -> unseenBy(one, speaking))
                .sum();
    double least = limits.fleetCoverage().getAsDouble();
    return held == 0 || covered >= least * held - 1e-9
        ? Optional.empty()
        : Optional.of(
            "only "
                + covered
                + " of the fleet's "
                + held
                + " GPUs have enough samples, less than "
                + percent(least)
                + " (--min-fleet-coverage); look at exporters and Prometheus");
  }

  /** Old enough to be judged, and holding what an exporter can tell of and we can count. */
  private static boolean countsFor(PodFinding finding) {
    boolean young =
        finding
            .missing()
            .filter(gap ->
                gap.reason() == Reason.RECENTLY_STARTED || gap.reason() == Reason.ROLLING_OUT)
            .isPresent();
    return finding.pod().live()
        && finding.pod().node().isPresent()
        && !young
        && !finding.pod().accelerators().anyIntel()
        && !finding.pod().accelerators().anyUnread();
  }

  /**
   * How many of the devices that it holds nobody speaks of. A part of a shared card is none of its
   * own: exporters often name one of those that share it, and the card is then counted there.
   */
  private long unseenBy(PodFinding finding, Set<String> speaking) {
    boolean fewer =
        finding.missing().filter(gap -> gap.reason() == Reason.SERIES_MISSING).isPresent();
    String node = finding.pod().node().orElse("");
    boolean part = finding.pod().accelerators().sharedByName() || sharingNodes.contains(node);
    if (!fewer || (part && speaking.contains(node))) {
      return 0;
    }
    return Math.max(1, finding.pod().accelerators().count() - finding.devices().size());
  }

  private Optional<String> stillness(List<Assessment> fleet, Function<Course, Trace> pace) {
    return falls(fleet, pace).findFirst().map(this::sentence);
  }

  private String sentence(Fall fall) {
    Optional<Instant> since =
        fall.stopped().stream()
            .flatMap(one -> doubtedSince(one).stream())
            .min(Comparator.naturalOrder());
    String when =
        since.isPresent()
            ? "went still together by " + since.get() + " and were not seen at work since"
            : fall.ago() == 0 ? "are all idle now" : "were all idle within the last window";
    return fall.stopped().size()
        + " of the "
        + fall.worked()
        + " workloads that were at work "
        + (since.isPresent() ? "then or a window earlier " : "a window earlier ")
        + when
        + ", more than "
        + percent(limits.idleShare().orElse(0))
        + " (--max-idle-share); if that is true, say so with the annotation "
        + Annotations.STILLNESS_ACCEPTED
        + " on their namespaces";
  }

  /**
   * Those that fell still in the same moment, as far as slices tell: many that do are a fault
   * rather than an evening. Of such a fall the evidence is soon too old to be read, while the fault
   * may last.
   */
  Set<Assessment> fallenTogether(List<Assessment> fleet) {
    Set<Assessment> together = Collections.newSetFromMap(new IdentityHashMap<>());
    Stream.<Function<Course, Trace>>of(Course::usual, Course::quick)
        .flatMap(pace -> falls(fleet, pace).filter(fall -> fall.together(pace)))
        .forEach(fall -> together.addAll(fall.stopped()));
    return together;
  }

  /** The moments of the last window, the latest first, in which too much stood still at once. */
  private Stream<Fall> falls(List<Assessment> fleet, Function<Course, Trace> pace) {
    if (limits.idleShare().isEmpty()) {
      return Stream.empty();
    }
    double most = limits.idleShare().getAsDouble();
    List<Assessment> counted = fleet.stream().filter(this::notAccepted).toList();
    return IntStream.rangeClosed(0, Trace.SLICES)
        .mapToObj(ago -> fallAt(ago, counted, pace))
        .filter(fall -> fall.stopped().size() > most * fall.worked() + 1e-9);
  }

  private Fall fallAt(int ago, List<Assessment> counted, Function<Course, Trace> pace) {
    List<Assessment> worked =
        counted.stream()
            .filter(
                one -> pace.apply(one.course()).busyBefore(ago) || doubtedSince(one).isPresent())
            .toList();
    return new Fall(
        ago,
        worked.size(),
        worked.stream().filter(one -> still(one, ago, pace.apply(one.course()))).toList());
  }

  /**
   * What stood still at one moment of the last window.
   *
   * @param ago how many slices before now
   * @param worked how many were at work in the window before that
   * @param stopped those of them that were not any more
   */
  private record Fall(int ago, int worked, List<Assessment> stopped) {

    /** Fewer may well have ended by chance at the same time. */
    private static final int FEWEST = 3;

    /** Most of them within two slices: one moment may lie on the border of two. */
    boolean together(Function<Course, Trace> pace) {
      int[] ends = new int[Long.SIZE + 1];
      stopped.forEach(
          one -> pace.apply(one.course()).lastActive().ifPresent(slice -> ends[slice]++));
      int most = 0;
      for (int i = 0; i < Long.SIZE; i++) {
        most = Math.max(most, ends[i] + ends[i + 1]);
      }
      return most >= FEWEST && 2 * most > stopped.size();
    }
  }

  /**
   * What is in doubt counts as still until it is seen at work, whether or not anything is seen: a
   * fault of the metrics may go on as a silence.
   */
  private boolean still(Assessment assessment, int ago, Trace trace) {
    if (doubtedSince(assessment).isPresent()) {
      boolean busyNow = ago == 0 && assessment.verdict() instanceof Verdict.Busy;
      return !busyNow && !trace.activeIn(ago);
    }
    return trace.stillIn(ago) || (ago == 0 && assessment.verdict() instanceof Verdict.Idle);
  }

  /**
   * A mark that cannot be read is none: it holds up others than its author. One in a namespace that
   * is not ours is another instance's, who takes it off or is there no more.
   */
  private Optional<Instant> doubtedSince(Assessment assessment) {
    return assessment
        .workload()
        .rootObject()
        .filter(root -> ours.test(root.id().namespace()))
        .flatMap(root ->
            ObjectTree.parseInstant(
                root.annotations().getOrDefault(Annotations.DOUBTED_SINCE, "")));
  }

  private boolean notAccepted(Assessment assessment) {
    NamespaceFacts namespace = namespaces.get(assessment.workload().namespace());
    return namespace == null
        || ObjectTree.parseInstant(
                namespace.annotations().getOrDefault(Annotations.STILLNESS_ACCEPTED, ""))
            .filter(at::isBefore)
            .isEmpty();
  }

  private static String percent(double share) {
    return Math.round(share * 100) + " %";
  }
}
