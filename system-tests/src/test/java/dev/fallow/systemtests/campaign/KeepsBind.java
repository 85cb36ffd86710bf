package dev.fallow.systemtests.campaign;

import dev.fallow.rig.Json;
import java.time.Instant;
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
        .filter(step -> !mayHaveEnded(story, step))
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
        .orElseGet(() ->
            !lowering.write().received().isBefore(keep.answered()) && !story.tookBack(lowering));
  }

  private static boolean bindsAt(Story story, Step step) {
    return story.evidence().keeps().stream()
        .filter(keep -> keep.accepted() && keep.workload().equals(step.object()))
        .anyMatch(keep -> keep.binding().contains(step.write().received()));
  }

  /**
   * Whether somebody else's change of the keep had no good answer before this write: it may have
   * been made all the same, and then this write met what it left.
   */
  private static boolean mayHaveEnded(Story story, Step step) {
    return story.history().writes().stream()
        .filter(write -> write.object().equals(step.object()))
        .filter(write -> !write.user().equals(step.write().user()))
        .filter(write -> write.entry().code() >= 500)
        .filter(write -> !write.received().isAfter(step.write().answered()))
        .filter(write -> write.answered().isAfter(lastSeen(story, step)))
        .anyMatch(write -> write.request().toString().contains(Marks.KEEP_UNTIL));
  }

  /** When the change was asked for that is the last one known before this. */
  private static Instant lastSeen(Story story, Step step) {
    return story.history().lifeOf(step).stream()
        .filter(other -> other.write().revision() < step.write().revision())
        .map(other -> other.write().received())
        .max(Instant::compareTo)
        .orElse(Instant.MIN);
  }

  private static String keepOf(Json object) {
    return Marks.annotation(object, Marks.KEEP_UNTIL).text();
  }
}
