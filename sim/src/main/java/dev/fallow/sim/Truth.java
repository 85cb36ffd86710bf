package dev.fallow.sim;

import dev.fallow.core.idle.Reason;
import dev.fallow.core.prune.Action;

/**
 * What has to be found of a workload at an instant, under the default rule and policy.
 *
 * @param action what one cycle would do to it
 */
public record Truth(SimWorkload workload, Finding finding, Reason reason, Action action) {

  /** The verdict, by name. */
  public enum Finding {
    BUSY,
    IDLE,
    UNKNOWN
  }

  static Truth of(SimWorkload workload, Reason reason, Action action) {
    Finding finding =
        switch (reason) {
          case PARTLY_BUSY, GPU_ACTIVE -> Finding.BUSY;
          case ALL_GPUS_IDLE -> Finding.IDLE;
          default -> Finding.UNKNOWN;
        };
    return new Truth(workload, finding, reason, action);
  }
}
