package dev.fallow.core.ledger;

/** What a GPU's time went to. All but the last are parts of what pods held. */
public enum GpuState {
  BUSY,
  IDLE,
  /** Idle, and somebody asked to keep it. */
  KEPT,
  UNKNOWN,
  /** Not held, because the workload is paused. */
  SAVED
}
