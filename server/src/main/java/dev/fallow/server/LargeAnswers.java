package dev.fallow.server;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Makes and sends few large answers at the same time: each may take megabytes, and whoever asks for
 * many of them at once must not be able to use up the memory. Who has to wait too long is sent away
 * for a while.
 */
public final class LargeAnswers {

  /** Bytes from which on an answer keeps its place until it has been sent. */
  static final int LARGE = 1 << 20;

  private final Semaphore room;
  private final Duration patience;

  public LargeAnswers() {
    this(4, Duration.ofSeconds(5));
  }

  LargeAnswers(int atOnce, Duration patience) {
    this.room = new Semaphore(atOnce, true);
    this.patience = patience;
  }

  public Reply answer(Supplier<Reply> maker) {
    if (!enter()) {
      return Problem.tooBusy().reply().with("Retry-After", "2");
    }
    boolean keepsPlace = false;
    try {
      Reply reply = maker.get();
      keepsPlace = reply.body().length() > LARGE;
      return keepsPlace ? reply.then(room::release) : reply;
    } finally {
      if (!keepsPlace) {
        room.release();
      }
    }
  }

  private boolean enter() {
    try {
      return room.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
