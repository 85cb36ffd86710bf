package dev.fallow.core.ledger;

/** How an action ended. */
public enum Outcome {
  DONE,
  FAILED,
  /** Somebody else took it back. */
  UNDONE
}
