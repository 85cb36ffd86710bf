package dev.fallow.app.web;

import dev.fallow.core.prune.Decision;
import java.time.Instant;
import java.util.Optional;

/** When a workload is paused if nothing changes, as far as that is known. */
@FunctionalInterface
public interface NextPause {

  Optional<Instant> of(Decision decision);
}
