package dev.fallow.app.prune;

import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.prune.PruneMemory;
import java.time.Instant;
import java.util.Set;

/** Where deeds are written down. Losing it loses reports, never a workload. */
public interface Journal {

  void record(Deed deed);

  /**
   * Writes down a pause that is about to be made: should nobody live to record how it ended, that
   * it was begun is known.
   */
  void begin(Deed deed);

  /**
   * Says of pauses that were begun, and of which nobody has recorded the end, that their end is not
   * known.
   *
   * @param standing the ids of those that show on their objects
   */
  void settle(Set<String> standing, Instant at);

  /** Makes sure that a pause which shows on an object is written down, once. */
  void recover(OwnerObject paused, Instant at);

  /** Pauses since a moment, which may not show on the objects any more. */
  PruneMemory pausesSince(Instant since);

  /** Keeps nothing. */
  Journal NONE =
      new Journal() {
        @Override
        public void record(Deed deed) {}

        @Override
        public void begin(Deed deed) {}

        @Override
        public void settle(Set<String> standing, Instant at) {}

        @Override
        public void recover(OwnerObject paused, Instant at) {}

        @Override
        public PruneMemory pausesSince(Instant since) {
          return PruneMemory.NOTHING;
        }
      };
}
