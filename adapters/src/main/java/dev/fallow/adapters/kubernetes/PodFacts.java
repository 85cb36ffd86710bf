package dev.fallow.adapters.kubernetes;

import dev.fallow.core.fleet.Accelerators;
import dev.fallow.core.fleet.ClaimedDevices;
import dev.fallow.core.fleet.ExporterPod;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import java.util.Optional;

/**
 * What is kept of a pod. Whether one with claims holds accelerators shows only when the claims are
 * known, so it is kept as it is until then.
 *
 * <p>Every pod that is bound to a node and holds no accelerator may be an exporter: on which node
 * it runs decides whether its series are believed, so none is left out by the look of its name.
 */
sealed interface PodFacts {

  /** A pod with accelerators, which may also own something, as a leader owns its workers. */
  record Holder(GpuPod pod, OwnerObject asOwner) implements PodFacts {}

  record Bystander(ExporterPod pod) implements PodFacts {}

  record Claimant(ObjectTree pod) implements PodFacts {}

  /** Nothing is kept of a pod that holds nothing and runs nowhere. */
  static Optional<PodFacts> of(ObjectTree pod) {
    return ClaimedDevices.claims(pod)
        ? Optional.of(new Claimant(pod))
        : decided(pod, Accelerators.NONE);
  }

  /** The claimant once its claims are known. */
  static Optional<PodFacts> decided(ObjectTree pod, Accelerators claimed) {
    Optional<GpuPod> holder = GpuPod.of(pod, claimed);
    if (holder.isPresent()) {
      return Optional.of(new Holder(holder.get(), OwnerObject.of(pod)));
    }
    ExporterPod bystander = ExporterPod.of(pod);
    return bystander.node().isEmpty() ? Optional.empty() : Optional.of(new Bystander(bystander));
  }
}
