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
 * @param seen up to when looks have found the workload still, each with evidence that reaches back
 *     to the one before
 */
public record Notice(String id, Instant begun, Optional<Instant> delivered, Instant seen) {

  /** Shorter than evidence ever reaches back; longer than most notices last. */
  private static final Duration LOOKED_AGAIN = Duration.ofMinutes(20);

  private static final String NOT_YET = "-";

  public Notice(String id, Instant begun, Optional<Instant> delivered) {
    this(id, begun, delivered, begun);
  }

  /**
   * Whether it is about the stillness that lasts. Activity since then makes it one about the past,
   * and so does time that no look has any evidence of: nobody knows what was done in it.
   *
   * @param lastActivity what is known to have ended stillness before
   * @param idleSince since when the workload has been still, as far back as is known
   */
  public boolean isAbout(Optional<Instant> lastActivity, Optional<Instant> idleSince) {
    return !isPast(lastActivity) && !isOutOfSight(idleSince);
  }

  /**
   * Whether the owner has it, and it counts no more for the one reason that nobody looked for
   * longer than evidence reaches back.
   */
  public boolean isLostSightOf(Optional<Instant> lastActivity, Optional<Instant> idleSince) {
    return delivered.isPresent() && !isPast(lastActivity) && isOutOfSight(idleSince);
  }

  private boolean isPast(Optional<Instant> lastActivity) {
    return lastActivity.filter(when -> when.isAfter(begun)).isPresent();
  }

  private boolean isOutOfSight(Optional<Instant> idleSince) {
    return idleSince.filter(since -> since.isAfter(seen)).isPresent();
  }

  /**
   * How often somebody has to look, at the least, so that a notice is not lost sight of.
   *
   * @param evidence how far it reaches back
   */
  public static Duration looksEvery(Duration evidence) {
    // That it was seen is not written down at each look, and samples begin a little late.
    return evidence.minus(LOOKED_AGAIN).minus(LOOKED_AGAIN.dividedBy(2));
  }

  /** The same after a look that found it to be about the stillness that lasts. */
  public Notice seenAt(Instant at) {
    return at.isBefore(seen.plus(LOOKED_AGAIN)) ? this : new Notice(id, begun, delivered, at);
  }

  /** From when on the workload may be paused; never, while nobody has been told. */
  public Optional<Instant> endsAfter(Duration period) {
    return delivered.map(at -> at.plus(period));
  }

  public Notice delivered(Instant at) {
    return new Notice(id, begun, Optional.of(delivered.orElse(at)), seen);
  }

  public static Optional<Notice> parse(String text) {
    String[] parts = text.strip().split("\\s+");
    if (parts.length < 2 || parts.length > 4 || !parts[0].matches("[A-Za-z0-9_-]{1,100}")) {
      return Optional.empty();
    }
    Optional<Instant> begun = ObjectTree.parseInstant(parts[1]);
    boolean arrived = parts.length > 2 && !parts[2].equals(NOT_YET);
    Optional<Instant> delivered = arrived ? ObjectTree.parseInstant(parts[2]) : Optional.empty();
    Optional<Instant> seen = parts.length > 3 ? ObjectTree.parseInstant(parts[3]) : begun;
    return begun.isEmpty() || seen.isEmpty() || delivered.isPresent() != arrived
        ? Optional.empty()
        : Optional.of(new Notice(parts[0], begun.get(), delivered, seen.get()));
  }

  /** {@code id begun}, when it was delivered, and up to when it was seen to hold. */
  @Override
  public String toString() {
    String since = id + " " + begun;
    return seen.equals(begun)
        ? since + delivered.map(at -> " " + at).orElse("")
        : since + " " + delivered.map(Instant::toString).orElse(NOT_YET) + " " + seen;
  }
}
