package dev.fallow.systemtests.campaign;

import dev.fallow.rig.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * I2: the write that pauses also stores how it was before, and what is stored is true; it stays so
 * at every revision until the pause ends.
 */
record Recoverable() implements Invariant {
  @Override
  public String name() {
    return "I2";
  }

  @Override
  public List<Violation> violations(Story story) {
    return Stream.concat(
            story.lowerings().stream().flatMap(lowering -> ofPause(story, lowering).stream()),
            story.history().lives().stream().flatMap(life -> afterPause(story, life).stream()))
        .toList();
  }

  private List<Violation> ofPause(Story story, Step lowering) {
    List<Violation> violations = new ArrayList<>();
    Json marks = Marks.carrier(lowering, story.history()).orElse(Json.parse("null"));
    List<String> absent =
        Marks.OF_A_PAUSE.stream()
            .filter(key -> Marks.annotation(marks, key).text().isEmpty())
            .toList();
    if (!absent.isEmpty()) {
      violations.add(violation(lowering.object(), "paused without " + absent, lowering));
    }
    if (!Marks.annotation(lowering.after(), Marks.INTENT).isMissing()) {
      violations.add(violation(lowering.object(), "paused and the intent left", lowering));
    }
    Json stored = story.beforePause(lowering);
    if (stored.isMissing()) {
      violations.add(
          violation(lowering.object(), "what was before the pause cannot be read", lowering));
    } else if (!lowering.isBeforeKnown()) {
      story.unproven("I2 " + lowering.object() + ": the revision before the pause is not logged");
    } else if (PauseField.of(lowering.object()).isReplicas()) {
      String was = lowering.before().at("spec", "replicas").text();
      String says = stored.at("replicas").text();
      if (!was.equals(says)) {
        violations.add(
            violation(
                lowering.object(),
                "paused from %s replicas, stored %s".formatted(shown(was), shown(says)),
                lowering));
      }
    }
    return violations;
  }

  /** While it is paused by us, none of our writes may take or change what was stored. */
  private List<Violation> afterPause(Story story, List<Step> life) {
    return life.stream()
        .filter(step -> step.by(story.settings().user()) && step.isBeforeKnown())
        .filter(step -> !Marks.annotation(step.before(), Marks.PAUSED_AT).isMissing())
        .filter(step -> PauseField.of(step.object()).isStopped(step.after()))
        .filter(step -> !stored(step.before()).equals(stored(step.after())))
        .map(
            step -> violation(step.object(), "still paused, and what was stored has changed", step))
        .toList();
  }

  private static String stored(Json object) {
    return Marks.annotation(object, Marks.BEFORE_PAUSE).text();
  }

  private static String shown(String replicas) {
    return replicas.isEmpty() ? "absent" : replicas;
  }
}
