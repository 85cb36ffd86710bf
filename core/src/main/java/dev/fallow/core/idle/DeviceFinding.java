package dev.fallow.core.idle;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one device shows about one pod in the window.
 *
 * @param partition of which part of an AMD card it is; of the later ones no exporter tells activity
 * @param spot whether its node is spare capacity, which has a price of its own
 * @param sharers how many live pods hold the device, as far as its series name them
 * @param main the signal that has to be covered for the device to count as idle
 * @param distrusted who speaks of the device and is not taken for an exporter, where nobody else
 *     does
 * @param signals each signal that has samples in the window
 * @param lastActive the latest activity that is known, also from before the window
 * @param knownSince since when somebody has looked without a gap
 */
public record DeviceFinding(
    DeviceId device,
    String model,
    String migProfile,
    SeriesLabels.Partition partition,
    boolean spot,
    boolean shared,
    int sharers,
    State state,
    Signal main,
    Coverage coverage,
    Optional<String> distrusted,
    List<SignalFinding> signals,
    Optional<Instant> lastActive,
    Optional<Instant> knownSince) {

  /** What is proven of the device, for this pod. */
  public enum State {
    BUSY,
    IDLE,
    NOT_COVERED,
    /** Somebody used it; nothing tells who. */
    SHARED_BUSY
  }

  public DeviceFinding {
    signals = List.copyOf(signals);
  }

  /**
   * One signal over the window.
   *
   * @param impossible samples with values that no device can have, counted as missing
   * @param mean the mean of the valid values; NaN if there is none
   * @param peak the highest valid value; NaN if there is none
   */
  public record SignalFinding(
      Signal signal, int samples, int impossible, float mean, float peak, boolean active) {}
}
