package dev.fallow.app.output;

import dev.fallow.app.Console;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.report.Money;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a report says besides its lines by one key.
 *
 * @param report by the names of the REST API, whether it came over it or not
 */
public record ReportTables(Console console, ObjectTree report, String currency) {

  /** The worst workloads, and the pauses that were regretted. */
  public void print() {
    List<ObjectTree> worst = report.list("worst");
    if (!worst.isEmpty()) {
      Table table = new Table(List.of("IDLE MOST", "TEAM", "IDLE H", "WASTED"));
      worst.forEach(one ->
          table.row(
              List.of(
                  Table.Cell.of(value(one, "workload")),
                  Table.Cell.of(value(one, "team").isEmpty() ? "–" : value(one, "team")),
                  Table.Cell.of(value(one, "idle")),
                  Table.Cell.of(Money.text(number(one, "wastedDollars"), currency)))));
      console.out().println();
      table.print(console.out(), console.coloured());
    }
    List<ObjectTree> regrets = report.list("regrets", "items");
    if (!regrets.isEmpty()) {
      Table table = new Table(List.of("REGRETTED", "GPUS", "PAUSED", "RESUMED", "BY"));
      regrets.forEach(one ->
          table.row(
              List.of("workload", "gpus", "pausedAt", "resumedAt", "by").stream()
                  .map(name -> Table.Cell.of(value(one, name)))
                  .toList()));
      console.out().println();
      table.print(console.out(), console.coloured());
    }
  }

  /** A sentence on how it was before, and one on regrets. */
  public static List<String> remarks(ObjectTree report) {
    List<String> remarks = new ArrayList<>();
    List<String> changes = new ArrayList<>();
    for (String what : List.of("cost", "wasted", "saved")) {
      if (report.tree("change").has(what)) {
        changes.add(
            String.format(
                Locale.ROOT, "%s %+.0f %%", what, 100 * number(report.tree("change"), what)));
      }
    }
    remarks.add(
        changes.isEmpty()
            ? "the ledger does not reach back far enough to compare with the time before"
            : "against the time before: " + String.join(", ", changes));
    ObjectTree regrets = report.tree("regrets");
    if (number(regrets, "pauses") > 0) {
      remarks.add(
          "%s of %s pauses were taken back by a person within %s minutes"
              .formatted(
                  value(regrets, "regretted"),
                  value(regrets, "pauses"),
                  value(regrets, "withinMinutes")));
    }
    return remarks;
  }

  private static String value(ObjectTree tree, String name) {
    return String.valueOf(tree.fields().getOrDefault(name, ""));
  }

  private static double number(ObjectTree tree, String name) {
    return tree.fields().get(name) instanceof Number number ? number.doubleValue() : 0;
  }
}
