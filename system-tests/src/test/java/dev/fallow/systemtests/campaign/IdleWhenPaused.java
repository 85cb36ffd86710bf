package dev.fallow.systemtests.campaign;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * I1: whatever is paused was idle, on every GPU of every pod, for the whole window before; and had
 * been there for it.
 */
record IdleWhenPaused() implements Invariant {
  @Override
  public String name() {
    return "I1";
  }

  @Override
  public List<Violation> violations(Story story) {
    List<Violation> violations = new ArrayList<>();
    for (Step lowering : story.lowerings()) {
      Instant seen = lowering.write().received().minus(story.settings().slack());
      Span window = new Span(seen.minus(story.settings().window()), seen);
      story
          .evidence()
          .truth()
          .behind(lowering.object())
          .ifPresent(workload ->
              workload.pods().stream()
                  .filter(pod -> pod.life().contains(seen))
                  .forEach(pod -> check(lowering, window, pod, violations)));
    }
    return violations;
  }

  private void check(
      Step lowering, Span window, GroundTruth.TruePod pod, List<Violation> violations) {
    if (pod.life().from().isAfter(window.from())) {
      violations.add(
          violation(
              lowering.object(),
              "paused with pod %s that had run since %s only"
                  .formatted(pod.name(), pod.life().from()),
              lowering));
    }
    for (GroundTruth.TrueGpu gpu : pod.gpus()) {
      gpu.active().stream()
          .filter(window::overlaps)
          .findFirst()
          .ifPresent(active ->
              violations.add(
                  violation(
                      lowering.object(),
                      "paused while GPU %s of pod %s was busy from %s to %s, window from %s to %s"
                          .formatted(
                              gpu.id(),
                              pod.name(),
                              active.from(),
                              active.to(),
                              window.from(),
                              window.to()),
                      lowering)));
    }
  }
}
