package dev.fallow.app.prune;

import dev.fallow.app.log.Log;
import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.Ledger;
import java.time.Duration;
import java.time.Instant;

/** Removes from the ledger, once a day, what is older than it is to remember. */
public final class Forgetting {

  private static final Duration EVERY = Duration.ofDays(1);

  private final Ledger ledger;
  private final Duration retention;
  private Instant next = Instant.MIN;

  public Forgetting(Ledger ledger, Duration retention) {
    this.ledger = ledger;
    this.retention = retention;
  }

  /** To be called after each look by whoever leads. */
  public void at(Instant now) {
    if (now.isBefore(next)) {
      return;
    }
    next = now.plus(EVERY);
    try {
      int removed = ledger.forget(now.minus(retention));
      if (removed > 0) {
        Log.info("the ledger forgot", "rows", removed, "older than", retention);
      }
    } catch (Unavailable later) {
      // Tomorrow is soon enough; that the ledger fails is told by what needs it.
      Log.debug("the ledger could not forget", "because", later.getMessage());
    }
  }
}
