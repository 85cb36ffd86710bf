package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.Inspection;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.output.OutputFormat;
import dev.fallow.app.output.WorkloadList;
import dev.fallow.app.output.WorkloadRow;
import dev.fallow.app.report.PriceFile;
import dev.fallow.app.settings.ReportSettings;
import dev.fallow.core.Unavailable;
import dev.fallow.core.idle.Usage;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Ranks a cluster's GPU workloads by what they waste. Changes nothing. */
final class ListCommand {

  private ListCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "list",
            console,
            "Lists every GPU workload with its verdict, worst waste first. Changes nothing.")
        .output()
        .live()
        .settings(List.of(ReportSettings.PRICES))
        .build(ListCommand::run);
  }

  private static int run(Call call) {
    OutputFormat format = call.output();
    try (LiveCluster cluster = LiveCluster.open(call)) {
      Inspection inspection = cluster.inspect();
      List<WorkloadRow> rows =
          WorkloadRow.of(inspection.decisions(), PriceFile.of(cluster.settings()));
      WorkloadList.print(call.console(), format, rows, inspection.at());
      inspection.cluster().notes().forEach(call.console()::say);
      return conclude(call, inspection, rows);
    }
  }

  /** What a person should hear after the table; a failed source is a failure of the command. */
  static int conclude(Call call, Inspection inspection, List<WorkloadRow> rows) {
    switch (inspection.usage()) {
      case Usage.Missing missing ->
          throw new Unavailable("prometheus", missing.failure(), missing.retryable());
      case Usage.Partial partial -> call.console().say(partial.warning());
      case Usage.Complete complete -> {
        // Nothing to add.
      }
    }
    call.console().say(rows.isEmpty() ? "no pod holds a GPU" : WorkloadList.summary(rows));
    return ExitCode.DONE;
  }
}
