package dev.fallow.rig;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for conditions by asking again and again; the only place of the rig that sleeps. */
final class Poll {
  private static final Duration INTERVAL = Duration.ofMillis(50);

  private Poll() {}

  /** Waits until the condition holds, and fails when that takes longer than the limit. */
  static void until(String what, Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new RigException("not within " + limit.toSeconds() + " s: " + what);
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(INTERVAL);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Keeps the thread's interrupt for the caller while unwinding as an unchecked exception. */
  static RigException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new RigException("interrupted", e);
  }
}
