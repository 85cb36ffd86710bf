package dev.fallow.core.ledger;

/** How an action ended. */
public enum Outcome {
  /** Written down before anything was changed, and left standing when it has ended. */
  BEGUN,
  DONE,
  /** Begun, and somebody else's change won: nothing was changed. */
  REFUSED,
  FAILED,
  /** Nobody saw how it ended: the program or the answer was lost in the very moment. */
  UNKNOWN,
  /** Somebody else took it back. */
  UNDONE
}
