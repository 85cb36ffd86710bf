package dev.fallow.systemtests.campaign;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * I10: when the faults have ended, what is idle and may be paused is paused within two cycles, as
 * far as notice and budget allow.
 */
record WorkResumes() implements Invariant {
  @Override
  public String name() {
    return "I10";
  }

  @Override
  public List<Violation> violations(Story story) {
    Map<String, List<GroundTruth.TrueWorkload>> standing =
        story.evidence().truth().workloads().stream()
            .filter(workload -> isDue(story, workload) && !isDown(story, workload))
            .collect(Collectors.groupingBy(workload -> workload.object().namespace()));
    List<Violation> violations = new ArrayList<>();
    standing.forEach((namespace, workloads) -> {
      long left = WithinBudget.namespaceBudget(story, namespace) - recentPauses(story, namespace);
      workloads.stream()
          .limit(Math.max(0, left))
          .forEach(workload ->
              violations.add(
                  violation(
                      workload.object(),
                      "idle, free to be paused, and still up at " + story.evidence().rested())));
    });
    return violations;
  }

  private static boolean isDue(Story story, GroundTruth.TrueWorkload workload) {
    RunSettings settings = story.settings();
    List<GroundTruth.TruePod> live =
        workload.pods().stream()
            .filter(pod -> pod.life().contains(story.evidence().rested()))
            .filter(pod -> !pod.gpus().isEmpty())
            .toList();
    boolean forbidden =
        !workload.pausable()
            || settings.protectedNamespaces().contains(workload.object().namespace())
            || workload.exempt().stream()
                .anyMatch(span -> span.to().isAfter(story.evidence().healed()))
            || saysExempt(story, workload.object())
            || saysExempt(story, ObjectRef.namespace(workload.object().namespace()));
    if (forbidden || live.isEmpty()) {
      return false;
    }
    Duration proof = settings.window().plus(settings.grace());
    Instant free =
        Stream.of(
                Stream.of(story.evidence().healed()),
                live.stream().map(pod -> pod.life().from().plus(proof)),
                live.stream()
                    .flatMap(pod -> pod.gpus().stream())
                    .flatMap(gpu -> gpu.active().stream())
                    .map(active -> plus(active.to(), settings.window())),
                keeps(story, workload).map(keep -> keep.binding().to()),
                story.evidence().dark().stream()
                    .map(darkness -> plus(darkness.span().to(), settings.window())),
                changesByOthers(story, workload).map(at -> at.plus(proof)))
            .flatMap(times -> times)
            .max(Comparator.naturalOrder())
            .orElseThrow();
    Duration patience =
        settings.notice().plus(settings.cycle().multipliedBy(2)).plus(settings.reaction());
    return plus(free, patience).isBefore(story.evidence().rested());
  }

  /** Never is never, whatever is added. */
  private static Instant plus(Instant at, Duration more) {
    return at.isAfter(Instant.MAX.minus(more)) ? Instant.MAX : at.plus(more);
  }

  private static Stream<KeepRequest> keeps(Story story, GroundTruth.TrueWorkload workload) {
    return story.evidence().keeps().stream()
        .filter(keep -> keep.workload().equals(workload.object()));
  }

  private static boolean saysExempt(Story story, ObjectRef object) {
    return story
        .history()
        .stateAt(object, Long.MAX_VALUE)
        .map(state -> !Marks.annotation(state, Marks.EXEMPT).text().isEmpty())
        .orElse(false);
  }

  /** People and other managers who undid a pause are left in peace for a while. */
  private static Stream<Instant> changesByOthers(Story story, GroundTruth.TrueWorkload workload) {
    return switches(workload)
        .flatMap(object -> story.history().lives(object).stream())
        .flatMap(List::stream)
        .filter(step -> !step.by(story.settings().user()))
        .filter(
            step -> !step.before().at("spec").toString().equals(step.after().at("spec").toString()))
        .map(step -> step.write().answered());
  }

  private static boolean isDown(Story story, GroundTruth.TrueWorkload workload) {
    return switches(workload)
        .anyMatch(object ->
            story
                .history()
                .stateAt(object, story.evidence().rested())
                .filter(state -> PauseField.of(object).isStopped(state))
                .isPresent());
  }

  private static Stream<ObjectRef> switches(GroundTruth.TrueWorkload workload) {
    return Stream.concat(Stream.of(workload.object()), workload.switches().stream()).distinct();
  }

  private static long recentPauses(Story story, String namespace) {
    Instant since = story.evidence().rested().minus(story.settings().budgetPeriod());
    return story.lowerings().stream()
        .filter(step -> step.object().namespace().equals(namespace))
        .filter(step -> step.write().received().isAfter(since))
        .count();
  }
}
