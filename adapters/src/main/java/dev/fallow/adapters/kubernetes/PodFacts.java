package dev.fallow.adapters.kubernetes;

import dev.fallow.core.fleet.Accelerators;
import dev.fallow.core.fleet.ClaimedDevices;
import dev.fallow.core.fleet.ExporterPod;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.PlainPod;
import java.util.Optional;

/**
 * What is kept of a pod. Any of them may own something, as a leader owns its workers and a driver
 * its executors.
 */
sealed interface PodFacts {

  OwnerObject asOwner();

  record Holder(GpuPod pod, OwnerObject asOwner) implements PodFacts {}

  /**
   * A pod without accelerators. Each one may be an exporter: the node it runs on decides whether
   * its series are believed, so none is left out by the look of its name.
   */
  record Bystander(ExporterPod pod, OwnerObject asOwner, Optional<PlainPod> member)
      implements PodFacts {

    boolean runsSomewhere() {
      return !pod.node().isEmpty();
    }
  }

  /** Whether a pod with claims holds accelerators shows only when the claims are known. */
  record Claimant(ObjectTree pod, OwnerObject asOwner) implements PodFacts {

    PodFacts decided(ClaimedDevices claims) {
      return PodFacts.holding(pod, claims.heldBy(pod));
    }
  }

  static PodFacts of(ObjectTree pod) {
    return ClaimedDevices.claims(pod)
        ? new Claimant(pod, OwnerObject.of(pod))
        : holding(pod, Accelerators.NONE);
  }

  private static PodFacts holding(ObjectTree pod, Accelerators claimed) {
    OwnerObject asOwner = OwnerObject.of(pod);
    return GpuPod.of(pod, claimed)
        .<PodFacts>map(holder -> new Holder(holder, asOwner))
        .orElseGet(() -> new Bystander(ExporterPod.of(pod), asOwner, PlainPod.of(pod, asOwner)));
  }
}
