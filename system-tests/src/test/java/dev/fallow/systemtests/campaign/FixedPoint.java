package dev.fallow.systemtests.campaign;

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
        checkPaused(step, violations);
      }
    }
    return violations;
  }

  private void checkPaused(Step step, List<Violation> violations) {
    boolean stopsAgain = PauseField.of(step.object()).isStopped(step.write().request());
    boolean intends = !Marks.annotation(step.write().request(), Marks.INTENT).isMissing();
    if (stopsAgain || intends) {
      violations.add(
          violation(
              step.object(), (stopsAgain ? "paused" : "intended") + " although stopped", step));
    }
  }
}
