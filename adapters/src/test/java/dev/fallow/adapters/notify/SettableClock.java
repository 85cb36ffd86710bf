package dev.fallow.adapters.notify;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The time is what a test says it is. */
final class SettableClock implements InstantSource {

  private volatile Instant now;

  SettableClock(Instant now) {
    this.now = now;
  }

  SettableClock pass(Duration time) {
    now = now.plus(time);
    return this;
  }

  @Override
  public Instant instant() {
    return now;
  }
}
