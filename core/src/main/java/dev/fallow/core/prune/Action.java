package dev.fallow.core.prune;

/** What happens to a workload in one cycle. */
public enum Action {
  PAUSE,
  /** Idle, but somebody asked to keep it. */
  KEEP,
  NONE
}
