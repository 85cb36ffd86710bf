package dev.fallow.systemtests.campaign;

import dev.fallow.rig.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * I12: a resume leaves spec, labels and annotations as they were before the pause, but for what
 * others have changed meanwhile.
 */
record ResumesExactly() implements Invariant {
  @Override
  public String name() {
    return "I12";
  }

  @Override
  public List<Violation> violations(Story story) {
    List<Violation> violations = new ArrayList<>();
    for (Step resume : story.resumes()) {
      List<Step> life = story.history().lifeOf(resume);
      List<Step> earlier = life.subList(0, life.indexOf(resume));
      Optional<Step> pause =
          story.lowerings().stream().filter(earlier::contains).reduce((first, second) -> second);
      if (pause.isEmpty() || !pause.get().isBeforeKnown()) {
        story.unproven("I12 " + resume.object() + ": what was before the pause is not logged");
      } else {
        List<Step> between = earlier.subList(earlier.indexOf(pause.get()) + 1, earlier.size());
        check(story, pause.get(), between, resume, violations);
      }
    }
    return violations;
  }

  private void check(
      Story story, Step pause, List<Step> between, Step resume, List<Violation> violations) {
    Set<String> free = new HashSet<>();
    for (Step step : between) {
      if (!step.by(story.settings().user())) {
        differences(step.before(), step.after(), free);
      }
    }
    Set<String> different = new HashSet<>();
    differences(pause.before(), resume.after(), different);
    different.removeAll(free);
    different.removeIf(ResumesExactly::isOurOwn);
    if (!different.isEmpty()) {
      violations.add(
          violation(
              resume.object(),
              "not as it was before the pause: " + different.stream().sorted().toList(),
              pause,
              resume));
    }
    List<String> left =
        resume.after().at("metadata", "annotations").keys().stream()
            .filter(key -> Marks.OF_A_PAUSE.contains(key) || key.equals(Marks.INTENT))
            .toList();
    if (!left.isEmpty()) {
      violations.add(violation(resume.object(), "resumed and left " + left, resume));
    }
  }

  /**
   * Marks come and go with the pause, and keeps at any time; that no mark stays is checked apart.
   */
  private static boolean isOurOwn(String path) {
    String key = path.replaceFirst("^annotations ", "");
    return key.equals(Marks.INTENT)
        || Marks.OF_A_PAUSE.contains(key)
        || Marks.OF_A_KEEP.contains(key);
  }

  private static void differences(Json one, Json other, Set<String> paths) {
    for (String part : List.of("labels", "annotations")) {
      leaves(one.at("metadata", part), other.at("metadata", part), part, paths);
    }
    leaves(one.at("spec"), other.at("spec"), "spec", paths);
  }

  private static void leaves(Json one, Json other, String path, Set<String> paths) {
    if (one.keys().isEmpty() && other.keys().isEmpty()) {
      if (!one.toString().equals(other.toString()) && !bothEmpty(one, other)) {
        paths.add(path);
      }
      return;
    }
    Set<String> keys = new HashSet<>(one.keys());
    keys.addAll(other.keys());
    keys.forEach(key -> leaves(one.at(key), other.at(key), path + " " + key, paths));
  }

  /** Nothing, and an object with nothing in it. */
  private static boolean bothEmpty(Json one, Json other) {
    return Set.of("{}", "null").containsAll(List.of(one.toString(), other.toString()));
  }
}
