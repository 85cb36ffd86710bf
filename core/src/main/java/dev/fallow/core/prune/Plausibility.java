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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the fleet as a whole can be believed. A fault of the metrics looks like idleness, but it
 * looks so everywhere at once: too few devices with samples, or too many workloads that were at
 * work a window ago and are all still now. Then nothing is paused.
 *
 * <p>It rests on evidence alone and remembers nothing, so it holds in a single run and after a
 * restart. It is asked for every moment of the last window: after a fault the fleet counts as
 * doubtful until it has looked normal for a whole window.
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
    if (limits.idleShare().isEmpty()) {
      return Optional.empty();
    }
    double most = limits.idleShare().getAsDouble();
    List<Assessment> counted = fleet.stream().filter(this::notAccepted).toList();
    for (int ago = 0; ago <= Trace.SLICES; ago++) {
      int worked = 0;
      int stopped = 0;
      for (Assessment assessment : counted) {
        if (assessment.trace().busyBefore(ago)) {
          worked++;
          stopped += still(assessment, ago) ? 1 : 0;
        }
      }
      if (stopped > most * worked + 1e-9) {
        return Optional.of(
            stopped
                + " of the "
                + worked
                + " workloads that were at work a window earlier "
                + (ago == 0 ? "are all idle now" : "were all idle within the last window")
                + ", more than "
                + percent(most)
                + " (--max-idle-share); if that is true, say so with the annotation "
                + Annotations.STILLNESS_ACCEPTED
                + " on their namespaces");
      }
    }
    return Optional.empty();
  }

  private static boolean still(Assessment assessment, int ago) {
    return assessment.trace().stillIn(ago)
        || (ago == 0 && assessment.verdict() instanceof Verdict.Idle);
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
