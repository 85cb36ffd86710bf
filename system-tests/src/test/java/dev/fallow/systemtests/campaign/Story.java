package dev.fallow.systemtests.campaign;

import dev.fallow.rig.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The evidence of one run, read: who changed what when, and what of it was a pause or a resume. */
final class Story {
  private static final Set<String> HOUSEKEEPING =
      Set.of("events", "events.events.k8s.io", "leases.coordination.k8s.io");

  private static final Set<String> APART =
      Set.of("scaledobjects.keda.sh", "inferenceservices.serving.kserve.io");
  private static final Duration AT_ONCE = Duration.ofSeconds(5);

  private final RunSettings settings;
  private final Evidence evidence;
  private final History history;
  private final List<Step> steps;
  private final List<Step> lowerings;
  private final List<Step> resumes;
  private final List<String> unproven = new ArrayList<>();

  Story(RunSettings settings, Evidence evidence) {
    this.settings = settings;
    this.evidence = evidence;
    this.history = new History(evidence.audit());
    this.steps = history.steps();
    this.lowerings =
        ours().stream().filter(step -> PauseField.of(step.object()).isLoweredBy(step)).toList();
    this.resumes =
        ours().stream().filter(step -> PauseField.of(step.object()).isRaisedBy(step)).toList();
  }

  RunSettings settings() {
    return settings;
  }

  Evidence evidence() {
    return evidence;
  }

  History history() {
    return history;
  }

  /** All changes by anybody, in order. */
  List<Step> steps() {
    return steps;
  }

  /** The product's changes of objects other than its own, in order. */
  List<Step> ours() {
    return steps.stream().filter(this::isOurs).toList();
  }

  boolean isOurs(Step step) {
    return step.by(settings.user()) && !isHousekeeping(step.object());
  }

  /** Objects that the product may write as it likes: its own, and what is said of others. */
  static boolean isHousekeeping(ObjectRef object) {
    return object.group().equals("fallow.dev")
        || object.group().equals("authorization.k8s.io")
        || object.group().equals("authentication.k8s.io")
        || HOUSEKEEPING.contains(object.kind());
  }

  /** The product's writes that paused something or took of it. */
  List<Step> lowerings() {
    return lowerings;
  }

  /** The product's writes that brought something back. */
  List<Step> resumes() {
    return resumes;
  }

  /**
   * Whether the product itself has taken a pause back at once: where a keep or a successor's word
   * stands on another object than the one that is lowered, it can be met only afterwards.
   */
  boolean tookBack(Step lowering) {
    return APART.contains(lowering.object().kind())
        && lowerings.contains(lowering)
        && history.lifeOf(lowering).stream()
            .filter(step -> resumes.contains(step))
            .filter(step -> step.write().revision() > lowering.write().revision())
            .anyMatch(step ->
                step.write().received().isBefore(lowering.write().answered().plus(AT_ONCE)));
  }

  /** The id under which a pause was made; empty when there is none. */
  String actionId(Step lowering) {
    return Marks.carrier(lowering, history)
        .map(carrier -> Marks.annotation(carrier, Marks.ACTION_ID).text())
        .orElse("");
  }

  /** What a pause has stored of the time before it; missing when that cannot be read. */
  Json beforePause(Step step) {
    String text =
        Marks.carrier(step, history)
            .map(carrier -> Marks.annotation(carrier, Marks.BEFORE_PAUSE).text())
            .orElse("");
    return parsed(text);
  }

  static Json parsed(String text) {
    try {
      return Json.parse(text.isEmpty() ? "null" : text);
    } catch (RuntimeException e) {
      return Json.parse("null");
    }
  }

  /** Notes something that could be neither proven nor disproven. */
  void unproven(String sentence) {
    unproven.add(sentence);
  }

  List<String> unproven() {
    return List.copyOf(unproven);
  }
}
