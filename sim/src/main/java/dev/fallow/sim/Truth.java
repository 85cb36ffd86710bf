package dev.fallow.sim;

import dev.fallow.core.idle.Reason;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.RefusalReason;
import java.util.Optional;

/**
 * What has to be found of a workload at an instant, under the default rule and policy.
 *
 * @param refusal why it is left alone although it is idle
 */
public record Truth(SimWorkload workload, Reason reason, Optional<RefusalReason> refusal) {

  /** The verdict, by name. */
  public enum Finding {
    BUSY,
    IDLE,
    UNKNOWN
  }

  public Finding finding() {
    return switch (reason) {
      case PARTLY_BUSY, GPU_ACTIVE -> Finding.BUSY;
      case ALL_GPUS_IDLE -> Finding.IDLE;
      default -> Finding.UNKNOWN;
    };
  }

  /** What one cycle would do to it. */
  public Action action() {
    if (finding() != Finding.IDLE) {
      return Action.NONE;
    }
    return refusal
        .map(why -> why == RefusalReason.ACKNOWLEDGED ? Action.KEEP : Action.NONE)
        .orElse(Action.PAUSE);
  }

  /** The one reason to show: the refusal's where an idle workload is left alone. */
  public String reasonShown() {
    return refusal.map(RefusalReason::name).orElseGet(reason::name);
  }
}
