package dev.fallow.systemtests.campaign;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * I5: budgets hold, across crashes and leaders: so many pauses per cycle, and of a namespace's
 * workloads no more than a share in any budget period, but one.
 */
record WithinBudget() implements Invariant {
  @Override
  public String name() {
    return "I5";
  }

  @Override
  public List<Violation> violations(Story story) {
    List<Violation> violations = new ArrayList<>();
    RunSettings settings = story.settings();
    Map<String, List<Step>> byNamespace =
        story.lowerings().stream()
            .collect(Collectors.groupingBy(step -> step.object().namespace()));
    byNamespace.forEach((namespace, lowerings) ->
        violations.addAll(
            crowds(
                "namespace " + namespace,
                lowerings,
                settings.budgetPeriod(),
                namespaceBudget(story, namespace))));
    if (story.evidence().cycles().isEmpty()) {
      // A stretch shorter than a cycle touches two of them at most.
      violations.addAll(
          crowds("a cycle", story.lowerings(), settings.cycle(), 2L * settings.pausesPerCycle()));
    } else {
      violations.addAll(cycles(story));
    }
    return violations;
  }

  static long namespaceBudget(Story story, String namespace) {
    long workloads =
        story.evidence().truth().workloads().stream()
            .filter(workload -> workload.object().namespace().equals(namespace))
            .count();
    return Math.max(1, (long) Math.floor(workloads * story.settings().namespaceShare()));
  }

  private List<Violation> crowds(String where, List<Step> inOrder, Duration period, long budget) {
    List<Violation> violations = new ArrayList<>();
    int first = 0;
    for (int last = 0; last < inOrder.size(); last++) {
      Instant from = inOrder.get(last).write().received().minus(period);
      while (!inOrder.get(first).write().received().isAfter(from)) {
        first++;
      }
      if (last - first + 1 > budget) {
        violations.add(
            violation(
                where,
                "%d pauses within %s, allowed %d".formatted(last - first + 1, period, budget),
                inOrder.subList(first, last + 1).toArray(Step[]::new)));
      }
    }
    return violations;
  }

  private List<Violation> cycles(Story story) {
    TreeMap<Instant, List<Step>> byCycle = new TreeMap<>();
    byCycle.put(Instant.MIN, new ArrayList<>());
    story.evidence().cycles().forEach(begin -> byCycle.put(begin, new ArrayList<>()));
    for (Step lowering : story.lowerings()) {
      byCycle.floorEntry(lowering.write().received()).getValue().add(lowering);
    }
    return byCycle.entrySet().stream()
        .filter(cycle -> cycle.getValue().size() > story.settings().pausesPerCycle())
        .map(cycle ->
            violation(
                "the cycle of " + cycle.getKey(),
                cycle.getValue().size() + " pauses",
                cycle.getValue().toArray(Step[]::new)))
        .toList();
  }
}
