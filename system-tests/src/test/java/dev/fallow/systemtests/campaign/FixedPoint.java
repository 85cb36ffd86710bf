package dev.fallow.systemtests.campaign;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** I9: what has been done is not done again: no write without a change, no second pause. */
record FixedPoint() implements Invariant {
  @Override
  public String name() {
    return "I9";
  }

  @Override
  public List<Violation> violations(Story story) {
    List<Violation> violations = new ArrayList<>();
    for (Step step : story.ours()) {
      if (step.isEmpty()) {
        violations.add(violation(step.object(), "a write that changed nothing", step));
      } else if (step.isBeforeKnown() && PauseField.of(step.object()).isStopped(step.before())) {
        checkPaused(story, step, violations);
      }
    }
    return violations;
  }

  private void checkPaused(Story story, Step step, List<Violation> violations) {
    boolean stopsAgain = PauseField.of(step.object()).isStopped(step.write().request());
    boolean intends = !Marks.annotation(step.write().request(), Marks.INTENT).isMissing();
    if (stopsAgain || (intends && couldBeKnown(story, step))) {
      violations.add(
          violation(
              step.object(), (stopsAgain ? "paused" : "intended") + " although stopped", step));
    }
  }

  /**
   * An intent rests on a look, and harms nobody: what was stopped since then shows before a pause.
   */
  private static boolean couldBeKnown(Story story, Step step) {
    Instant seen = step.write().received().minus(story.settings().reaction());
    return story.history().lifeOf(step).stream()
        .takeWhile(earlier -> !earlier.equals(step))
        .filter(earlier -> !earlier.write().answered().isAfter(seen))
        .reduce((first, second) -> second)
        .filter(earlier -> PauseField.of(step.object()).isStopped(earlier.after()))
        .isPresent();
  }
}
