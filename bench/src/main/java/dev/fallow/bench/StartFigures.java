package dev.fallow.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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

  /** Milliseconds of the clock and of the processor, which tells more on a machine that is busy. */
  private record Millis(double wall, double cpu) {

    static Millis medians(List<Millis> all) {
      return new Millis(median(all, Millis::wall), median(all, Millis::cpu));
    }

    private static double median(List<Millis> all, Function<Millis, Double> which) {
      return all.stream().map(which).sorted().toList().get(all.size() / 2);
    }
  }

  private static Map<String, Millis> measured(Map<String, List<String>> commands)
      throws IOException {
    Map<String, List<Millis>> millis = new LinkedHashMap<>();
    for (int i = 0; i < RUNS + 2; i++) {
      for (Map.Entry<String, List<String>> command : commands.entrySet()) {
        FallowProcess.Run run = FallowProcess.run(command.getValue(), Map.of());
        if (run.exitCode() != 0) {
          throw new IllegalStateException(command.getKey() + " failed: " + run.said());
        }
        if (i >= 2) {
          millis
              .computeIfAbsent(command.getKey(), any -> new ArrayList<>())
              .add(new Millis(1000 * run.seconds(), run.cpu().toMillis()));
        }
      }
    }
    Map<String, Millis> medians = new LinkedHashMap<>();
    millis.forEach((name, all) -> medians.put(name, Millis.medians(all)));
    return medians;
  }

  private static void report(Map<String, Millis> medians) {
    Millis hello = medians.get("bare hello");
    medians.forEach((name, median) ->
        System.out.printf(
            "start, %s: median of %d is %.0f ms (limit 2 x hello + 300 ms = %.0f ms);"
                + " processor time %.0f ms (2 x hello + 300 ms = %.0f ms)%n",
            name, RUNS, median.wall, 2 * hello.wall + 300, median.cpu, 2 * hello.cpu + 300));
  }
}
