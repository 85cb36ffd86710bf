package dev.fallow.core.prune;

import static dev.fallow.core.prune.RefusalReason.NOTICE_RUNNING;
import static dev.fallow.core.prune.RefusalReason.NOTICE_UNDELIVERED;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.notice.Notice;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Nothing is paused whose owner has not been told, and been given time.
 *
 * @param period between the first confirmed delivery and the pause
 * @param known what is remembered of notices that no object tells of, as in a dry run
 */
public record NoticeGiven(Duration period, Function<ObjectId, Optional<Notice>> known) {

  /** Notices stand on the objects. */
  public NoticeGiven(Duration period) {
    this(period, workload -> Optional.empty());
  }

  Optional<Refusal> refuse(Candidate candidate) {
    Optional<Notice> notice = standing(candidate);
    if (notice.isEmpty() || notice.get().delivered().isEmpty()) {
      return Optional.of(new Refusal(NOTICE_UNDELIVERED, "its owner has not been told yet"));
    }
    Instant end = notice.get().endsAfter(period).orElseThrow();
    // A clock that was wrong when it was written must not shorten the period.
    boolean future = notice.get().delivered().get().isAfter(candidate.at());
    return candidate.at().isBefore(end) || future
        ? Optional.of(
            new Refusal(
                NOTICE_RUNNING, "its owner was told; it is paused at " + end + " unless kept"))
        : Optional.empty();
  }

  private Optional<Notice> standing(Candidate candidate) {
    return written(candidate)
        .or(() -> known.apply(candidate.workload().root()))
        .filter(notice ->
            notice.isAbout(
                candidate.assessment().lastActivity(), candidate.assessment().idleSince()));
  }

  private static Optional<Notice> written(Candidate candidate) {
    return candidate
        .workload()
        .rootObject()
        .flatMap(root -> Notice.parse(root.annotations().getOrDefault(Annotations.NOTICE, "")));
  }
}
