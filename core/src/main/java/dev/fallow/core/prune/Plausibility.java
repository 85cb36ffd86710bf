package dev.fallow.core.prune;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.DeviceFinding;
import dev.fallow.core.idle.PodFinding;
import dev.fallow.core.idle.Reason;
import dev.fallow.core.idle.Trace;
import dev.fallow.core.idle.Verdict;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  private final Map<String, NamespaceFacts> namespaces;
  private final Instant at;

  Plausibility(Limits limits, Map<String, NamespaceFacts> namespaces, Instant at) {
    this.limits = limits;
    this.namespaces = namespaces;
    this.at = at;
  }

  /** Why nothing may be paused now, if that is so. */
  Optional<String> doubt(List<Assessment> fleet) {
    return coverage(fleet).or(() -> stillness(fleet));
  }

  private Optional<String> coverage(List<Assessment> fleet) {
    if (limits.fleetCoverage().isEmpty()) {
      return Optional.empty();
    }
    long held = 0;
    long covered = 0;
    for (Assessment assessment : fleet) {
      for (PodFinding finding : assessment.pods()) {
        if (countsFor(finding)) {
          held += heldBy(finding);
          covered += coveredOf(finding);
        }
      }
    }
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

  /** Old enough to be judged, and of a vendor whose exporter can tell. */
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
        && !finding.pod().accelerators().anyIntel();
  }

  private static long heldBy(PodFinding finding) {
    boolean fewer =
        finding.missing().filter(gap -> gap.reason() == Reason.SERIES_MISSING).isPresent();
    int shown = finding.devices().size();
    return fewer ? Math.max(shown + 1, finding.pod().accelerators().count()) : shown;
  }

  private static long coveredOf(PodFinding finding) {
    return finding.devices().stream()
        .filter(device -> device.state() != DeviceFinding.State.NOT_COVERED)
        .count();
  }

  private Optional<String> stillness(List<Assessment> fleet) {
    return falls(fleet).findFirst().map(this::sentence);
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
    falls(fleet).filter(Fall::together).forEach(fall -> together.addAll(fall.stopped()));
    return together;
  }

  /** The moments of the last window, the latest first, in which too much stood still at once. */
  private Stream<Fall> falls(List<Assessment> fleet) {
    if (limits.idleShare().isEmpty()) {
      return Stream.empty();
    }
    double most = limits.idleShare().getAsDouble();
    List<Assessment> counted = fleet.stream().filter(this::notAccepted).toList();
    return IntStream.rangeClosed(0, Trace.SLICES)
        .mapToObj(ago -> fallAt(ago, counted))
        .filter(fall -> fall.stopped().size() > most * fall.worked() + 1e-9);
  }

  private static Fall fallAt(int ago, List<Assessment> counted) {
    List<Assessment> worked =
        counted.stream()
            .filter(one -> one.trace().busyBefore(ago) || doubtedSince(one).isPresent())
            .toList();
    return new Fall(ago, worked.size(), worked.stream().filter(one -> still(one, ago)).toList());
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
    boolean together() {
      int[] ends = new int[Long.SIZE + 1];
      stopped.forEach(one -> one.trace().lastActive().ifPresent(slice -> ends[slice]++));
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
  private static boolean still(Assessment assessment, int ago) {
    if (doubtedSince(assessment).isPresent()) {
      boolean busyNow = ago == 0 && assessment.verdict() instanceof Verdict.Busy;
      return !busyNow && !assessment.trace().activeIn(ago);
    }
    return assessment.trace().stillIn(ago)
        || (ago == 0 && assessment.verdict() instanceof Verdict.Idle);
  }

  /** A mark that cannot be read is none: it holds up others than its author. */
  private static Optional<Instant> doubtedSince(Assessment assessment) {
    return assessment
        .workload()
        .rootObject()
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
