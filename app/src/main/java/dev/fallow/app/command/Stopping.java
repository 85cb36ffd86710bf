package dev.fallow.app.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Ends a program that runs until it is told to stop: a signal asks, the program finishes what it is
 * at and closes what is open, and only then the process ends, with exit code 0.
 */
final class Stopping implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final Semaphore nudges = new Semaphore(0);
  private final CountDownLatch ended = new CountDownLatch(1);

  private Stopping() {}

  static Stopping onSignal() {
    Stopping stopping = new Stopping();
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("stop")
                .unstarted(() -> {
                  stopping.asked.countDown();
                  stopping.nudge();
                  if (stopping.within(stopping.ended, PATIENCE)) {
                    Runtime.getRuntime().halt(0);
                  }
                }));
    return stopping;
  }

  /** Waits, though not past a nudge; whether the program was asked to stop meanwhile. */
  boolean askedWithin(Duration time) {
    try {
      boolean _ = nudges.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS);
      nudges.drainPermits();
      return asked.getCount() == 0;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Waits, whoever nudges; whether the program was asked to stop meanwhile. */
  boolean askedToStopWithin(Duration time) {
    return within(asked, time);
  }

  /** Something has changed: whoever waits has waited long enough. */
  void nudge() {
    nudges.release();
  }

  private boolean within(CountDownLatch latch, Duration time) {
    try {
      return latch.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  @Override
  public void close() {
    ended.countDown();
  }
}
