package dev.fallow.core.idle;

import java.util.EnumSet;
import java.util.Set;

/** What is known of a workload's use of its devices. Unknown is not idle. */
public sealed interface Verdict {

  /** {@code BUSY}, {@code IDLE} or {@code UNKNOWN}. */
  String name();

  Reason reason();

  /** For people: what was seen, or what is missing. */
  String sentence();

  /** At least one device was active in the window. */
  record Busy(Reason reason, String sentence) implements Verdict {
    private static final Set<Reason> REASONS = EnumSet.of(Reason.PARTLY_BUSY, Reason.GPU_ACTIVE);

    public Busy {
      require(REASONS.contains(reason), reason);
    }

    @Override
    public String name() {
      return "BUSY";
    }
  }

  /** Every device that its live pods hold is proven idle over the whole window. */
  record Idle(String sentence) implements Verdict {
    @Override
    public String name() {
      return "IDLE";
    }

    @Override
    public Reason reason() {
      return Reason.ALL_GPUS_IDLE;
    }
  }

  /** Neither is proven. Never acted on. */
  record Unknown(Reason reason, String sentence) implements Verdict {
    public Unknown {
      require(reason != Reason.ALL_GPUS_IDLE && !Busy.REASONS.contains(reason), reason);
    }

    @Override
    public String name() {
      return "UNKNOWN";
    }
  }

  private static void require(boolean fits, Reason reason) {
    if (!fits) {
      throw new IllegalArgumentException(reason + " is not a reason of this verdict");
    }
  }
}
