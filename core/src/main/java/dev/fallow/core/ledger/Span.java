package dev.fallow.core.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The time from one look at the fleet to the next, to the millisecond. */
public record Span(Instant from, Instant to) {

  public Span {
    from = from.truncatedTo(ChronoUnit.MILLIS);
    to = to.truncatedTo(ChronoUnit.MILLIS);
    if (to.isBefore(from)) {
      throw new IllegalArgumentException(to + " is before " + from);
    }
  }

  public Duration length() {
    return Duration.between(from, to);
  }
}
