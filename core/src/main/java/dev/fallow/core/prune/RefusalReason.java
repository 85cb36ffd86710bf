package dev.fallow.core.prune;

/** Why an idle workload is not paused; the first that applies, in this order, is the one given. */
public enum RefusalReason {
  /** Its root cannot be paused, or cannot be believed. */
  NO_SCALABLE_OWNER,
  PAUSED_ALREADY,
  EXEMPT,
  PROTECTED_NAMESPACE,
  FILTERED_OUT,
  KIND_DISABLED,
  /** An annotation that would decide cannot be read. */
  UNREADABLE_ANNOTATION,
  ACKNOWLEDGED,
  /** A controller undoes every pause of it. */
  CONTESTED,
  /** Somebody brought it back less than a window ago. */
  RESUMED_LATELY,
  /** The fleet as a whole cannot be believed. */
  FLEET_IMPLAUSIBLE,
  /** A channel is set, and nobody has confirmed that the owner was told. */
  NOTICE_UNDELIVERED,
  /** The owner was told, and has time left to object. */
  NOTICE_RUNNING,
  /** The API server refuses to change it; it is tried again after some cycles. */
  WRITE_FAILED,
  BUDGET_SPENT,
  /** It was changed between the decision and the write. */
  CHANGED_MEANWHILE
}
