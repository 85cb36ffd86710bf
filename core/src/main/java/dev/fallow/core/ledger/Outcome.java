package dev.fallow.core.ledger;

/** How an action ended. */
public enum Outcome {
  /** Written down before anything was changed, and left standing when it has ended. */
  BEGUN,
  DONE,
  /** Begun, and somebody else's change won: nothing was changed, or it was changed back at once. */
  REFUSED,
  FAILED,
  /** Nobody saw how it ended: the program or the answer was lost in the very moment. */
  UNKNOWN,
  /** It was taken back: by somebody else, or by us since it could not stand. */
  UNDONE
}
