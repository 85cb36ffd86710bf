package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Prints the script that completes commands and flags in bash and zsh. */
final class CompletionCommand {

  private CompletionCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "completion",
            console,
            "Prints completion for bash and zsh; use it by: source <(fallow completion)")
        .build(call -> {
          CommandLine root = new CommandLine(Commands.root(console));
          console.out().print(AutoComplete.bash("fallow", root));
          return ExitCode.DONE;
        });
  }
}
