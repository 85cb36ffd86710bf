package dev.fallow.adapters.prometheus;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The stretch of time (after, until] that one query asks for, in milliseconds. */
record SampleRange(long after, long until) {

  boolean contains(long millis) {
    return millis > after && millis <= until;
  }

  long millis() {
    return until - after;
  }

  /** Consecutive parts of it, the oldest first, none longer than asked. */
  List<SampleRange> parts(Duration longest) {
    List<SampleRange> parts = new ArrayList<>();
    for (long from = after; from < until; ) {
      long to = Math.min(until, from + longest.toMillis());
      parts.add(new SampleRange(from, to));
      from = to;
    }
    return parts;
  }
}
