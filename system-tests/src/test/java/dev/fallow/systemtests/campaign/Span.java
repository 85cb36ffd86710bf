package dev.fallow.systemtests.campaign;

import java.time.Instant;

/** A stretch of time, its beginning included and its end not. */
record Span(Instant from, Instant to) {
  static Span since(Instant from) {
    return new Span(from, Instant.MAX);
  }

  boolean contains(Instant at) {
    return !at.isBefore(from) && at.isBefore(to);
  }

  boolean overlaps(Span other) {
    return from.isBefore(other.to) && other.from.isBefore(to);
  }
}
