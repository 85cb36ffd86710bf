package dev.fallow.app.output;

import dev.fallow.app.Console;
import dev.fallow.app.prune.Deed;
import dev.fallow.app.prune.Pruner;
import dev.fallow.core.idle.Durations;
import dev.fallow.core.idle.Verdict;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a run of pruning did, or would do: a line for each idle workload. */
public final class PruneTable {

  private static final List<String> COLUMNS =
      List.of("workload", "gpus", "idleSince", "verdict", "reason", "action", "result", "sentence");

  private PruneTable() {}

  public static void print(
      Console console, OutputFormat format, Pruner.Report report, boolean dryRun) {
    List<Map<String, Object>> rows = new ArrayList<>();
    List<Decision> idle = idle(report);
    for (Decision decision : idle) {
      Map<String, Object> fields = DecisionFields.of(decision);
      deedOn(decision, report)
          .ifPresent(deed -> {
            fields.put("actionId", deed.actionId());
            fields.put("outcome", deed.outcome().sentence());
          });
      fields.put("result", result(decision, report, dryRun));
      rows.add(fields);
    }
    switch (format) {
      case JSON -> console.out().println(Fields.json(Map.of("items", rows, "dryRun", dryRun)));
      case YAML -> console.out().print(Fields.yaml(Map.of("items", rows, "dryRun", dryRun)));
      case CSV -> {
        console.out().println(Fields.csv(COLUMNS));
        rows.forEach(row ->
            console
                .out()
                .println(
                    Fields.csv(COLUMNS.stream().map(name -> row.getOrDefault(name, "")).toList())));
      }
      case TABLE, WIDE -> table(console, format, report, dryRun, idle);
    }
  }

  private static void table(
      Console console,
      OutputFormat format,
      Pruner.Report report,
      boolean dryRun,
      List<Decision> idle) {
    List<String> headings =
        new ArrayList<>(List.of("WORKLOAD", "GPUS", "IDLE FOR", "RESULT", "REASON"));
    if (format == OutputFormat.WIDE) {
      headings.add("SENTENCE");
    }
    Table table = new Table(headings);
    for (Decision decision : idle) {
      List<Table.Cell> cells =
          new ArrayList<>(
              List.of(
                  Table.Cell.of(decision.assessment().workload().root()),
                  Table.Cell.of(decision.assessment().workload().gpus()),
                  Table.Cell.of(
                      decision
                          .assessment()
                          .idleSince()
                          .map(since ->
                              Durations.format(Duration.between(since, report.inspection().at())))
                          .orElse("–")),
                  Table.Cell.of(result(decision, report, dryRun)),
                  Table.Cell.of(decision.reason())));
      if (format == OutputFormat.WIDE) {
        cells.add(Table.Cell.of(decision.sentence()));
      }
      table.row(cells);
    }
    table.print(console.out(), console.coloured());
  }

  private static List<Decision> idle(Pruner.Report report) {
    return report.inspection().decisions().stream()
        .filter(decision ->
            decision.assessment().verdict() instanceof Verdict.Idle
                || deedOn(decision, report).isPresent())
        .sorted(report.inspection().greatestWasteFirst())
        .toList();
  }

  private static Optional<Deed> deedOn(Decision decision, Pruner.Report report) {
    return report.deeds().stream()
        .filter(deed -> deed.workload().equals(decision.assessment().workload().root()))
        .findFirst();
  }

  private static String result(Decision decision, Pruner.Report report, boolean dryRun) {
    Optional<Deed> deed = deedOn(decision, report);
    if (deed.isPresent()) {
      return switch (deed.get().outcome()) {
        case Outcome.Done done -> deed.get().verb() == Deed.Verb.PAUSE ? "paused" : "announced";
        case Outcome.Refused refused -> "left alone: " + refused.refusal().reason();
        case Outcome.Failed failed -> "failed";
      };
    }
    return switch (decision.action()) {
      case PAUSE -> dryRun ? "would pause" : "not paused";
      case KEEP -> "kept";
      case NONE -> "left alone";
    };
  }

  /** One line that sums the run up. */
  public static String summary(Pruner.Report report, boolean dryRun) {
    List<Decision> decisions = report.inspection().decisions();
    long idle =
        decisions.stream().filter(d -> d.assessment().verdict() instanceof Verdict.Idle).count();
    String looked = decisions.size() + " GPU workloads, " + idle + " idle, ";
    if (dryRun) {
      List<Decision> would =
          decisions.stream().filter(decision -> decision.action() == Action.PAUSE).toList();
      int gpus = would.stream().mapToInt(d -> d.assessment().workload().gpus()).sum();
      return looked
          + would.size()
          + " would be paused and give back "
          + gpus
          + " GPUs; pause them with --run-mode scale-down";
    }
    List<Deed> paused =
        report.deeds().stream()
            .filter(deed -> deed.verb() == Deed.Verb.PAUSE && deed.done())
            .toList();
    return looked
        + paused.size()
        + " paused, which gives back "
        + paused.stream().mapToInt(Deed::gpus).sum()
        + " GPUs";
  }
}
