package dev.fallow.app.command;

import dev.fallow.adapters.casefolder.CaseFolder;
import dev.fallow.adapters.casefolder.Expectation;
import dev.fallow.adapters.casefolder.UnreadableCase;
import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.Inspection;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.output.DecisionFields;
import dev.fallow.app.output.Fields;
import dev.fallow.app.output.OutputFormat;
import dev.fallow.app.output.Style;
import dev.fallow.app.output.Table;
import dev.fallow.app.output.VerdictStyle;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.Decision;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;

/** Judges case folders offline, and compares with what they expect. */
final class ReplayCommand {

  private ReplayCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "replay",
            console,
            "Judges recorded evidence: folders with case.yaml, objects.yaml and samples.om.")
        .words("DIR", "Case folders.")
        .flag("--check", "Compare with what each case expects; exit 1 if something differs.")
        .output()
        .build(ReplayCommand::run);
  }

  private static int run(Call call) {
    boolean check = call.flag("--check");
    OutputFormat format = call.output();
    if (format == OutputFormat.CSV) {
      call.console().out().println(Fields.csv(HEADINGS));
    }
    int differences = 0;
    int unreadable = 0;
    for (String folder : call.words()) {
      try {
        CaseFolder read = CaseFolder.read(Path.of(folder));
        List<Decision> decisions = judge(read);
        print(call.console(), format, folder, read, decisions);
        if (check) {
          List<String> found = compare(read.expectations(), decisions);
          found.forEach(difference -> call.console().say(folder + ": " + difference));
          differences += found.size();
        }
      } catch (UnreadableCase | WrongUse | InvalidPathException failure) {
        unreadable++;
        printError(call.console(), format, folder, String.valueOf(failure.getMessage()));
      }
    }
    if (unreadable > 0) {
      return ExitCode.UNAVAILABLE;
    }
    return differences > 0 ? ExitCode.ATTENTION : ExitCode.DONE;
  }

  private static List<Decision> judge(CaseFolder read) {
    Settings settings = Settings.ofFile(read.settings(), read.folder() + "/case.yaml, settings");
    return Inspection.of(read.cluster(), read.samples(), read.at(), settings).decisions();
  }

  /** A listed workload has to match in each field given; no other may be paused. */
  private static List<String> compare(List<Expectation> expected, List<Decision> decisions) {
    Map<String, List<Decision>> byName = new LinkedHashMap<>();
    decisions.forEach(d ->
        byName
            .computeIfAbsent(d.assessment().workload().root().toString(), n -> new ArrayList<>(1))
            .add(d));
    List<String> differences = new ArrayList<>();
    Set<String> listed = new HashSet<>();
    for (Expectation line : expected) {
      listed.add(line.workload());
      List<Decision> found = byName.getOrDefault(line.workload(), List.of());
      if (found.isEmpty()) {
        differences.add(line.workload() + " was expected and is not there");
      }
      found.forEach(decision -> differences.addAll(compare(line, decision)));
    }
    decisions.forEach(decision -> {
      String name = decision.assessment().workload().root().toString();
      if (decision.action() == Action.PAUSE && !listed.contains(name)) {
        differences.add(name + " would be paused and is not listed");
      }
    });
    return differences;
  }

  private static List<String> compare(Expectation line, Decision decision) {
    List<String> differences = new ArrayList<>();
    differ(line, "verdict", line.verdict(), decision.assessment().verdict().name())
        .ifPresent(differences::add);
    differ(line, "reason", line.reason(), decision.reason()).ifPresent(differences::add);
    differ(line, "action", line.action(), decision.action().name()).ifPresent(differences::add);
    Map<String, Object> fields = DecisionFields.of(decision);
    line.others()
        .forEach((field, text) ->
            differ(line, field, Optional.of(text), String.valueOf(fields.getOrDefault(field, "")))
                .ifPresent(differences::add));
    return differences;
  }

  private static Optional<String> differ(
      Expectation line, String field, Optional<String> expected, String found) {
    return expected
        .filter(text -> !text.equals(found))
        .map(
            text -> line.workload() + ": " + field + " " + text + " expected, " + found + " found");
  }

  private static final List<String> HEADINGS =
      List.of("case", "workload", "verdict", "reason", "action", "gpus", "idleSince", "sentence");

  private static void print(
      Console console,
      OutputFormat format,
      String folder,
      CaseFolder read,
      List<Decision> decisions) {
    switch (format) {
      case JSON -> console.out().println(Fields.json(document(folder, read, decisions)));
      case YAML -> {
        console.out().println("---");
        console.out().print(Fields.yaml(document(folder, read, decisions)));
      }
      case CSV ->
          decisions.forEach(decision -> {
            Map<String, Object> fields = DecisionFields.of(decision);
            fields.put("case", folder);
            console
                .out()
                .println(
                    Fields.csv(
                        HEADINGS.stream().map(name -> fields.getOrDefault(name, "")).toList()));
          });
      case TABLE, WIDE -> {
        console
            .out()
            .println(Style.BOLD.on(Style.visible(folder), console.coloured()) + " at " + read.at());
        table(decisions).print(console.out(), console.coloured());
        console.out().println();
      }
    }
  }

  private static Map<String, Object> document(
      String folder, CaseFolder read, List<Decision> decisions) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("case", folder);
    document.put("at", read.at());
    document.put("workloads", decisions.stream().map(DecisionFields::of).toList());
    return document;
  }

  private static Table table(List<Decision> decisions) {
    Table table = new Table(List.of("WORKLOAD", "GPUS", "VERDICT", "REASON", "ACTION", "SENTENCE"));
    for (Decision decision : decisions) {
      table.row(
          List.of(
              Table.Cell.of(decision.assessment().workload().root()),
              Table.Cell.of(decision.assessment().workload().gpus()),
              VerdictStyle.cell(decision.assessment().verdict()),
              Table.Cell.of(decision.reason()),
              Table.Cell.of(decision.action()),
              Table.Cell.of(decision.sentence())));
    }
    return table;
  }

  private static void printError(
      Console console, OutputFormat format, String folder, String message) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("case", folder);
    document.put("error", message);
    switch (format) {
      case JSON -> console.out().println(Fields.json(document));
      case YAML -> {
        console.out().println("---");
        console.out().print(Fields.yaml(document));
      }
      case TABLE, WIDE, CSV -> console.say(folder + ": " + message);
    }
  }
}
