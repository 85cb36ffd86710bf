package dev.fallow.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program to its end and says what that took: time, processor time and memory. */
final class FallowProcess {

  private static final Duration LIMIT = Duration.ofMinutes(3);

  private FallowProcess() {}

  /**
   * @param cpu of all its threads, in the kernel's ticks of ten milliseconds
   * @param peakBytes the kernel's own high-water mark of resident memory
   * @param said the end of what it wrote to standard error
   */
  record Run(int exitCode, Duration wall, Duration cpu, long peakBytes, String said) {

    double seconds() {
      return wall.toNanos() / 1e9;
    }

    double mebibytes() {
      return peakBytes / 1048576.0;
    }
  }

  static Run run(List<String> command, Map<String, String> environment) throws IOException {
    Path err = Files.createTempFile("fallow-bench-", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(err.toFile());
      builder.environment().putAll(environment);
      long begin = System.nanoTime();
      Process process = builder.start();
      Usage usage = watch(process, begin + LIMIT.toNanos());
      Duration wall = Duration.ofNanos(System.nanoTime() - begin);
      List<String> said = Files.readAllLines(err);
      return new Run(
          process.exitValue(),
          wall,
          usage.cpu,
          usage.peakBytes,
          said.isEmpty() ? "" : said.getLast());
    } finally {
      Files.delete(err);
    }
  }

  private record Usage(Duration cpu, long peakBytes) {}

  /** Both only ever rise, so the last look before the end tells them. */
  private static Usage watch(Process process, long deadline) throws IOException {
    Usage last = new Usage(Duration.ZERO, 0);
    try {
      while (!process.waitFor(5, TimeUnit.MILLISECONDS)) {
        last = look(Path.of("/proc", "" + process.pid()), last);
        if (System.nanoTime() > deadline) {
          process.destroyForcibly().waitFor();
          throw new IOException("not done after " + LIMIT);
        }
      }
      return last;
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw new IOException("interrupted", e);
    }
  }

  private static Usage look(Path process, Usage before) {
    try {
      String stat = Files.readString(process.resolve("stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
      for (String line : Files.readAllLines(process.resolve("status"))) {
        if (line.startsWith("VmHWM:")) {
          long bytes = 1024 * Long.parseLong(line.replaceAll("\\D", ""));
          return new Usage(Duration.ofMillis(10 * ticks), bytes);
        }
      }
    } catch (IOException gone) {
      // It ended between two looks.
    }
    return before;
  }
}
