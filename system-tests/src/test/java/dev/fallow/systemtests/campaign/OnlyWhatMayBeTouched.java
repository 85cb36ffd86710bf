package dev.fallow.systemtests.campaign;

import dev.fallow.rig.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * I7: the product changes only workloads that it may, only by patches, and in them only the field
 * that pauses and its own keys. What is exempt, protected or unknown it leaves alone.
 */
record OnlyWhatMayBeTouched() implements Invariant {
  private static final Set<String> FIELDS =
      Set.of(
          "apiVersion",
          "kind",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "metadata.resourceVersion");

  @Override
  public String name() {
    return "I7";
  }

  @Override
  public List<Violation> violations(Story story) {
    List<Violation> violations = new ArrayList<>();
    for (Write write : story.history().writes()) {
      boolean tried =
          write.user().equals(story.settings().user()) && write.entry().code() / 100 == 2;
      if (tried && !Story.isHousekeeping(write.object())) {
        checkShape(write, violations);
      }
    }
    story.ours().stream()
        .filter(step -> isMove(step))
        .forEach(step -> checkTarget(story, step, violations));
    return violations;
  }

  private void checkShape(Write write, List<Violation> violations) {
    if (!write.entry().verb().equals("patch")) {
      violations.add(ofWrite(write, "a " + write.entry().verb()));
      return;
    }
    if (!write.subresource().isEmpty()) {
      violations.add(ofWrite(write, "a patch of " + write.subresource()));
      return;
    }
    List<String> touched = new ArrayList<>();
    String pauseField = String.join(".", PauseField.of(write.object()).path());
    collect(write.request(), "", touched);
    touched.removeIf(path ->
        FIELDS.contains(path)
            || path.equals(pauseField)
            // Null around the field: what was absent before the pause is absent again.
            || (pauseField.startsWith(path + ".") && isNull(write.request(), path))
            || path.startsWith("metadata.annotations." + Marks.PREFIX));
    if (!touched.isEmpty()) {
      violations.add(ofWrite(write, "touches " + touched));
    }
  }

  private static boolean isNull(Json request, String path) {
    return request.at(path.split("\\.")).isMissing();
  }

  private Violation ofWrite(Write write, String sentence) {
    return new Violation(name(), write.object().toString(), sentence, List.of(write.entry()));
  }

  private static void collect(Json json, String path, List<String> leaves) {
    if (json.keys().isEmpty()) {
      leaves.add(path);
      return;
    }
    for (String key : json.keys()) {
      collect(json.at(key), path.isEmpty() ? key : path + "." + key, leaves);
    }
  }

  /** An intent or a pause; clean-ups and resumes are welcome everywhere. */
  private static boolean isMove(Step step) {
    return PauseField.of(step.object()).isLoweredBy(step)
        || !Marks.annotation(step.write().request(), Marks.INTENT).isMissing();
  }

  private void checkTarget(Story story, Step step, List<Violation> violations) {
    ObjectRef object = step.object();
    var workload = story.evidence().truth().behind(object);
    var seen = step.write().received().minus(story.settings().reaction());
    if (workload.isEmpty()) {
      violations.add(violation(object, "is no workload that anybody knows", step));
    } else if (!workload.get().pausable()) {
      violations.add(violation(object, "is of a kind that may not be paused", step));
    } else if (workload.get().exempt().stream()
        .anyMatch(span -> span.contains(seen) && span.contains(step.write().received()))) {
      violations.add(violation(object, "is exempt", step));
    }
    if (story.settings().protectedNamespaces().contains(object.namespace())) {
      violations.add(violation(object, "is in a protected namespace", step));
    }
    if (!Marks.annotation(step.before(), Marks.EXEMPT).text().isEmpty()) {
      violations.add(violation(object, "says itself that it is exempt", step));
    }
    List<Step> earlier =
        story.history().lives(ObjectRef.namespace(object.namespace())).stream()
            .flatMap(List::stream)
            .filter(change -> change.write().answered().isBefore(seen))
            .toList();
    boolean exemptNow =
        story
            .history()
            .stateAt(ObjectRef.namespace(object.namespace()), step.write().revision())
            .filter(state -> !Marks.annotation(state, Marks.EXEMPT).text().isEmpty())
            .isPresent();
    if (exemptNow
        && !earlier.isEmpty()
        && !Marks.annotation(earlier.getLast().after(), Marks.EXEMPT).text().isEmpty()) {
      violations.add(violation(object, "its namespace is exempt", earlier.getLast(), step));
    }
  }
}
