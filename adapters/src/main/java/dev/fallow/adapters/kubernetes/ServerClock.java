package dev.fallow.adapters.kubernetes;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What time it is at the API server, by the date of its last answer and this machine's monotonic
 * clock since: a wall clock that jumps here does not move it.
 */
final class ServerClock {

  private record Reading(Instant date, long nanos) {}

  private volatile @Nullable Reading last;

  /**
   * @param date an answer's header; one that cannot be read is passed over
   */
  void hear(String date) {
    try {
      last =
          new Reading(
              Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)), System.nanoTime());
    } catch (DateTimeException unreadable) {
      // Proxies may leave it out; the reading before still counts.
    }
  }

  /** How far a clock is ahead of the server's, to the second; nothing before the first answer. */
  Optional<Duration> ahead(Instant here) {
    Reading reading = last;
    return reading == null
        ? Optional.empty()
        : Optional.of(
            Duration.between(reading.date().plusNanos(System.nanoTime() - reading.nanos()), here));
  }
}
