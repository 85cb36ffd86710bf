package dev.fallow.core.ledger;

/** What was done to a workload. More may come: a reader leaves out what it does not know. */
public enum Verb {
  PAUSE,
  RESUME,
  KEEP,
  /** A keep was ended before its time. */
  END_KEEP
}
