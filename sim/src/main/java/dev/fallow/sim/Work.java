package dev.fallow.sim;

/** What a device really does at a moment, whatever its exporter makes of it. */
public enum Work {
  NOTHING,
  TRAINING,
  INFERENCE,
  /** Moves data to and from the card; no kernel runs. */
  COPYING,
  /** Video on the encoder alone. */
  ENCODING;

  public boolean active() {
    return this != NOTHING;
  }
}
