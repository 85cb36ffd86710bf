package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.output.Fields;
import dev.fallow.app.output.OutputFormat;
import dev.fallow.app.output.Table;
import dev.fallow.app.prune.LedgerHistory;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Verb;
import dev.fallow.server.Rejected;
import dev.fallow.server.history.HistoryPage;
import dev.fallow.server.history.HistoryQuery;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** What was paused and resumed, from the ledger: of the daemon in the cluster, or a file here. */
final class HistoryCommand {

  private static final List<String> COLUMNS =
      List.of("at", "verb", "outcome", "workload", "gpus", "reason", "by", "sentence");

  private static final List<String> VERBS =
      Arrays.stream(Verb.values()).map(verb -> verb.name().toLowerCase(Locale.ROOT)).toList();

  private HistoryCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "history",
            console,
            "Shows what was paused and resumed, the newest first. It asks the daemon in the"
                + " cluster unless --server or --ledger names another place.")
        .output()
        .option("-n|--namespace", "NAME", "Only this namespace; all by default.")
        .option("--kind", "KIND", "Only this kind, such as Deployment or RayCluster.ray.io.")
        .option("--name", "NAME", "Only workloads of this name.")
        .option("--verb", "VERB", "pause, resume, keep or end_keep.")
        .option("--since", "TIME", "Not before: RFC 3339, or a duration such as 24h.")
        .option("--limit", "NUMBER", "How many at most, up to 1000; 100 by default.")
        .daemon()
        .settings(List.of(Catalogue.LEDGER))
        .build(HistoryCommand::run);
  }

  private static int run(Call call) {
    OutputFormat format = call.output();
    HistoryQuery query = query(call);
    print(call.console(), format, rows(call, query));
    return ExitCode.DONE;
  }

  private static HistoryQuery query(Call call) {
    String limit = call.option("--limit").orElse("100");
    if (!limit.matches("[0-9]{1,4}")
        || Integer.parseInt(limit) < 1
        || Integer.parseInt(limit) > 1000) {
      throw new WrongUse("--limit: \"" + limit + "\" is not a number from 1 to 1000");
    }
    call.option("--verb")
        .ifPresent(verb -> {
          if (!VERBS.contains(verb.toLowerCase(Locale.ROOT))) {
            throw new WrongUse("--verb: \"" + verb + "\" is none of " + String.join(", ", VERBS));
          }
        });
    return new HistoryQuery(
        call.option("--namespace"),
        call.option("--kind"),
        call.option("--name"),
        call.option("--verb"),
        call.since("--since"),
        Integer.parseInt(limit),
        Optional.empty());
  }

  private static List<Map<String, Object>> rows(Call call, HistoryQuery query) {
    if (call.settings().isWritten(Catalogue.LEDGER)) {
      Optional<Ledger> ledger = ReadLedger.open(call, call.settings());
      try {
        HistoryPage page = new LedgerHistory(ledger).read(query);
        sayIfCut(call, query, page.next().isPresent());
        return page.items();
      } catch (Rejected rejected) {
        throw new WrongUse("--" + rejected.getMessage());
      } finally {
        ledger.ifPresent(Ledger::close);
      }
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      ObjectTree answer = DaemonQuestion.ask(call, path(query, query.limit() - rows.size(), next));
      answer.list("items").stream().map(ObjectTree::fields).forEach(rows::add);
      next = Optional.of(answer.textOr("", "next")).filter(cursor -> !cursor.isEmpty());
    } while (next.isPresent() && rows.size() < query.limit());
    sayIfCut(call, query, next.isPresent());
    return rows;
  }

  private static void sayIfCut(Call call, HistoryQuery query, boolean cut) {
    if (cut) {
      call.console()
          .say(
              "these are the newest "
                  + query.limit()
                  + "; --limit shows up to 1000, --since and the filters choose");
    }
  }

  private static String path(HistoryQuery query, int limit, Optional<String> cursor) {
    Map<String, Optional<?>> filters = new LinkedHashMap<>();
    filters.put("limit", Optional.of(limit));
    filters.put("cursor", cursor);
    filters.put("namespace", query.namespace());
    filters.put("kind", query.kind());
    filters.put("name", query.name());
    filters.put("verb", query.verb());
    filters.put("since", query.since());
    return DaemonQuestion.path("/api/v1/history", filters);
  }

  private static void print(Console console, OutputFormat format, List<Map<String, Object>> rows) {
    switch (format) {
      case JSON -> console.out().println(Fields.json(Map.of("items", rows)));
      case YAML -> console.out().print(Fields.yaml(Map.of("items", rows)));
      case CSV -> {
        console.out().println(Fields.csv(COLUMNS));
        rows.forEach(row ->
            console
                .out()
                .println(
                    Fields.csv(COLUMNS.stream().map(name -> row.getOrDefault(name, "")).toList())));
      }
      case TABLE, WIDE -> {
        Table table = new Table(List.of("AT", "WHAT", "OUTCOME", "WORKLOAD", "GPUS", "BY", "WHY"));
        rows.forEach(row ->
            table.row(
                List.of("at", "verb", "outcome", "workload", "gpus", "by", "sentence").stream()
                    .map(name -> Table.Cell.of(row.getOrDefault(name, "")))
                    .toList()));
        table.print(console.out(), console.coloured());
      }
    }
  }
}
