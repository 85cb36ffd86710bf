package dev.fallow.core.prune;

import java.util.Optional;

/** One reason to leave an idle workload alone. */
@FunctionalInterface
interface PruneCheck {
  Optional<Refusal> refuse(Candidate candidate);
}
