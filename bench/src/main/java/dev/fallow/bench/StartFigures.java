package dev.fallow.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * How long the program takes to start, beside a JVM that only says hello with the same flags. The
 * runs take turns, so that whatever else the machine does hits all alike.
 */
public final class StartFigures {

  private static final int RUNS = 15;

  private StartFigures() {}

  public static void main(String... none) throws IOException {
    Path folder = Files.createTempDirectory("fallow-bench-");
    try {
      Map<String, List<String>> commands = new LinkedHashMap<>();
      commands.put("bare hello", hello(folder));
      commands.put("fallow --help", List.of("bin/fallow", "--help"));
      commands.put("fallow replay", List.of("bin/fallow", "replay", "build/training-case"));
      report(measured(commands));
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** The flags are those that the launcher itself gives, read from it. */
  private static List<String> hello(Path folder) throws IOException {
    Path source =
        Files.writeString(
            folder.resolve("Hello.java"),
            """
            public class Hello {
              public static void main(String[] arguments) {
                System.out.println("hello");
              }
            }
            """);
    if (ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()) != 0) {
      throw new IllegalStateException("the hello does not compile");
    }
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    Files.readString(Path.of("bin/fallow"))
        .lines()
        .filter(line -> line.startsWith("options=") || line.startsWith("exec "))
        .flatMap(line -> Stream.of(line.split("[\\s\"]+")))
        .filter(word -> word.matches("-X\\S+|--enable-\\S+"))
        .forEach(command::add);
    command.addAll(List.of("-cp", folder.toString(), "Hello"));
    return command;
  }

  private static Map<String, Double> measured(Map<String, List<String>> commands)
      throws IOException {
    Map<String, List<Double>> millis = new LinkedHashMap<>();
    for (int i = 0; i < RUNS + 2; i++) {
      for (Map.Entry<String, List<String>> command : commands.entrySet()) {
        FallowProcess.Run run = FallowProcess.run(command.getValue(), Map.of());
        if (run.exitCode() != 0) {
          throw new IllegalStateException(command.getKey() + " failed: " + run.said());
        }
        if (i >= 2) {
          millis
              .computeIfAbsent(command.getKey(), any -> new ArrayList<>())
              .add(1000 * run.seconds());
        }
      }
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    millis.forEach((name, all) -> medians.put(name, all.stream().sorted().toList().get(RUNS / 2)));
    return medians;
  }

  private static void report(Map<String, Double> medians) {
    double limit = 2 * medians.get("bare hello") + 300;
    medians.forEach((name, median) ->
        System.out.printf(
            "start, %s: median of %d is %.0f ms; limit 2 x hello + 300 ms = %.0f ms%n",
            name, RUNS, median, limit));
  }
}
