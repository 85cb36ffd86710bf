package dev.fallow.core.notice;

import dev.fallow.core.fleet.ObjectTree;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * That an owner is being told, as the workload's own annotation keeps it: written before the first
 * attempt, so that whoever goes on after a crash repeats the same message and not another.
 *
 * @param id of the message
 * @param begun when somebody first set out to tell
 * @param delivered when the message was confirmed to have arrived, if it was
 */
public record Notice(String id, Instant begun, Optional<Instant> delivered) {

  /** Whether it is about the stillness that lasts: what began before it was seen is over. */
  public boolean isAbout(Optional<Instant> idleSince) {
    return idleSince.filter(since -> since.isAfter(begun)).isEmpty();
  }

  /** From when on the workload may be paused; never, while nobody has been told. */
  public Optional<Instant> endsAfter(Duration period) {
    return delivered.map(at -> at.plus(period));
  }

  public Notice delivered(Instant at) {
    return new Notice(id, begun, Optional.of(delivered.orElse(at)));
  }

  public static Optional<Notice> parse(String text) {
    String[] parts = text.strip().split("\\s+");
    if (parts.length < 2 || parts.length > 3 || !parts[0].matches("[A-Za-z0-9_-]{1,100}")) {
      return Optional.empty();
    }
    Optional<Instant> begun = ObjectTree.parseInstant(parts[1]);
    Optional<Instant> delivered =
        parts.length == 3 ? ObjectTree.parseInstant(parts[2]) : Optional.empty();
    return parts.length == 3 && delivered.isEmpty()
        ? Optional.empty()
        : begun.map(since -> new Notice(parts[0], since, delivered));
  }

  /** {@code id begun}, and when it was delivered. */
  @Override
  public String toString() {
    return id + " " + begun + delivered.map(at -> " " + at).orElse("");
  }
}
