package dev.fallow.core.prune;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.idle.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Somebody's wish to leave a workload alone, as its annotations hold it. */
final class KeepMark {

  private static final List<String> KEYS = List.of(Annotations.KEEP_UNTIL, Annotations.ACK_UNTIL);

  private KeepMark() {}

  /** What binds now. A wish that cannot be read binds too: its author meant something by it. */
  static Optional<String> binding(Candidate candidate) {
    for (String key : KEYS) {
      for (Candidate.Marked mark : candidate.marked(key)) {
        Optional<Instant> until = ObjectTree.parseInstant(mark.value());
        if (until.isEmpty()) {
          return Optional.of(
              key + " \"" + mark.abridged() + "\" on " + mark.where() + " cannot be read");
        }
        if (candidate.at().isBefore(until.get())) {
          return Optional.of(
              "kept until " + until.get() + by(mark) + length(until.get(), candidate));
        }
      }
    }
    return Optional.empty();
  }

  private static String length(Instant until, Candidate candidate) {
    Duration longest = candidate.policy().longestKeep();
    return candidate.at().plus(longest).isBefore(until)
        ? ", which is longer than the " + Durations.format(longest) + " that Fallow would write"
        : "";
  }

  private static String by(Candidate.Marked mark) {
    String who =
        mark.beside()
            .getOrDefault(Annotations.KEPT_BY, mark.beside().getOrDefault(Annotations.ACK_BY, ""));
    String why = mark.beside().getOrDefault(Annotations.KEEP_REASON, "");
    return (who.isEmpty() ? "" : " by " + who) + (why.isEmpty() ? "" : " (" + why + ")");
  }
}
