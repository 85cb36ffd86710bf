package dev.fallow.systemtests.campaign;

import dev.fallow.rig.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** I4: a keep that was accepted is never lost, and nothing is paused while it binds. */
record KeepsBind() implements Invariant {
  @Override
  public String name() {
    return "I4";
  }

  @Override
  public List<Violation> violations(Story story) {
    List<Violation> violations = new ArrayList<>();
    for (KeepRequest keep : story.evidence().keeps()) {
      if (keep.accepted()) {
        story.lowerings().stream()
            .filter(lowering -> isOf(story, keep, lowering))
            .filter(lowering -> breaks(story, keep, lowering))
            .forEach(lowering ->
                violations.add(
                    violation(
                        lowering.object(),
                        "paused although kept from %s until %s"
                            .formatted(keep.answered(), keep.until()),
                        lowering)));
      }
    }
    story.ours().stream()
        .filter(Step::isBeforeKnown)
        .filter(step -> !keepOf(step.before()).isEmpty())
        .filter(step -> !keepOf(step.before()).equals(keepOf(step.after())))
        .filter(step -> bindsAt(story, step))
        .forEach(step -> violations.add(violation(step.object(), "a keep was lost", step)));
    return violations;
  }

  private static boolean isOf(Story story, KeepRequest keep, Step lowering) {
    return story
        .evidence()
        .truth()
        .behind(lowering.object())
        .map(workload -> workload.object().equals(keep.workload()))
        .orElse(lowering.object().equals(keep.workload()));
  }

  /** The write of the keep settles which was first, where it is on the same object. */
  private static boolean breaks(Story story, KeepRequest keep, Step lowering) {
    if (!lowering.write().answered().isBefore(keep.binding().to())) {
      return false;
    }
    Optional<Step> written =
        story.history().lifeOf(lowering).stream()
            .filter(step -> !keepOf(step.after()).isEmpty())
            .filter(step -> !keepOf(step.after()).equals(keepOf(step.before())))
            .filter(step -> !step.write().received().isBefore(keep.asked()))
            .filter(step -> !step.write().answered().isAfter(keep.answered()))
            .findFirst();
    return written
        .map(step -> step.write().revision() < lowering.write().revision())
        .orElse(!lowering.write().received().isBefore(keep.answered()));
  }

  private static boolean bindsAt(Story story, Step step) {
    return story.evidence().keeps().stream()
        .filter(keep -> keep.accepted() && keep.workload().equals(step.object()))
        .anyMatch(keep -> keep.binding().contains(step.write().received()));
  }

  private static String keepOf(Json object) {
    return Marks.annotation(object, Marks.KEEP_UNTIL).text();
  }
}
