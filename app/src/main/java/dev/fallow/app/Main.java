package dev.fallow.app;

import dev.fallow.app.command.Commands;

/** Where the process starts. */
public final class Main {

  private Main() {}

  public static void main(String[] words) {
    Console console = Console.ofProcess();
    int exitCode = Commands.run(console, words);
    console.flush();
    // Everything is closed by now. An orderly exit would first load the JDK's logging, to log it.
    Runtime.getRuntime().halt(exitCode);
  }
}
