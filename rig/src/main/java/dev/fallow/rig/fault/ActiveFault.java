package dev.fallow.rig.fault;

import java.time.Duration;
import java.util.Collection;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A fault that has been switched on. It counts what it did, also after it was healed. */
public final class ActiveFault implements AutoCloseable {
  private final ProxyFault fault;
  private final Scope scope;
  private final Random dice;
  private final Collection<ActiveFault> started;
  private final CountDownLatch healed = new CountDownLatch(1);
  private long effects;

  ActiveFault(ProxyFault fault, Scope scope, Collection<ActiveFault> started) {
    this.fault = fault;
    this.scope = scope;
    this.dice = scope.dice();
    this.started = started;
  }

  ProxyFault fault() {
    return fault;
  }

  Scope scope() {
    return scope;
  }

  /** Whether this request is hit; if so it is counted. */
  synchronized boolean hits(String method, String path) {
    if (isHealed()
        || effects >= scope.limit()
        || !scope.includes(method, path)
        || dice.nextDouble() >= scope.share()) {
      return false;
    }
    effects++;
    return true;
  }

  synchronized void count() {
    effects++;
  }

  /** How many requests and connections it has hit. */
  public synchronized long effects() {
    return effects;
  }

  /** Switches the fault off; twice is no harm. */
  public void heal() {
    if (!isHealed()) {
      healed.countDown();
      started.remove(this);
    }
  }

  boolean isHealed() {
    return healed.getCount() == 0;
  }

  void awaitHeal() throws InterruptedException {
    healed.await();
  }

  /** Waits for the time to pass or for the end of the fault, whichever is first. */
  void awaitHeal(Duration atMost) throws InterruptedException {
    if (healed.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
      return;
    }
  }

  @Override
  public void close() {
    heal();
  }

  @Override
  public String toString() {
    return fault + " of " + scope;
  }
}
