package dev.fallow.core.idle;

/** Why a verdict is what it is; the first that applies, in this order, is the one given. */
public enum Reason {
  /** Busy, with idle devices beside the busy ones. */
  PARTLY_BUSY,
  GPU_ACTIVE,
  /** The source failed as a whole. */
  METRICS_UNAVAILABLE,
  /** The source answered and warned that something is missing. */
  PARTIAL_ANSWER,
  RECENTLY_STARTED,
  ROLLING_OUT,
  /** A pod shows fewer devices than it asked for. */
  SERIES_MISSING,
  COVERAGE_TOO_LOW,
  /** A shared device is busy, and nothing tells for whom. */
  SHARED_GPU,
  /** None of its pods is alive and bound to a node, so nothing is held. */
  NO_LIVE_POD,
  ALL_GPUS_IDLE
}
