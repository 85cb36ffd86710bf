package dev.fallow.server;

import java.time.Duration;

/**
 * Counts the requests that are being answered. The JDK's server can wait for them too, but after
 * one body that was broken off it waits for ever after.
 */
final class InFlight {

  private int running;
  private boolean closed;

  /** Whether one more may begin; if so, it has to {@link #leave}. */
  synchronized boolean enter() {
    if (closed) {
      return false;
    }
    running++;
    return true;
  }

  synchronized void leave() {
    running--;
    notifyAll();
  }

  /** Lets no more begin and waits for those that run; answers whether all of them ended. */
  synchronized boolean drain(Duration patience) {
    closed = true;
    long end = System.nanoTime() + patience.toNanos();
    while (running > 0) {
      long millis = (end - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        return false;
      }
      try {
        wait(millis);
      } catch (InterruptedException hurry) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }
}
