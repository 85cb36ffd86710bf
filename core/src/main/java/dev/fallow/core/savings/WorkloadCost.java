package dev.fallow.core.savings;

import dev.fallow.core.fleet.CardParts;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.DeviceFinding;
import dev.fallow.core.idle.PodFinding;

/**
 * What a workload's devices cost an hour, and how much of that is wasted.
 *
 * @param perHour of all devices that its live pods show and that have a price
 * @param wastedPerHour of those that are proven idle
 * @param idleGpus how many those are
 */
public record WorkloadCost(double perHour, double wastedPerHour, int idleGpus) {

  public static WorkloadCost of(Assessment assessment, PriceBook prices) {
    double all = 0;
    double wasted = 0;
    int idle = 0;
    for (PodFinding pod : assessment.pods()) {
      if (!pod.pod().live()) {
        continue;
      }
      for (DeviceFinding device : pod.devices()) {
        double price =
            prices.perHour(device.model(), device.spot()).orElse(0) * shareOfCard(device);
        boolean still = assessment.provesIdle(pod, device);
        all += price;
        wasted += still ? price : 0;
        idle += still ? 1 : 0;
      }
    }
    return new WorkloadCost(all, wasted, idle);
  }

  /** A MIG slice costs its sevenths of the card, a shared card is split between its sharers. */
  private static double shareOfCard(DeviceFinding device) {
    double slice = CardParts.ofProfile(device.migProfile()) / (double) CardParts.WHOLE;
    return slice / Math.max(1, device.sharers());
  }
}
