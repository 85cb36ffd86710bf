package dev.fallow.bench;

import dev.fallow.rig.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code bin/fallow prune -d}, or another part that stays, as a process seen from outside. */
final class Daemon implements AutoCloseable {

  private static final Duration TO_STOP = Duration.ofSeconds(30);

  private final Path folder;
  private final Process process;
  private final URI metrics;
  private final HttpClient http = HttpClient.newHttpClient();

  private Daemon(Path folder, Process process, URI metrics) {
    this.folder = folder;
    this.process = process;
    this.metrics = metrics;
  }

  /** With a new ledger and a free port. */
  static Daemon start(List<String> flags) throws IOException {
    return start(List.of("prune", "--daemon-mode"), flags);
  }

  /**
   * @param words which part
   */
  static Daemon start(List<String> words, List<String> flags) throws IOException {
    Path folder = Files.createTempDirectory("fallow-bench-");
    int port = FreePort.pick();
    List<String> command = new ArrayList<>(List.of("bin/fallow"));
    command.addAll(words);
    command.addAll(
        List.of(
            "--ledger",
            folder.resolve("ledger.db").toString(),
            "--metrics-addr",
            "127.0.0.1:" + port));
    command.addAll(flags);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    return new Daemon(folder, process, URI.create("http://127.0.0.1:" + port + "/metrics"));
  }

  long pid() {
    return process.pid();
  }

  Vitals vitals() throws IOException {
    return Vitals.of(pid());
  }

  /** Cycles so far and what they took together. */
  record Cycles(long count, double seconds) {

    Cycles since(Cycles before) {
      return new Cycles(count - before.count, seconds - before.seconds);
    }

    double mean() {
      return seconds / count;
    }
  }

  Cycles cycles() throws InterruptedException {
    return new Cycles((long) sum("fallow_cycle_seconds_count"), sum("fallow_cycle_seconds_sum"));
  }

  /** Waits until there were so many cycles. */
  Cycles awaitCycles(long count, Duration limit) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      Cycles now = cycles();
      if (now.count >= count) {
        return now;
      }
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new IOException("no " + count + " cycles:\n" + Files.readString(log()));
      }
      Thread.sleep(100);
    }
  }

  /** All series of a name together; zero as long as nobody answers. */
  double sum(String name) throws InterruptedException {
    try {
      return http.send(
              HttpRequest.newBuilder(metrics).timeout(Duration.ofSeconds(10)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
          .sum();
    } catch (IOException notYet) {
      return 0;
    }
  }

  Path log() {
    return folder.resolve("log");
  }

  @Override
  public void close() throws IOException {
    http.shutdownNow();
    process.destroy();
    try {
      if (!process.waitFor(TO_STOP.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException stopped) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
