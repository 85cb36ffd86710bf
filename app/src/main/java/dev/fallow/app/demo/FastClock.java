package dev.fallow.app.demo;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that starts where it is told and runs faster than the one it follows. */
public final class FastClock implements InstantSource {

  private final InstantSource real;
  private final Instant realStart;
  private final Instant start;
  private final long speed;

  public FastClock(InstantSource real, Instant start, long speed) {
    this.real = real;
    this.realStart = real.instant();
    this.start = start;
    this.speed = speed;
  }

  @Override
  public Instant instant() {
    return start.plus(Duration.between(realStart, real.instant()).multipliedBy(speed));
  }

  public long speed() {
    return speed;
  }
}
