package dev.fallow.systemtests.campaign;

import java.util.ArrayList;
import java.util.List;

/**
 * I11: a change that came before ours is never overwritten: every pause and resume names the
 * revision it is made for. Whoever brings a workload back has it for a full window.
 */
record PeopleWin() implements Invariant {
  @Override
  public String name() {
    return "I11";
  }

  @Override
  public List<Violation> violations(Story story) {
    List<Violation> violations = new ArrayList<>();
    for (Step step : story.ours()) {
      PauseField field = PauseField.of(step.object());
      boolean touches = field.isLoweredBy(step) || field.isRaisedBy(step);
      if (touches && step.write().guard().isEmpty()) {
        violations.add(violation(step.object(), "written whatever the revision", step));
      }
    }
    for (Step lowering : story.lowerings()) {
      PauseField field = PauseField.of(lowering.object());
      story.history().lifeOf(lowering).stream()
          .filter(step -> !step.by(story.settings().user()) && field.isRaisedBy(step))
          .filter(step -> step.write().revision() < lowering.write().revision())
          .filter(step ->
              step.write()
                  .answered()
                  .plus(story.settings().window())
                  .isAfter(lowering.write().received()))
          .forEach(step ->
              violations.add(
                  violation(
                      lowering.object(),
                      "paused again although %s had brought it back".formatted(step.write().user()),
                      step,
                      lowering)));
    }
    return violations;
  }
}
