package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.Inspection;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.output.Explanation;
import dev.fallow.app.output.Fields;
import dev.fallow.app.output.OutputFormat;
import dev.fallow.app.settings.NearestName;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.prune.Decision;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** Shows the evidence behind one verdict. Changes nothing. */
final class WhyCommand {

  private WhyCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "why",
            console,
            "Shows the evidence behind one verdict: each pod, each GPU, each signal.")
        .word("KIND/NAME", "The workload, as kubectl names it: deploy/trainer.")
        .output()
        .live()
        .build(WhyCommand::run);
  }

  private static int run(Call call) {
    OutputFormat format = call.output();
    WorkloadName name = WorkloadName.parse(call.words().getFirst());
    try (LiveCluster cluster = LiveCluster.open(call)) {
      Inspection inspection = cluster.inspect();
      Optional<String> namespace = call.option("--namespace");
      Decision found = find(inspection.decisions(), name, namespace.orElseGet(cluster::namespace));
      explain(call.console(), format, new Explanation(found, inspection.at()));
      if (inspection.usage() instanceof Usage.Missing missing) {
        throw new Unavailable("prometheus", missing.failure(), missing.retryable());
      }
      return ExitCode.DONE;
    }
  }

  static void explain(Console console, OutputFormat format, Explanation explanation) {
    switch (format) {
      case JSON -> console.out().println(Fields.json(explanation.fields()));
      case YAML -> console.out().print(Fields.yaml(explanation.fields()));
      case TABLE, WIDE -> explanation.print(console);
      case CSV -> explanation.rows().forEach(row -> console.out().println(Fields.csv(row)));
    }
  }

  /** In the namespace meant if it is there, else wherever exactly one of that name is. */
  static Decision find(List<Decision> decisions, WorkloadName name, String namespace) {
    List<Decision> everywhere =
        decisions.stream().filter(decision -> name.names(rootOf(decision))).toList();
    List<Decision> here =
        everywhere.stream()
            .filter(decision -> decision.assessment().workload().namespace().equals(namespace))
            .toList();
    List<Decision> found = here.isEmpty() ? everywhere : here;
    if (found.size() == 1) {
      return found.getFirst();
    }
    if (found.isEmpty()) {
      List<String> names =
          decisions.stream()
              .map(decision -> rootOf(decision).qualifiedKind() + "/" + rootOf(decision).name())
              .toList();
      throw new WrongUse(
          "no GPU workload is called "
              + name
              + NearestName.of(name.toString(), names)
                  .map(near -> "; did you mean " + near + "?")
                  .orElse("; fallow list shows those there are"));
    }
    throw new WrongUse(
        name
            + " could be any of "
            + found.stream().map(decision -> rootOf(decision).toString()).toList()
            + "; name the namespace with -n or the group as in kind.group/name");
  }

  private static ObjectId rootOf(Decision decision) {
    return decision.assessment().workload().root();
  }
}
