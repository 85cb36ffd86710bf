package dev.fallow.core.prune;

/** What becomes of a notice, once its owner was told, when a pause is refused. */
public enum NoticeFate {
  /** The pause is meant as ever, and only waits. */
  LASTS,

  /**
   * Something forbids the pause for as long as it likes: whoever was told of it is told anew when
   * it is over.
   */
  IS_OVER,

  /** Nothing: another instance's settings may see that otherwise, or nobody was told yet. */
  STAYS_AS_IT_IS;

  public static NoticeFate of(RefusalReason reason) {
    return switch (reason) {
      case NO_SCALABLE_OWNER,
          PAUSED_ALREADY,
          EXEMPT,
          PROTECTED_NAMESPACE,
          UNREADABLE_ANNOTATION,
          ACKNOWLEDGED,
          CONTESTED,
          RESUMED_LATELY ->
          IS_OVER;
      case WRITE_FAILED, FLEET_IMPLAUSIBLE, NOTICE_RUNNING, BUDGET_SPENT, CHANGED_MEANWHILE ->
          LASTS;
      case FILTERED_OUT, KIND_DISABLED, NOTICE_UNDELIVERED -> STAYS_AS_IT_IS;
    };
  }
}
