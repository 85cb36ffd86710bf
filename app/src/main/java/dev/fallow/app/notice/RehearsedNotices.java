package dev.fallow.app.notice;

import dev.fallow.app.Remembered;
import dev.fallow.app.prune.ActionId;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.notice.Notice;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who was told in a dry run: what this process did it knows itself, what others did the ledger
 * knows. Of theirs only the delivery is known, so what nobody looked at since passes for still.
 */
final class RehearsedNotices implements NoticeBook {

  private static final int MOST = 50_000;
  private static final Duration BELIEVED = Duration.ofMinutes(5);

  private final Ledger ledger;
  private final InstantSource clock;
  private final Map<String, Optional<Notice>> own = new ConcurrentHashMap<>();
  private final Remembered<Optional<Notice>> others = new Remembered<>(MOST);

  RehearsedNotices(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  @Override
  public boolean write(ObjectId workload, Optional<Notice> notice) {
    Optional<Instant> before = of(workload).flatMap(Notice::delivered);
    Optional<Instant> now = notice.flatMap(Notice::delivered);
    own.put(workload.uid(), notice);
    if (!now.equals(before)) {
      try {
        ledger.release(claim(workload));
        now.ifPresent(at -> ledger.claim(claim(workload), at));
      } catch (Unavailable away) {
        // This process remembers.
      }
    }
    return true;
  }

  @Override
  public Optional<Notice> of(ObjectId workload) {
    Optional<Notice> mine = own.get(workload.uid());
    return mine != null
        ? mine
        : others.get(workload.uid(), () -> written(workload), any -> BELIEVED);
  }

  private Optional<Notice> written(ObjectId workload) {
    try {
      return ledger
          .claimedAt(claim(workload))
          .map(told ->
              new Notice(
                  "n-" + ActionId.of(workload.uid(), told),
                  told,
                  Optional.of(told),
                  clock.instant()));
    } catch (Unavailable away) {
      return Optional.empty();
    }
  }

  private static String claim(ObjectId workload) {
    return "rehearsed notice " + workload.uid();
  }
}
