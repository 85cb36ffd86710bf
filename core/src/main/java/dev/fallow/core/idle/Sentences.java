package dev.fallow.core.idle;

import dev.fallow.core.fleet.GpuPod;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The words of verdicts, in one place so that every screen, log and report says the same. */
final class Sentences {

  private Sentences() {}

  static Verdict busy(List<PodFinding> pods, IdleRule rule) {
    long busy = count(pods, DeviceFinding.State.BUSY);
    long idle = idleBeside(pods);
    String sentence =
        plural(busy, "GPU was", "GPUs were")
            + " active in the last "
            + Durations.format(rule.window())
            + peak(pods).map(text -> ", " + text).orElse("");
    return idle > 0
        ? new Verdict.Busy(
            Reason.PARTLY_BUSY,
            sentence + "; " + plural(idle, "other was", "others were") + " idle")
        : new Verdict.Busy(Reason.GPU_ACTIVE, sentence);
  }

  /**
   * Also a pod with a gap in its proof can show a device that is idle beyond doubt. A card that one
   * pod of the workload uses is not idle for another.
   */
  private static long idleBeside(List<PodFinding> pods) {
    Set<DeviceId> used =
        pods.stream()
            .flatMap(finding -> finding.devices().stream())
            .filter(device -> device.state() == DeviceFinding.State.BUSY)
            .map(DeviceFinding::device)
            .collect(Collectors.toSet());
    return pods.stream()
        .filter(finding -> finding.pod().live())
        .filter(finding ->
            finding.missing().map(gap -> gap.reason() != Reason.RECENTLY_STARTED).orElse(true))
        .flatMap(finding -> finding.devices().stream())
        .filter(device -> device.state() == DeviceFinding.State.IDLE)
        .filter(device -> !used.contains(device.device()))
        .count();
  }

  static Verdict idle(List<PodFinding> pods, IdleRule rule) {
    List<DeviceFinding> held =
        pods.stream()
            .filter(finding -> finding.pod().live())
            .flatMap(finding -> finding.devices().stream())
            .toList();
    boolean own =
        held.stream().anyMatch(one -> one.signals().stream().anyMatch(signal -> signal.active()));
    String cards =
        own
            ? "its own share of " + plural(held.size(), "GPU was", "GPUs were")
            : held.size() == 1 ? "its only GPU was" : "all " + held.size() + " GPUs were";
    String looks =
        held.stream()
            .map(DeviceFinding::coverage)
            .min(Comparator.comparingInt(Coverage::samples))
            .map(least -> " in at least " + least.samples() + " looks at each")
            .orElse("");
    return new Verdict.Idle(
        cards
            + " below "
            + percent(rule.idleThreshold())
            + " on every signal for "
            + Durations.format(rule.window())
            + looks);
  }

  static String young(String name, Instant clock, Instant at, IdleRule rule) {
    return name
        + " has run for "
        + Durations.format(Duration.between(clock, at))
        + " and is judged after "
        + Durations.format(rule.age());
  }

  static String fewer(String name, GpuPod pod, int asked, int shown) {
    String resources = String.join(", ", pod.accelerators().resources());
    return name
        + " asked for "
        + plural(asked, "GPU", "GPUs")
        + " ("
        + resources
        + ") and "
        + (shown == 0 ? "no series names it" : "series name it on " + shown + " only");
  }

  static String uncovered(String name, DeviceFinding device) {
    if (device.distrusted().isPresent()) {
      return device.device()
          + " of "
          + name
          + " is spoken of by "
          + device.distrusted().get()
          + " alone, which is not taken for an exporter; if it is one, name its namespace with"
          + " --exporter-namespaces";
    }
    return device.device()
        + " of "
        + name
        + " is not watched closely enough: "
        + device.main()
        + " has "
        + device.coverage();
  }

  private static Optional<String> peak(List<PodFinding> pods) {
    record Peak(String text, double share) {}
    return pods.stream()
        .flatMap(finding ->
            finding.devices().stream()
                .filter(device -> device.state() == DeviceFinding.State.BUSY)
                .flatMap(device ->
                    device.signals().stream()
                        .filter(DeviceFinding.SignalFinding::active)
                        .map(signal ->
                            new Peak(
                                "peak "
                                    + signal.signal()
                                    + " "
                                    + value(signal.signal(), signal.peak())
                                    + " on "
                                    + device.device()
                                    + " of pod "
                                    + finding.pod().id().name(),
                                share(signal)))))
        .max(Comparator.comparingDouble(Peak::share).thenComparing(Peak::text))
        .map(Peak::text);
  }

  private static double share(DeviceFinding.SignalFinding signal) {
    return signal.signal() == Signal.POWER ? 0 : signal.peak() / signal.signal().scale().full();
  }

  static String value(Signal signal, float value) {
    return switch (signal.scale()) {
      case RATIO -> percent(value);
      case PERCENT -> percent(value / 100);
      case WATTS -> String.format(Locale.ROOT, "%.0f W", value);
    };
  }

  static String percent(double share) {
    double value = share * 100;
    return Math.abs(value - Math.rint(value)) < 1e-4
        ? String.format(Locale.ROOT, "%.0f %%", value)
        : String.format(Locale.ROOT, "%.1f %%", value);
  }

  private static long count(List<PodFinding> pods, DeviceFinding.State state) {
    return pods.stream()
        .flatMap(finding -> finding.devices().stream())
        .filter(device -> device.state() == state)
        .count();
  }

  private static String plural(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }
}
