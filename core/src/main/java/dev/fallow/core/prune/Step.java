package dev.fallow.core.prune;

/** The named moments of an action: a program can die at each of them, and nothing may be lost. */
public enum Step {
  BEFORE_INTENT,
  AFTER_INTENT,
  BEFORE_SECOND_LOOK,
  AFTER_SECOND_LOOK,
  AFTER_LIVE_READ,
  BEFORE_STATE,
  AFTER_STATE,
  BEFORE_WRITE,
  AFTER_WRITE,
  BEFORE_RECORD,
  AFTER_RECORD,
  AFTER_EVENT,
  BEFORE_REPAIR,
  AFTER_REPAIR;

  /** Told of each step; does nothing but in tests. */
  @FunctionalInterface
  public interface Observer {
    /**
     * @param kind of the workload it is about; empty for the steps of a whole cycle
     */
    void reached(Step step, String kind);

    Observer NONE = (step, kind) -> {};
  }
}
