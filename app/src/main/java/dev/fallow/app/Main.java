package dev.fallow.app;

import dev.fallow.app.command.Commands;

/** Where the process starts. */
public final class Main {

  private Main() {}

  public static void main(String[] words) {
    System.exit(Commands.run(Console.ofProcess(), words));
  }
}
