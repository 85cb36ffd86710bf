package dev.fallow.core.idle;

import dev.fallow.core.fleet.GpuPod;
import java.util.Comparator;
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

    boolean shows(Signal signal) {
      return series.labels().shows(signal);
    }
  }

  boolean amd() {
    return claims.stream().anyMatch(claim -> claim.signal().amd());
  }

  /** Of which part of an AMD card it is, if that is cut. */
  public SeriesLabels.Partition partition() {
    return claims.stream()
        .map(claim -> claim.series().labels().partition())
        .max(Comparator.naturalOrder())
        .orElse(SeriesLabels.Partition.NONE);
  }

  List<UsageSeries> seriesOf(Signal signal) {
    return claims.stream().filter(claim -> claim.shows(signal)).map(Claim::series).toList();
  }

  /** Whether a series says, within this time, that the pod holds the device. */
  public boolean namedIn(Window scope, GpuPod pod) {
    return claims.stream()
        .anyMatch(claim ->
            claim.names(pod) && claim.series().samples().anyIn(scope.after(), scope.until()));
  }

  /** The same device, as some of its series show it. */
  public Device by(List<Claim> some) {
    return new Device(id, model, migProfile, sharedByDesign, spot, some);
  }
}
