package dev.fallow.systemtests.campaign;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * I1: whatever is paused was idle, on every GPU of every pod, for the whole window before; and had
 * been there for it. When the evidence was read is not logged: it was some moment of the slack
 * before the write, and one at which all of it was true is enough.
 */
record IdleWhenPaused() implements Invariant {
  private static final Duration MOMENT = Duration.ofMillis(1);

  @Override
  public String name() {
    return "I1";
  }

  @Override
  public List<Violation> violations(Story story) {
    List<Violation> violations = new ArrayList<>();
    for (Step lowering : story.lowerings()) {
      story
          .evidence()
          .truth()
          .behind(lowering.object())
          .flatMap(workload -> doubt(story.settings(), workload, lowering.write().received()))
          .ifPresent(sentence -> violations.add(violation(lowering.object(), sentence, lowering)));
    }
    return violations;
  }

  /** Why the pause was wrong whenever it was decided; as of the latest moment. */
  private static Optional<String> doubt(
      RunSettings settings, GroundTruth.TrueWorkload workload, Instant sent) {
    Instant earliest = sent.minus(settings.slack());
    boolean right =
        moments(settings, workload, earliest, sent)
            .anyMatch(seen -> doubtAt(settings, workload, seen).isEmpty());
    return right ? Optional.empty() : doubtAt(settings, workload, sent);
  }

  /** Whatever changes the answer changes it next to one of these. */
  private static Stream<Instant> moments(
      RunSettings settings, GroundTruth.TrueWorkload workload, Instant from, Instant to) {
    Stream<Instant> ofPods =
        workload.pods().stream()
            .flatMap(pod ->
                Stream.of(
                    pod.life().from(), pod.life().from().plus(settings.window()), pod.life().to()));
    Stream<Instant> ofGpus =
        workload.pods().stream()
            .flatMap(pod -> pod.gpus().stream())
            .flatMap(gpu -> gpu.active().stream())
            .map(active -> trimmed(active, settings.sampling()))
            .flatMap(active ->
                Stream.of(
                    active.from(),
                    active.to().equals(Instant.MAX)
                        ? active.to()
                        : active.to().plus(settings.window())));
    return Stream.concat(Stream.of(from, to), Stream.concat(ofPods, ofGpus))
        .filter(at -> !at.isBefore(from) && !at.isAfter(to))
        .flatMap(at -> Stream.of(at.minus(MOMENT), at, at.plus(MOMENT)))
        .filter(at -> !at.isBefore(from) && !at.isAfter(to));
  }

  private static Optional<String> doubtAt(
      RunSettings settings, GroundTruth.TrueWorkload workload, Instant seen) {
    Span window = new Span(seen.minus(settings.window()), seen);
    return workload.pods().stream()
        .filter(pod -> pod.life().contains(seen))
        .flatMap(pod -> doubt(settings, window, pod).stream())
        .findFirst();
  }

  private static Optional<String> doubt(
      RunSettings settings, Span window, GroundTruth.TruePod pod) {
    if (pod.life().from().isAfter(window.from())) {
      return Optional.of(
          "paused with pod %s that had run since %s only".formatted(pod.name(), pod.life().from()));
    }
    return pod.gpus().stream()
        .flatMap(gpu ->
            gpu.active().stream()
                .map(active -> trimmed(active, settings.sampling()))
                .filter(window::overlaps)
                .map(active ->
                    "paused while GPU %s of pod %s was busy from %s to %s, window from %s to %s"
                        .formatted(
                            gpu.id(),
                            pod.name(),
                            active.from(),
                            active.to(),
                            window.from(),
                            window.to())))
        .findFirst();
  }

  /** What surely shows of an activity in samples; nothing of one that is too short. */
  private static Span trimmed(Span active, Duration sampling) {
    Instant from = active.from().plus(sampling);
    Instant to = active.to().equals(Instant.MAX) ? active.to() : active.to().minus(sampling);
    return new Span(from, to.isBefore(from) ? from : to);
  }
}
