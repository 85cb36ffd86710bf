package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.output.Fields;
import dev.fallow.app.output.OutputFormat;
import dev.fallow.app.output.ReportTables;
import dev.fallow.app.output.Table;
import dev.fallow.app.report.LedgerReports;
import dev.fallow.app.report.PriceFile;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.ReportSettings;
import dev.fallow.app.settings.Settings;
import dev.fallow.app.web.LedgerSavings;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.report.Money;
import dev.fallow.core.report.Report;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.server.report.ReportFields;
import dev.fallow.server.report.ReportPage;
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
import java.util.function.BiFunction;
import picocli.CommandLine.Model.CommandSpec;

/** GPU hours and money: busy, idle, kept, unknown, saved; regrets, and how it was before. */
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
        .option("-o|--output", "FORMAT", "table, wide, json, yaml, csv or html; table by default.")
        .option("-n|--namespace", "NAME", "Only this namespace; all by default.")
        .option(
            "--by", "WHAT", "namespace, team, workload, model, day or hour; namespace by default.")
        .option(
            "--since",
            "TIME",
            "From then on: RFC 3339, or a duration; by default the last 7 days that were counted.")
        .daemon()
        .settings(List.of(Catalogue.LEDGER, ReportSettings.PRICES))
        .build(ReportCommand::run);
  }

  /** What a call asks for. */
  private record Wish(
      Call call, SavingsQuery.By by, Optional<Instant> since, Optional<String> namespace) {

    static Wish of(Call call) {
      return new Wish(
          call,
          by(call.option("--by").orElse("namespace")),
          call.since("--since").map(moment -> moment.truncatedTo(ChronoUnit.SECONDS)),
          call.option("--namespace"));
    }

    boolean counts(String other) {
      return namespace.map(other::equals).orElse(true);
    }

    private static SavingsQuery.By by(String text) {
      return Arrays.stream(SavingsQuery.By.values())
          .filter(one -> one.name().equalsIgnoreCase(text))
          .findFirst()
          .orElseThrow(() ->
              new WrongUse(
                  "--by: \"" + text + "\" is none of namespace, team, workload, model, day, hour"));
    }

    /** For a ledger here, which goes by this machine's clock. */
    Instant begin(Instant now) {
      Instant from = since.orElseGet(() -> now.minus(USUAL).truncatedTo(ChronoUnit.SECONDS));
      if (!from.isBefore(now)) {
        throw new WrongUse("--since: " + from + " is yet to come");
      }
      return from;
    }
  }

  /** Lines by one key, and what the report says besides. */
  private record Answer(Savings savings, ObjectTree report) {}

  private static int run(Call call) {
    boolean page = call.option("--output").filter("html"::equalsIgnoreCase).isPresent();
    OutputFormat format = page ? OutputFormat.TABLE : call.output();
    Wish wish = Wish.of(call);
    if (page) {
      call.console().out().print(page(wish));
    } else {
      print(call.console(), format, wish.by(), read(wish));
    }
    return ExitCode.DONE;
  }

  private static Answer read(Wish wish) {
    Instant now = Instant.now();
    return ofLedger(
            wish.call(),
            (ledger, prices) ->
                new Answer(
                    new LedgerSavings(ledger, prices)
                        .read(
                            new SavingsQuery(
                                Optional.of(wish.begin(now)), Optional.of(now), wish.by()),
                            wish::counts),
                    new ObjectTree(ReportFields.of(report(ledger, prices, wish, now)))))
        .orElseGet(() -> ofDaemon(wish));
  }

  private static String page(Wish wish) {
    Instant now = Instant.now();
    return ofLedger(
            wish.call(), (ledger, prices) -> ReportPage.of(report(ledger, prices, wish, now)))
        .orElseGet(() -> {
          if (wish.since().isPresent()) {
            reportOfDaemon(wish);
          }
          return DaemonQuestion.text(wish.call(), reportPath(wish, Optional.of("html")));
        });
  }

  private static Report report(Optional<Ledger> ledger, PriceBook prices, Wish wish, Instant now) {
    return new LedgerReports(ledger, prices)
        .read(Optional.of(wish.begin(now)), Optional.of(now), wish::counts);
  }

  /** Nothing if the call names no ledger. */
  private static <T> Optional<T> ofLedger(
      Call call, BiFunction<Optional<Ledger>, PriceBook, T> work) {
    Settings settings = call.settings();
    PriceBook prices = PriceFile.of(settings);
    if (!settings.isWritten(Catalogue.LEDGER)) {
      if (settings.isWritten(ReportSettings.PRICES)) {
        call.console().say("--prices has no effect without --ledger: the daemon has its own");
      }
      return Optional.empty();
    }
    Optional<Ledger> ledger = ReadLedger.open(call, settings);
    try {
      return Optional.of(work.apply(ledger, prices));
    } finally {
      ledger.ifPresent(Ledger::close);
    }
  }

  /**
   * The daemon's clock may be another than ours, so it is the one to say when the usual time began.
   * It goes on meanwhile; both questions are to be of the same time.
   */
  private static Answer ofDaemon(Wish wish) {
    ObjectTree report = reportOfDaemon(wish);
    Map<String, Optional<?>> parameters = new LinkedHashMap<>();
    parameters.put("by", Optional.of(wish.by().name().toLowerCase(Locale.ROOT)));
    parameters.put("namespace", wish.namespace());
    parameters.put("from", wish.since().or(() -> counted(report, "from")));
    parameters.put("to", counted(report, "to"));
    ObjectTree answer =
        DaemonQuestion.ask(wish.call(), DaemonQuestion.path("/api/v1/savings", parameters));
    return new Answer(
        new Savings(
            answer.instant("from").orElse(Instant.EPOCH),
            answer.instant("to").orElse(Instant.EPOCH),
            answer.textOr(PriceBook.DOLLARS, "currency"),
            answer.list("items").stream().map(ObjectTree::fields).toList(),
            answer.tree("total").fields()),
        report);
  }

  private static ObjectTree reportOfDaemon(Wish wish) {
    ObjectTree report = DaemonQuestion.ask(wish.call(), reportPath(wish, Optional.empty()));
    Optional<Instant> from = wish.since();
    Optional<Instant> to = counted(report, "to");
    if (from.isPresent() && to.isPresent() && !from.get().isBefore(to.get())) {
      throw new WrongUse(
          "--since: the daemon has counted up to "
              + to.get()
              + ", and nothing from "
              + from.get()
              + " on; name an earlier time");
    }
    return report;
  }

  private static String reportPath(Wish wish, Optional<String> format) {
    Map<String, Optional<?>> parameters = new LinkedHashMap<>();
    parameters.put("format", format);
    parameters.put("namespace", wish.namespace());
    parameters.put("from", wish.since());
    return DaemonQuestion.path("/api/v1/report", parameters);
  }

  /** A ledger in which nothing has been counted yet answers with the beginning of time. */
  private static Optional<Instant> counted(ObjectTree report, String field) {
    return report.instant(field).filter(Instant.EPOCH::isBefore);
  }

  private static void print(
      Console console, OutputFormat format, SavingsQuery.By by, Answer answer) {
    switch (format) {
      case JSON -> console.out().println(Fields.json(fields(by, answer)));
      case YAML -> console.out().print(Fields.yaml(fields(by, answer)));
      case CSV -> {
        console.out().println(Fields.csv(SavingsSource.COLUMNS));
        answer
            .savings()
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
      case TABLE, WIDE -> {
        table(console, by, answer.savings());
        if (format == OutputFormat.WIDE) {
          new ReportTables(console, answer.report(), answer.savings().currency()).print();
        }
        ReportTables.remarks(answer.report()).forEach(console::say);
      }
    }
  }

  private static Map<String, Object> fields(SavingsQuery.By by, Answer answer) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("from", answer.savings().from());
    fields.put("to", answer.savings().to());
    fields.put("by", by.name().toLowerCase(Locale.ROOT));
    fields.put("currency", answer.savings().currency());
    fields.put("items", answer.savings().items());
    fields.put("total", answer.savings().total());
    for (String more : List.of("before", "change", "worst", "regrets")) {
      fields.put(more, answer.report().fields().getOrDefault(more, Optional.empty()));
    }
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
    savings
        .items()
        .forEach(item -> table.row(cells(item, String.valueOf(item.get("key")), savings)));
    table.row(cells(savings.total(), "all", savings));
    table.print(console.out(), console.coloured());
    console.say("GPU hours from " + savings.from() + " to " + savings.to());
  }

  private static List<Table.Cell> cells(Map<String, Object> item, String key, Savings savings) {
    return SavingsSource.COLUMNS.stream()
        .map(column ->
            Table.Cell.of(
                column.equals("key")
                    ? key
                    : figure(column, number(item.getOrDefault(column, 0)), savings.currency())))
        .toList();
  }

  private static String figure(String column, double value, String currency) {
    return column.endsWith("Dollars")
        ? Money.text(value, currency)
        : String.format(Locale.ROOT, "%.1f", value);
  }

  private static double number(Object value) {
    return value instanceof Number number ? number.doubleValue() : 0;
  }
}
