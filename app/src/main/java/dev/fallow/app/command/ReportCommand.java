package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.output.Fields;
import dev.fallow.app.output.OutputFormat;
import dev.fallow.app.output.Table;
import dev.fallow.app.prune.LedgerPlace;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.web.LedgerSavings;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.server.savings.SavingsQuery;
import dev.fallow.server.savings.SavingsSource;
import dev.fallow.server.savings.SavingsSource.Savings;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** GPU hours and money: busy, idle, kept, unknown, saved. */
final class ReportCommand {

  private static final Duration USUAL = Duration.ofDays(7);

  private ReportCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "report",
            console,
            "Shows what the GPUs' time went to and what that cost, the greatest waste first. It"
                + " asks the daemon in the cluster unless --server or --ledger names another"
                + " place.")
        .output()
        .option("--by", "WHAT", "namespace, workload, model, day or hour; namespace by default.")
        .option("--since", "TIME", "From then on: RFC 3339, or a duration; 7d by default.")
        .daemon()
        .settings(List.of(Catalogue.LEDGER))
        .build(ReportCommand::run);
  }

  private static int run(Call call) {
    OutputFormat format = call.output();
    SavingsQuery.By by = by(call.option("--by").orElse("namespace"));
    Instant from =
        call.since("--since")
            .orElseGet(() -> Instant.now().minus(USUAL))
            .truncatedTo(ChronoUnit.SECONDS);
    print(call.console(), format, by, read(call, by, from));
    return ExitCode.DONE;
  }

  private static SavingsQuery.By by(String text) {
    return Arrays.stream(SavingsQuery.By.values())
        .filter(one -> one.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(() ->
            new WrongUse(
                "--by: \"" + text + "\" is none of namespace, workload, model, day, hour"));
  }

  private static Savings read(Call call, SavingsQuery.By by, Instant from) {
    if (call.settings().isWritten(Catalogue.LEDGER)) {
      Optional<Ledger> ledger = LedgerPlace.open(call.settings(), call.console().environment());
      try {
        return new LedgerSavings(ledger, PriceBook.standard())
            .read(new SavingsQuery(Optional.of(from), Optional.of(Instant.now()), by), any -> true);
      } finally {
        ledger.ifPresent(Ledger::close);
      }
    }
    ObjectTree answer =
        DaemonQuestion.ask(
            call, "/api/v1/savings?by=" + by.name().toLowerCase(Locale.ROOT) + "&from=" + from);
    return new Savings(
        answer.instant("from").orElse(from),
        answer.instant("to").orElse(from),
        answer.list("items").stream().map(ObjectTree::fields).toList(),
        answer.tree("total").fields());
  }

  private static void print(
      Console console, OutputFormat format, SavingsQuery.By by, Savings savings) {
    switch (format) {
      case JSON -> console.out().println(Fields.json(fields(by, savings)));
      case YAML -> console.out().print(Fields.yaml(fields(by, savings)));
      case CSV -> {
        console.out().println(Fields.csv(SavingsSource.COLUMNS));
        savings
            .items()
            .forEach(item ->
                console
                    .out()
                    .println(
                        Fields.csv(
                            SavingsSource.COLUMNS.stream()
                                .map(name -> item.getOrDefault(name, ""))
                                .toList())));
      }
      case TABLE, WIDE -> table(console, by, savings);
    }
  }

  private static Map<String, Object> fields(SavingsQuery.By by, Savings savings) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("from", savings.from());
    fields.put("to", savings.to());
    fields.put("by", by.name().toLowerCase(Locale.ROOT));
    fields.put("items", savings.items());
    fields.put("total", savings.total());
    return fields;
  }

  private static void table(Console console, SavingsQuery.By by, Savings savings) {
    Table table =
        new Table(
            List.of(
                by.name(),
                "BUSY H",
                "IDLE H",
                "KEPT H",
                "UNKNOWN H",
                "SAVED H",
                "COST",
                "WASTED",
                "SAVED"));
    savings.items().forEach(item -> table.row(cells(item, String.valueOf(item.get("key")))));
    table.row(cells(savings.total(), "all"));
    table.print(console.out(), console.coloured());
    console.say("GPU hours from " + savings.from() + " to " + savings.to());
  }

  private static List<Table.Cell> cells(Map<String, Object> item, String key) {
    return SavingsSource.COLUMNS.stream()
        .map(column ->
            Table.Cell.of(
                column.equals("key")
                    ? key
                    : (column.endsWith("Dollars") ? "$" : "")
                        + String.format(Locale.ROOT, "%.1f", number(item.getOrDefault(column, 0)))))
        .toList();
  }

  private static double number(Object value) {
    return value instanceof Number number ? number.doubleValue() : 0;
  }
}
