package dev.fallow.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program to its end and says how long that took and how much memory it ever held. */
final class FallowProcess {

  private static final Duration LIMIT = Duration.ofMinutes(3);

  private FallowProcess() {}

  /**
   * @param peakBytes the kernel's own high-water mark of resident memory
   * @param said the end of what it wrote to standard error
   */
  record Run(int exitCode, Duration wall, long peakBytes, String said) {

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
      long peak = watch(process, begin + LIMIT.toNanos());
      Duration wall = Duration.ofNanos(System.nanoTime() - begin);
      List<String> said = Files.readAllLines(err);
      return new Run(process.exitValue(), wall, peak, said.isEmpty() ? "" : said.getLast());
    } finally {
      Files.delete(err);
    }
  }

  /** The mark only rises, so the last look before the end is the peak. */
  private static long watch(Process process, long deadline) throws IOException {
    Path status = Path.of("/proc", "" + process.pid(), "status");
    long peak = 0;
    try {
      while (!process.waitFor(5, TimeUnit.MILLISECONDS)) {
        peak = Math.max(peak, highWater(status));
        if (System.nanoTime() > deadline) {
          process.destroyForcibly().waitFor();
          throw new IOException("not done after " + LIMIT);
        }
      }
      return peak;
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw new IOException("interrupted", e);
    }
  }

  private static long highWater(Path status) {
    try {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith("VmHWM:")) {
          return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
    } catch (IOException gone) {
      // It ended between two looks.
    }
    return 0;
  }
}
