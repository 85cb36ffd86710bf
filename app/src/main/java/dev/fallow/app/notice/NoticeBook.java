package dev.fallow.app.notice;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.notice.Notice;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.Outcome;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Where it is remembered who has been told. */
public interface NoticeBook {

  /** Remembers, or forgets; whether that has worked. */
  boolean write(ObjectId workload, Optional<Notice> notice);

  /** What is remembered of a workload and does not stand on it. */
  Optional<Notice> of(ObjectId workload);

  /** On the workloads themselves, where every instance finds it. */
  static NoticeBook onTheWorkloads(Actuator actuator) {
    return new NoticeBook() {
      @Override
      public boolean write(ObjectId workload, Optional<Notice> notice) {
        return actuator.note(workload, Map.of(Annotations.NOTICE, notice.map(Notice::toString)))
            instanceof Outcome.Done;
      }

      @Override
      public Optional<Notice> of(ObjectId workload) {
        return Optional.empty();
      }
    };
  }

  /**
   * For a dry run, which writes nothing on workloads: who was told stands in the ledger, so that
   * nobody is told again after a restart or by another instance. One that is away is done without.
   */
  static NoticeBook inTheLedger(Ledger ledger, InstantSource clock) {
    return new RehearsedNotices(ledger, clock);
  }

  /** For a dry run without a ledger. */
  static NoticeBook inMemory() {
    Map<String, Notice> notices = new ConcurrentHashMap<>();
    return new NoticeBook() {
      @Override
      public boolean write(ObjectId workload, Optional<Notice> notice) {
        notice.ifPresentOrElse(
            one -> notices.put(workload.uid(), one), () -> notices.remove(workload.uid()));
        return true;
      }

      @Override
      public Optional<Notice> of(ObjectId workload) {
        return Optional.ofNullable(notices.get(workload.uid()));
      }
    };
  }
}
