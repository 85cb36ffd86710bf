package dev.fallow.app.notice;

import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * How far the telling of one notice has come in this process. Whoever writes down what became of it
 * holds it meanwhile, so that a late confirmation never follows a notice that was taken back.
 */
final class Telling {

  private int tries;
  private Instant next = Instant.MIN;
  private boolean running;
  private boolean takenBack;
  private Optional<Instant> confirmed = Optional.empty();

  synchronized boolean isDue(Instant now) {
    return !running && !takenBack && confirmed.isEmpty() && !now.isBefore(next);
  }

  /** Somebody is at it until {@link #ended}. */
  synchronized void begins() {
    running = true;
    tries++;
  }

  synchronized void ended(Instant again) {
    running = false;
    next = again;
  }

  synchronized int tries() {
    return tries;
  }

  synchronized boolean isRunning() {
    return running;
  }

  /** When it was confirmed, whether that could be written down or not. */
  synchronized Optional<Instant> confirmed() {
    return confirmed;
  }

  /** The other side has it; what nobody waits for any more is not written down. */
  synchronized void confirmed(Instant at, Predicate<Instant> writing) {
    confirmed = Optional.of(at);
    if (!takenBack) {
      boolean _ = writing.test(at);
    }
  }

  synchronized boolean takenBack(BooleanSupplier writing) {
    takenBack = true;
    return writing.getAsBoolean();
  }
}
