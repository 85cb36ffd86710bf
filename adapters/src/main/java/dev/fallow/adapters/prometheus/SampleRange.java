package dev.fallow.adapters.prometheus;

/** The stretch of time (after, until] that one query asks for, in milliseconds. */
record SampleRange(long after, long until) {

  boolean contains(long millis) {
    return millis > after && millis <= until;
  }

  long millis() {
    return until - after;
  }
}
