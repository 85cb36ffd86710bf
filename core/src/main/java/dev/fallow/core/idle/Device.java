package dev.fallow.core.idle;

import dev.fallow.core.fleet.GpuPod;
import java.util.List;
import java.util.Optional;

/**
 * A device as its series show it, and the pods they name.
 *
 * @param model as the exporter spells it, empty if it does not
 * @param sharedByDesign whether its node, or a copy per pod, says that several pods share it
 * @param spot whether its node is spare capacity
 */
public record Device(
    DeviceId id,
    String model,
    String migProfile,
    boolean sharedByDesign,
    boolean spot,
    List<Claim> claims) {

  public Device {
    claims = List.copyOf(claims);
  }

  /** A series of the device, and the pod that it names, if that pod can hold the device at all. */
  public record Claim(UsageSeries series, Optional<GpuPod> pod) {

    public boolean names(GpuPod other) {
      return pod.isPresent() && pod.get().id().equals(other.id());
    }

    Signal signal() {
      return series.labels().signal();
    }
  }

  boolean amd() {
    return claims.stream().anyMatch(claim -> claim.signal().amd());
  }

  List<UsageSeries> seriesOf(Signal signal) {
    return claims.stream().filter(claim -> claim.signal() == signal).map(Claim::series).toList();
  }
}
