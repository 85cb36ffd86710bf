package dev.fallow.core.idle;

import dev.fallow.core.fleet.GpuPod;
import java.util.List;
import java.util.Optional;

/**
 * What is known of one pod in the window.
 *
 * @param missing what is missing to prove it idle: a reason and its sentence, if anything is
 */
public record PodFinding(GpuPod pod, List<DeviceFinding> devices, Optional<Missing> missing) {

  public PodFinding {
    devices = List.copyOf(devices);
  }

  /** A gap in the proof. */
  public record Missing(Reason reason, String sentence) {}

  /** Whether it has devices on a node: only then does it have to be still. */
  boolean holds() {
    return pod.live() && pod.node().isPresent();
  }

  public boolean busy() {
    return devices.stream().anyMatch(device -> device.state() == DeviceFinding.State.BUSY);
  }
}
