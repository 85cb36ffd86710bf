package dev.fallow.systemtests.campaign;

import dev.fallow.rig.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the product leaves on objects, by the names that it has promised. */
final class Marks {
  static final String PREFIX = "fallow.dev/";
  static final String INTENT = PREFIX + "intent";
  static final String ACTION_ID = PREFIX + "action-id";
  static final String BEFORE_PAUSE = PREFIX + "before-pause";
  static final String PAUSED_AT = PREFIX + "paused-at";
  static final String EXEMPT = PREFIX + "exempt";
  static final String KEEP_UNTIL = PREFIX + "keep-until";

  /** What a pause must leave behind to be undone and understood. */
  static final List<String> OF_A_PAUSE =
      List.of(PAUSED_AT, PREFIX + "paused-by", PREFIX + "pause-reason", BEFORE_PAUSE, ACTION_ID);

  /** What a keep leaves, whoever asked for it. */
  static final Set<String> OF_A_KEEP =
      Set.of(KEEP_UNTIL, PREFIX + "kept-by", PREFIX + "keep-reason");

  private static final Set<String> WITHOUT_ROOM = Set.of("inferenceservices.serving.kserve.io");

  private Marks() {}

  static Json annotation(Json object, String key) {
    return object.at("metadata", "annotations", key);
  }

  /** Whether marks on this object would roll its pods, so that they are kept beside it. */
  static boolean areKeptBeside(ObjectRef object) {
    return WITHOUT_ROOM.contains(object.kind());
  }

  /** What carries the marks of a step: the object itself, or the WorkloadState written before. */
  static Optional<Json> carrier(Step step, History history) {
    if (!areKeptBeside(step.object())) {
      return Optional.of(step.after());
    }
    return history.steps().stream()
        .filter(other -> other.write().revision() <= step.write().revision())
        .filter(other -> other.object().kind().equals("workloadstates.fallow.dev"))
        .filter(other -> other.object().namespace().equals(step.object().namespace()))
        .filter(other -> isAbout(other.after(), step.object().name()))
        .reduce((first, second) -> second)
        .map(Step::after);
  }

  private static boolean isAbout(Json state, String name) {
    String own = state.at("metadata", "name").text();
    return own.equals(name)
        || own.endsWith("-" + name)
        || own.endsWith("." + name)
        || names(state.at("spec"), name);
  }

  private static boolean names(Json json, String name) {
    String text = json.keys().isEmpty() ? json.text() : "";
    return text.equals(name)
        || text.endsWith("/" + name)
        || json.keys().stream().anyMatch(key -> names(json.at(key), name));
  }
}
