package dev.fallow.app.command;

import dev.fallow.adapters.casefolder.CaseFolderWriter;
import dev.fallow.adapters.casefolder.Expectation;
import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.Inspection;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.core.Unavailable;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.prune.Decision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** Writes a live cluster's evidence, and what was decided on it, to a folder. */
final class RecordCommand {

  private RecordCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "record",
            console,
            "Writes a cluster's evidence to a folder that replay judges again, offline.",
            "Only what decides a verdict is written: no environment, no secrets.")
        .word("DIR", "The folder to write; it must not exist, or be empty.")
        .live()
        .build(RecordCommand::run);
  }

  private static int run(Call call) {
    Path folder = Path.of(call.words().getFirst());
    refuseFull(folder);
    try (LiveCluster cluster = LiveCluster.open(call)) {
      Inspection inspection = cluster.inspect();
      if (inspection.usage() instanceof Usage.Missing missing) {
        throw new Unavailable("prometheus", missing.failure(), missing.retryable());
      }
      if (inspection.usage() instanceof Usage.Partial partial) {
        call.console().say(partial.warning());
      }
      inspection.cluster().notes().forEach(call.console()::say);
      new CaseFolderWriter(folder)
          .write(
              inspection.at(),
              cluster.settings().written(),
              inspection.decisions().stream().map(RecordCommand::expectation).toList(),
              inspection.cluster(),
              inspection.usage().series());
      call.console()
          .say(
              "wrote "
                  + inspection.decisions().size()
                  + " workloads to "
                  + folder
                  + "; judge them again with: fallow replay --check "
                  + folder);
      return ExitCode.DONE;
    } catch (IOException unwritable) {
      throw new Unavailable(
          "case", folder + " cannot be written: " + unwritable.getMessage(), false, unwritable);
    }
  }

  private static void refuseFull(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (var entries = Files.list(folder)) {
      if (entries.findAny().isPresent()) {
        throw new WrongUse(folder + " is not empty; name a new folder");
      }
    } catch (IOException unreadable) {
      throw new WrongUse(folder + " is not a folder that can be written");
    }
  }

  private static Expectation expectation(Decision decision) {
    return new Expectation(
        decision.assessment().workload().root().toString(),
        Optional.of(decision.assessment().verdict().name()),
        Optional.of(decision.reason()),
        Optional.of(decision.action().name()),
        Map.of());
  }
}
