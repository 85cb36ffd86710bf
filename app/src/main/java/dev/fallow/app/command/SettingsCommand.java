package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.settings.SettingsReference;
import picocli.CommandLine.Model.CommandSpec;

/** Prints the reference of all settings: docs/settings.md is this text. */
final class SettingsCommand {

  private SettingsCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "settings",
            console,
            "Prints every setting as Markdown: flag, environment variable, default, range.")
        .build(call -> {
          console.out().print(SettingsReference.markdown());
          return ExitCode.DONE;
        });
  }
}
