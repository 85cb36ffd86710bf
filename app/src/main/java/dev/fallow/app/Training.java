package dev.fallow.app;

import dev.fallow.app.command.Commands;
import java.util.List;

/**
 * What is run once at build time so that the start-up cache holds the classes that short commands
 * load. Its only argument is a case folder.
 */
public final class Training {

  private Training() {}

  public static void main(String[] words) {
    Console console = Console.ofProcess();
    List<String[]> calls =
        List.of(
            new String[] {"--help"},
            new String[] {"replay", "--help"},
            new String[] {"replay", words[0]},
            new String[] {"replay", "--check", "-o", "json", words[0]});
    calls.forEach(call -> Commands.run(console, call));
  }
}
