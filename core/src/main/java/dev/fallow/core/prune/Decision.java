package dev.fallow.core.prune;

import dev.fallow.core.idle.Assessment;
import java.util.Optional;

/**
 * What is to be done with one workload, and why.
 *
 * @param refusal why an idle workload is left alone; absent for one that is not idle or is paused
 */
public record Decision(Assessment assessment, Action action, Optional<Refusal> refusal) {

  /** The one reason to show: the refusal's where an idle workload is left alone. */
  public String reason() {
    return refusal
        .map(refused -> refused.reason().name())
        .orElseGet(() -> assessment.verdict().reason().name());
  }

  public String sentence() {
    String seen = assessment.verdict().sentence();
    return refusal.map(refused -> seen + "; left alone: " + refused.sentence()).orElse(seen);
  }
}
