package dev.fallow.server.stream;

import dev.fallow.server.access.Caller;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** The places of those who listen: so many in all, and so many for one person. */
final class Places {

  private static final int ALL = 2_000;

  /** Tabs of one person; what nobody signs in for is everybody's, and has the other limit only. */
  private static final int OF_ONE = 20;

  private final Semaphore free = new Semaphore(ALL);
  private final Map<String, Integer> held = new ConcurrentHashMap<>();

  /** Whether there is a place left, for this one too. */
  boolean enter(Caller caller) {
    boolean mayStay = held.merge(caller.name(), 1, Integer::sum) <= OF_ONE;
    if ((mayStay || caller.by().equals("none")) && free.tryAcquire()) {
      return true;
    }
    forget(caller);
    return false;
  }

  void leave(Caller caller) {
    free.release();
    forget(caller);
  }

  int taken() {
    return ALL - free.availablePermits();
  }

  private void forget(Caller caller) {
    held.computeIfPresent(caller.name(), (name, count) -> count == 1 ? null : count - 1);
  }
}
