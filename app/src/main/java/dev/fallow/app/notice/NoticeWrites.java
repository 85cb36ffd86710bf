package dev.fallow.app.notice;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.notice.Notice;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes notices down. Remembers for a while what it wrote, since looks show that later than it is
 * true; and where writing fails, so that what can be written comes first.
 */
final class NoticeWrites {

  /** Longer than a look is ever behind; shorter than anybody waits for a notice in vain. */
  private static final Duration LAG = Duration.ofMinutes(5);

  private final NoticeBook book;
  private final InstantSource clock;
  private final Map<String, Written> written = new ConcurrentHashMap<>();
  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  /**
   * @param id of the notice that was written, or taken back
   */
  private record Written(String id, Optional<Notice> notice, Instant at) {}

  NoticeWrites(NoticeBook book, InstantSource clock) {
    this.book = book;
    this.clock = clock;
  }

  boolean put(ObjectId workload, Notice notice) {
    return write(workload, notice.id(), Optional.of(notice));
  }

  boolean takeOff(ObjectId workload, Notice notice) {
    return write(workload, notice.id(), Optional.empty());
  }

  private boolean write(ObjectId workload, String id, Optional<Notice> notice) {
    if (!book.write(workload, notice)) {
      failing.add(kindOf(workload));
      failing.add(workload.namespace());
      return false;
    }
    failing.remove(kindOf(workload));
    failing.remove(workload.namespace());
    written.put(workload.uid(), new Written(id, notice, clock.instant()));
    return true;
  }

  /** No namespace is spelled like a kind. */
  private static String kindOf(ObjectId workload) {
    return "kind " + workload.qualifiedKind();
  }

  /** How likely the next write fails too: mostly a whole kind is forbidden, or a namespace. */
  int trouble(ObjectId workload) {
    return (failing.contains(kindOf(workload)) ? 1 : 0)
        + (failing.contains(workload.namespace()) ? 1 : 0);
  }

  /**
   * What stands on a workload in truth.
   *
   * @param seen what a look shows of it
   */
  Optional<Notice> latest(ObjectId workload, Optional<Notice> seen) {
    Written own = written.get(workload.uid());
    if (own == null || clock.instant().isAfter(own.at().plus(LAG))) {
      return seen;
    }
    boolean same = seen.filter(notice -> notice.id().equals(own.id())).isPresent();
    if (own.notice().isEmpty()) {
      return same ? Optional.empty() : seen;
    }
    Notice mine = own.notice().get();
    // Another instance may have gone on with it, or begun another one since.
    boolean further =
        seen.filter(notice ->
                same
                    ? notice.delivered().isPresent() && mine.delivered().isEmpty()
                    : notice.begun().isAfter(mine.begun()))
            .isPresent();
    return further ? seen : own.notice();
  }

  void forgetWhatIsOld() {
    Instant old = clock.instant().minus(LAG);
    written.values().removeIf(one -> one.at().isBefore(old));
  }
}
