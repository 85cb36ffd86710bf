package dev.fallow.app.prune;

import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.prune.PastPause;
import java.time.Instant;
import java.util.List;

/** Where deeds are written down. Losing it loses reports, never a workload. */
public interface Journal {

  void record(Deed deed);

  /** Makes sure that a pause which shows on an object is written down, once. */
  void recover(OwnerObject paused, Instant at);

  /** Pauses since a moment, which may not show on the objects any more. */
  List<PastPause> pausesSince(Instant since);

  /** Keeps nothing. */
  Journal NONE =
      new Journal() {
        @Override
        public void record(Deed deed) {}

        @Override
        public void recover(OwnerObject paused, Instant at) {}

        @Override
        public List<PastPause> pausesSince(Instant since) {
          return List.of();
        }
      };
}
