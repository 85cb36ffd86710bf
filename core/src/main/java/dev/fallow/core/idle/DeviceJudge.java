package dev.fallow.core.idle;

import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.idle.DeviceFinding.SignalFinding;
import dev.fallow.core.idle.DeviceFinding.State;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Judges what a device shows about a pod that its series name. */
final class DeviceJudge {

  private final Attribution attribution;
  private final IdleRule rule;
  private final Window window;

  DeviceJudge(Attribution attribution, IdleRule rule, Window window) {
    this.attribution = attribution;
    this.rule = rule;
    this.window = window;
  }

  /** The devices the pod shows in the window, after its start: labels of before are another's. */
  List<DeviceFinding> find(GpuPod pod) {
    List<Device> shown =
        attribution.devicesNaming(pod).stream()
            .filter(device -> device.namedIn(window.of(pod), pod))
            .toList();
    // What is handed out as an instance is one, also where no label says which.
    boolean unlabelled =
        pod.accelerators().onlyInstances() && shown.stream().noneMatch(device -> device.id().mig());
    return shown.stream().map(device -> judge(device, pod, unlabelled)).toList();
  }

  /** What the pod's devices did in the window and the two before it, since the pod started. */
  Trace trace(GpuPod pod, Instant at) {
    Trace trace = Trace.NOTHING;
    for (Device device : attribution.devicesNaming(pod)) {
      for (Device.Claim claim : device.claims()) {
        if (Signal.mains().contains(claim.signal())) {
          trace =
              trace.and(
                  Trace.of(
                      claim.series().samples(), claim.signal(), rule, at, Window.startOf(pod)));
        }
      }
    }
    return trace;
  }

  private DeviceFinding judge(Device device, GpuPod pod, boolean instance) {
    Window scope = window.of(pod);
    Map<Signal, Tally> tallies = new EnumMap<>(Signal.class);
    long lastActive = Long.MIN_VALUE;
    for (Device.Claim claim : device.claims()) {
      if (mayBeAnothers(claim, pod)) {
        continue;
      }
      Tally tally = tallies.computeIfAbsent(claim.signal(), signal -> new Tally(rule, signal));
      lastActive =
          Math.max(lastActive, tally.add(claim.series().samples(), scope, Window.startOf(pod)));
    }
    Signal main = mainOf(device, pod.id().namespace(), instance || device.id().mig());
    List<UsageSeries> proof =
        attribution.trusted(device, main, pod.id().namespace()).stream()
            .filter(series -> !series.labels().ofProcesses())
            .filter(series -> series.labels().partition() != SeriesLabels.Partition.LATER)
            .toList();
    Coverage coverage = Coverage.of(proof, main, window);
    int sharers = liveClaimants(device);
    boolean shared = device.sharedByDesign() || sharers > 1;
    boolean active = tallies.values().stream().anyMatch(tally -> tally.active);
    State state = stateOf(device, pod, scope, active, shared, coverage);
    // Of a shared device that others used, the last activity is theirs.
    boolean others = active && state == State.IDLE;
    return new DeviceFinding(
        device.id(),
        device.model(),
        device.migProfile(),
        device.partition(),
        device.spot(),
        shared,
        sharers,
        state,
        main,
        coverage,
        proof.isEmpty() ? attribution.distrusted(device, pod.id().namespace()) : Optional.empty(),
        tallies.values().stream().filter(Tally::seen).map(Tally::finding).toList(),
        others || lastActive == Long.MIN_VALUE
            ? Optional.empty()
            : Optional.of(Instant.ofEpochMilli(lastActive)),
        coverage.unbrokenSince(proof, main, window).map(Instant::ofEpochMilli));
  }

  /** Of a pod whose end nobody knows, what names another may be that one's time with the card. */
  private static boolean mayBeAnothers(Device.Claim claim, GpuPod pod) {
    return !pod.live() && pod.ended().isEmpty() && claim.pod().isPresent() && !claim.names(pod);
  }

  private State stateOf(
      Device device, GpuPod pod, Window scope, boolean active, boolean shared, Coverage coverage) {
    if (!active) {
      return coverage.complete() ? State.IDLE : State.NOT_COVERED;
    }
    if (!shared) {
      return State.BUSY;
    }
    List<UsageSeries> trusted = attribution.trusted(device, Signal.GPU_UTIL, pod.id().namespace());
    return new SharedUse(device, window, rule)
        .stateFor(pod, scope, trusted)
        .orElse(State.SHARED_BUSY);
  }

  /** The signal whose stillness is proof; a MIG instance has no honest other. */
  private Signal mainOf(Device device, String namespace, boolean instance) {
    if (device.amd()) {
      return Signal.GFX_ACTIVITY;
    }
    boolean engine =
        instance
            || attribution.trusted(device, Signal.GR_ENGINE_ACTIVE, namespace).stream()
                .anyMatch(series -> anyValid(series.samples()));
    return engine ? Signal.GR_ENGINE_ACTIVE : Signal.GPU_UTIL;
  }

  private boolean anyValid(Samples samples) {
    for (int i = samples.firstAfter(window.after()); i < samples.size(); i++) {
      if (samples.millis(i) > window.until()) {
        return false;
      }
      if (Signal.GR_ENGINE_ACTIVE.possible(samples.value(i))) {
        return true;
      }
    }
    return false;
  }

  private int liveClaimants(Device device) {
    Set<ObjectId> pods = new HashSet<>();
    for (Device.Claim claim : device.claims()) {
      claim
          .pod()
          .filter(GpuPod::live)
          .filter(pod -> !pods.contains(pod.id()) && device.namedIn(window.of(pod), pod))
          .ifPresent(pod -> pods.add(pod.id()));
    }
    return pods.size();
  }

  /** Counts one signal of one device. */
  private static final class Tally {
    private final IdleRule rule;
    private final Signal signal;
    private int samples;
    private int impossible;
    private double sum;
    private float peak = Float.NaN;
    private boolean active;

    Tally(IdleRule rule, Signal signal) {
      this.rule = rule;
      this.signal = signal;
    }

    /** Takes a series' samples in; answers the time of its latest activity since the start. */
    long add(Samples series, Window scope, long start) {
      long latest = Long.MIN_VALUE;
      for (int i = series.firstAfter(start); i < series.size(); i++) {
        long millis = series.millis(i);
        if (millis > scope.until()) {
          break;
        }
        float value = series.value(i);
        boolean possible = signal.possible(value);
        boolean working = possible && rule.active(signal, value);
        latest = working ? millis : latest;
        if (millis > scope.after()) {
          count(value, possible, working);
        }
      }
      return latest;
    }

    private void count(float value, boolean possible, boolean working) {
      if (!possible) {
        impossible++;
        return;
      }
      samples++;
      sum += value;
      peak = Float.isNaN(peak) ? value : Math.max(peak, value);
      active |= working;
    }

    boolean seen() {
      return samples + impossible > 0;
    }

    SignalFinding finding() {
      return new SignalFinding(signal, samples, impossible, (float) (sum / samples), peak, active);
    }
  }
}
