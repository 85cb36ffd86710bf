package dev.fallow.systemtests.campaign;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * I3: pauses, action ids and records in the ledger are one to one once there was time to repair; at
 * most one Event tells of each. A pause that was taken back before anybody could record it may be
 * written down as one in doubt.
 */
record OneRecordEach() implements Invariant {
  @Override
  public String name() {
    return "I3";
  }

  @Override
  public List<Violation> violations(Story story) {
    List<Violation> violations = new ArrayList<>();
    Map<String, List<LedgerRecord>> records =
        story.evidence().ledger().stream()
            .filter(record -> record.verb().equals(LedgerRecord.PAUSE))
            .collect(Collectors.groupingBy(LedgerRecord::actionId));
    Set<String> doubtful =
        story.evidence().ledger().stream()
            .filter(record -> record.verb().equals(LedgerRecord.DOUBTFUL_PAUSE))
            .map(LedgerRecord::actionId)
            .collect(Collectors.toSet());
    Map<String, Step> pauses = new HashMap<>();
    for (Step lowering : story.lowerings()) {
      String id = story.actionId(lowering);
      Step earlier = pauses.put(id, lowering);
      if (earlier != null) {
        violations.add(
            violation(lowering.object(), "two pauses with the id " + id, earlier, lowering));
      }
      List<LedgerRecord> sure = records.getOrDefault(id, List.of());
      if (!sure.isEmpty() || !doubtful.contains(id)) {
        checkRecords(story, lowering, sure, violations);
      }
    }
    records.forEach((id, all) -> {
      if (!pauses.containsKey(id)) {
        LedgerRecord record = all.getFirst();
        if (story.evidence().isBlindAt(record.at()) || wasSeenLater(story, id)) {
          story.unproven("I3 " + record.workload() + ": the pause " + id + " is not logged");
        } else {
          violations.add(violation(record.workload(), "a record of a pause that was not: " + id));
        }
      }
    });
    violations.addAll(events(story, pauses));
    return violations;
  }

  /** A server that is killed may lose its last lines; what they did shows on the object later. */
  private static boolean wasSeenLater(Story story, String id) {
    return !story.evidence().blind().isEmpty()
        && story.steps().stream()
            .anyMatch(step -> Marks.annotation(step.after(), Marks.ACTION_ID).text().equals(id));
  }

  private void checkRecords(
      Story story, Step lowering, List<LedgerRecord> records, List<Violation> violations) {
    boolean settled =
        lowering
            .write()
            .answered()
            .plus(story.settings().repair())
            .isBefore(story.evidence().end());
    if (records.isEmpty() && settled && !story.tookBack(lowering)) {
      violations.add(violation(lowering.object(), "paused and never recorded", lowering));
    }
    if (records.size() > 1) {
      violations.add(
          violation(lowering.object(), "recorded %d times".formatted(records.size()), lowering));
    }
    String title =
        story
            .evidence()
            .truth()
            .behind(lowering.object())
            .map(GroundTruth.TrueWorkload::title)
            .orElse("");
    for (LedgerRecord record : records) {
      if (!title.isEmpty() && !record.workload().equals(title)) {
        violations.add(violation(lowering.object(), "recorded as " + record.workload(), lowering));
      }
    }
  }

  /** An Event tells of a pause when it carries its id anywhere. */
  private List<Violation> events(Story story, Map<String, Step> pauses) {
    List<Violation> violations = new ArrayList<>();
    Map<String, List<Step>> told = new HashMap<>();
    story.steps().stream()
        .filter(step -> step.by(story.settings().user()) && step.isCreation())
        .filter(step -> step.object().resource().equals("events"))
        .forEach(event -> {
          String text = event.after().toString();
          String reason = event.after().at("reason").text();
          pauses.keySet().stream()
              .filter(id -> !id.isEmpty() && text.contains(id))
              .forEach(id ->
                  told.computeIfAbsent(id + " " + reason, any -> new ArrayList<>()).add(event));
        });
    told.forEach((what, events) -> {
      if (events.size() > 1) {
        violations.add(violation(what, events.size() + " Events", events.toArray(Step[]::new)));
      }
    });
    return violations;
  }
}
