package dev.fallow.app;

import dev.fallow.app.command.Commands;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** One call of the program, kept to be looked at. */
public record RecordedConsole(int exitCode, String out, String err) {

  public static RecordedConsole run(String... words) {
    return run(Map.of(), words);
  }

  public static RecordedConsole run(List<String> words) {
    return run(Map.of(), words.toArray(String[]::new));
  }

  public static RecordedConsole run(Map<String, String> environment, String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            environment,
            false,
            false);
    int exitCode = Commands.run(console, words);
    return new RecordedConsole(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
