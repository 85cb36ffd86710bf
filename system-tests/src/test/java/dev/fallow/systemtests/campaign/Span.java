package dev.fallow.systemtests.campaign;

import java.time.Instant;

/** A stretch of time, its beginning included and its end not. */
public record Span(Instant from, Instant to) {
  public static Span since(Instant from) {
    return new Span(from, Instant.MAX);
  }

  public boolean contains(Instant at) {
    return !at.isBefore(from) && at.isBefore(to);
  }

  public boolean overlaps(Span other) {
    return from.isBefore(other.to) && other.from.isBefore(to);
  }
}
