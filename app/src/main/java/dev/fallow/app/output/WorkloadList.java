package dev.fallow.app.output;

import dev.fallow.app.Console;
import dev.fallow.core.idle.Verdict;
import dev.fallow.core.report.Money;
import dev.fallow.core.savings.PriceBook;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All workloads, printed in any format. */
public final class WorkloadList {

  private static final List<String> CSV_COLUMNS =
      List.of(
          "workload",
          "verdict",
          "reason",
          "action",
          "gpus",
          "idleGpus",
          "use",
          "idleSince",
          "costPerHour",
          "wastedPerHour",
          "sentence");

  private WorkloadList() {}

  public static void print(
      Console console, OutputFormat format, List<WorkloadRow> rows, Instant at) {
    switch (format) {
      case JSON -> console.out().println(Fields.json(items(rows)));
      case YAML -> console.out().print(Fields.yaml(items(rows)));
      case CSV -> {
        console.out().println(Fields.csv(CSV_COLUMNS));
        for (WorkloadRow row : rows) {
          Map<String, Object> fields = row.fields();
          console
              .out()
              .println(
                  Fields.csv(
                      CSV_COLUMNS.stream().map(name -> fields.getOrDefault(name, "")).toList()));
        }
      }
      case TABLE -> {
        Table table = new Table(WorkloadRow.HEADINGS);
        rows.forEach(row -> table.row(row.cells(at)));
        table.print(console.out(), console.coloured());
      }
      case WIDE -> {
        List<String> headings = new ArrayList<>(WorkloadRow.HEADINGS);
        headings.addAll(List.of("ACTION", "SENTENCE"));
        Table table = new Table(headings);
        for (WorkloadRow row : rows) {
          List<Table.Cell> cells = new ArrayList<>(row.cells(at));
          cells.add(Table.Cell.of(row.decision().action()));
          cells.add(Table.Cell.of(row.decision().sentence()));
          table.row(cells);
        }
        table.print(console.out(), console.coloured());
      }
    }
  }

  private static Map<String, Object> items(List<WorkloadRow> rows) {
    return Map.of("items", rows.stream().map(WorkloadRow::fields).toList());
  }

  /** One line that sums the list up. */
  public static String summary(List<WorkloadRow> rows) {
    int gpus = rows.stream().mapToInt(row -> row.decision().assessment().workload().gpus()).sum();
    int idle = rows.stream().mapToInt(row -> row.cost().idleGpus()).sum();
    double wasted = rows.stream().mapToDouble(row -> row.cost().wastedPerHour()).sum();
    long idleWorkloads =
        rows.stream()
            .filter(row -> row.decision().assessment().verdict() instanceof Verdict.Idle)
            .count();
    return String.format(
        Locale.ROOT,
        "%d of %d GPUs (shares and MIG slices each count) are proven idle, about %s an hour; %d"
            + " of %d workloads are idle as a whole",
        idle,
        gpus,
        Money.text(wasted, rows.isEmpty() ? PriceBook.DOLLARS : rows.getFirst().currency()),
        idleWorkloads,
        rows.size());
  }
}
