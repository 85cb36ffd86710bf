package dev.fallow.core.idle;

import dev.fallow.core.fleet.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The verdict on one workload and all that it rests on.
 *
 * @param rule the rule as it applied to this workload
 * @param idleSince since when everything it holds has been still, as far back as is known
 * @param course its activity over a window and the two before
 * @param unreadable an idle-window annotation that nobody can read, which forbids a pause
 */
public record Assessment(
    Workload workload,
    IdleRule rule,
    Verdict verdict,
    List<PodFinding> pods,
    Optional<Instant> idleSince,
    Course course,
    Optional<String> unreadable) {

  public Assessment {
    pods = List.copyOf(pods);
  }

  /** The same of the workload as it is now. */
  public Assessment of(Workload now) {
    return new Assessment(now, rule, verdict, pods, idleSince, course, unreadable);
  }

  /**
   * Whether a device of one of its pods counts as unused: still over the window, in a pod of which
   * nothing is missing, by an answer that was whole.
   */
  public boolean provesIdle(PodFinding pod, DeviceFinding device) {
    boolean wholeAnswer =
        verdict.reason() != Reason.PARTIAL_ANSWER && verdict.reason() != Reason.METRICS_UNAVAILABLE;
    return device.state() == DeviceFinding.State.IDLE
        && wholeAnswer
        && (verdict instanceof Verdict.Idle || pod.missing().isEmpty());
  }

  /**
   * The latest that is known to have ended stillness: activity of a device it holds, or the start
   * of a pod. Unlike {@link #idleSince} it never moves because evidence begins later.
   */
  public Optional<Instant> lastActivity() {
    return pods.stream()
        .filter(PodFinding::holds)
        .flatMap(finding ->
            Stream.concat(
                finding.pod().clockStart().stream(),
                finding.devices().stream().flatMap(device -> device.lastActive().stream())))
        .max(Instant::compareTo);
  }

  /** The models of the devices its live pods show, in the order of their names. */
  public List<String> models() {
    TreeSet<String> models = new TreeSet<>();
    pods.stream()
        .filter(finding -> finding.pod().live())
        .flatMap(finding -> finding.devices().stream())
        .map(DeviceFinding::model)
        .forEach(models::add);
    return List.copyOf(models);
  }
}
