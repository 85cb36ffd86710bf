package dev.fallow.core.idle;

import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Who used a shared device, where the exporter can tell. Newer exporters write a utilisation per
 * process and pod beside the device's own; older ones copy the device's value to every pod, and a
 * newer one without access to processes writes 0 for all. So the values per pod are believed only
 * if they are not copies, and if every look that saw the device active saw some pod active too.
 */
public final class SharedUse {

  private static final Signal PER_PROCESS = Signal.GPU_UTIL;

  private final Device device;
  private final Window window;
  private final IdleRule rule;

  public SharedUse(Device device, Window window, IdleRule rule) {
    this.device = device;
    this.window = window;
    this.rule = rule;
  }

  /**
   * Whether the values per pod are each pod's own, and tell of all that the device did up to the
   * newest of them: what other signals showed later they will yet tell. For numbers that are shown;
   * a verdict needs all activity explained.
   */
  public boolean tellsPodsApart() {
    NavigableMap<Long, Map<ObjectId, Float>> looks = looksPerPod(device.claims());
    return valuesDiffer() && explainsActivity(looks, looks.lastKey());
  }

  /** What the busy device's values per pod prove of one pod; nothing if they prove nothing. */
  Optional<DeviceFinding.State> stateFor(GpuPod pod, Window scope, List<UsageSeries> trusted) {
    Map<Long, Map<ObjectId, Float>> looks = looksPerPod(device.claims());
    boolean differ = valuesDiffer();
    boolean alone = looks.values().stream().allMatch(look -> look.size() == 1);
    if ((alone || differ) && hasWorkingProcesses(pod, scope)) {
      return Optional.of(DeviceFinding.State.BUSY);
    }
    if (!differ) {
      return Optional.empty();
    }
    boolean active =
        looks.entrySet().stream()
            .filter(look -> look.getKey() > scope.after() && look.getKey() <= scope.until())
            .anyMatch(look -> {
              Float value = look.getValue().get(pod.id());
              return value != null && rule.active(PER_PROCESS, value);
            });
    if (active) {
      return Optional.of(DeviceFinding.State.BUSY);
    }
    if (!explainsActivity(looks, window.until())) {
      return Optional.empty();
    }
    List<UsageSeries> own = new ArrayList<>();
    for (Device.Claim claim : device.claims()) {
      if (claim.shows(PER_PROCESS) && claim.names(pod) && trusted.contains(claim.series())) {
        own.add(claim.series());
      }
    }
    return Coverage.of(own, PER_PROCESS, window).complete()
        ? Optional.of(DeviceFinding.State.IDLE)
        : Optional.empty();
  }

  /** A value of a pod's own processes may be a false zero, but is never a false activity. */
  private boolean hasWorkingProcesses(GpuPod pod, Window scope) {
    boolean[] working = {false};
    for (Device.Claim claim : device.claims()) {
      if (claim.names(pod) && claim.series().labels().ofProcesses()) {
        forEachValid(
            claim,
            (millis, value) ->
                working[0] |=
                    millis > scope.after()
                        && millis <= scope.until()
                        && rule.active(PER_PROCESS, value));
      }
    }
    return working[0];
  }

  private NavigableMap<Long, Map<ObjectId, Float>> looksPerPod(List<Device.Claim> claims) {
    NavigableMap<Long, Map<ObjectId, Float>> looks = new TreeMap<>();
    for (Device.Claim claim : claims) {
      if (claim.shows(PER_PROCESS) && claim.pod().isPresent()) {
        ObjectId pod = claim.pod().get().id();
        forEachValid(
            claim,
            (millis, value) ->
                looks.computeIfAbsent(millis, key -> new HashMap<>()).merge(pod, value, Math::max));
      }
    }
    return looks;
  }

  /**
   * Copies of one value are equal at every look, to each other and to the device's own. What two
   * exporters saw, each naming another pod, are two looks, and may differ.
   */
  private boolean valuesDiffer() {
    Map<Long, List<Device.Claim>> streams = new HashMap<>();
    for (Device.Claim claim : device.claims()) {
      streams
          .computeIfAbsent(claim.series().labels().stream(), key -> new ArrayList<>())
          .add(claim);
    }
    return streams.values().stream().anyMatch(this::valuesDiffer);
  }

  private boolean valuesDiffer(List<Device.Claim> stream) {
    Map<Long, Float> ofDevice = new HashMap<>();
    for (Device.Claim claim : stream) {
      if (claim.shows(PER_PROCESS) && claim.pod().isEmpty()) {
        forEachValid(claim, (millis, value) -> ofDevice.merge(millis, value, Math::max));
      }
    }
    return looksPerPod(stream).entrySet().stream()
        .anyMatch(look -> {
          Float whole = ofDevice.get(look.getKey());
          long different = look.getValue().values().stream().distinct().count();
          return different > 1 || (whole != null && !look.getValue().values().contains(whole));
        });
  }

  private boolean explainsActivity(Map<Long, Map<ObjectId, Float>> looks, long until) {
    boolean[] explained = {true};
    for (Device.Claim claim : device.claims()) {
      boolean perPod = claim.shows(PER_PROCESS) && claim.pod().isPresent();
      if (!perPod && claim.series().labels().family().signal().isPresent()) {
        forEachValid(
            claim,
            (millis, value) -> {
              if (millis <= until && rule.active(claim.signal(), value)) {
                explained[0] &=
                    looks.getOrDefault(millis, Map.of()).values().stream()
                        .anyMatch(ofPod -> rule.active(PER_PROCESS, ofPod));
              }
            });
      }
    }
    return explained[0];
  }

  private interface Look {
    void at(long millis, float value);
  }

  private void forEachValid(Device.Claim claim, Look look) {
    Samples samples = claim.series().samples();
    for (int i = samples.firstAfter(window.after()); i < samples.size(); i++) {
      if (samples.millis(i) > window.until()) {
        break;
      }
      if (claim.signal().possible(samples.value(i))) {
        look.at(samples.millis(i), samples.value(i));
      }
    }
  }
}
