package dev.fallow.systemtests.faults;

import static org.awaitility.Awaitility.await;

import dev.fallow.core.prune.Step;
import dev.fallow.rig.FreePort;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The product as a process of its own, to be ended in all the ways in which processes end. */
public final class FallowProcess implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  private final Process process;
  private final Path orders;
  private final int port;

  private FallowProcess(Process process, Path orders, int port) {
    this.process = process;
    this.orders = orders;
    this.port = port;
  }

  /**
   * Starts a daemon.
   *
   * @param folder where its log and its orders lie
   * @param name tells it from others in the folder
   */
  public static FallowProcess daemon(
      Path folder, String name, Map<String, String> environment, List<String> words) {
    return daemon(folder, name, environment, words, "127.0.0.1");
  }

  /**
   * @param host where it is to be reached
   */
  public static FallowProcess daemon(
      Path folder, String name, Map<String, String> environment, List<String> words, String host) {
    int port = FreePort.pick();
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of("--metrics-addr", host + ":" + port));
    return start(folder, name, environment, all, port);
  }

  public int port() {
    return port;
  }

  /** Starts a single run. */
  static FallowProcess once(Path folder, String name, Step at, int count, List<String> words) {
    write(folder.resolve(name + ".orders"), at + " " + count + " any");
    return start(folder, name, Map.of(), words, 0);
  }

  /**
   * Starts it with these words alone.
   *
   * @param port where they let it be reached
   */
  public static FallowProcess start(
      Path folder, String name, Map<String, String> environment, List<String> words, int port) {
    Path orders = folder.resolve(name + ".orders");
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m"));
    command.addAll(program());
    command.addAll(List.of("-D" + HaltingMain.ORDERS + "=" + orders, HaltingMain.class.getName()));
    command.addAll(words);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".log").toFile()));
    builder.environment().keySet().removeIf(key -> key.startsWith("FALLOW_"));
    builder.environment().putAll(environment);
    try {
      Process started = builder.start();
      Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
      return new FallowProcess(started, orders, port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Where the program's classes are: those under test, or a built program's with its cache, which
   * starts in a third of the time.
   */
  private static List<String> program() {
    String tests = System.getProperty("surefire.test.class.path", "");
    String classes = tests.isEmpty() ? System.getProperty("java.class.path") : tests;
    String built = System.getProperty("campaign.program", "");
    if (built.isEmpty()) {
      return List.of("-cp", classes);
    }
    Path library = Path.of(System.getProperty("fallow.root", "."), built);
    try {
      String id = Files.readString(library.resolve("build-id")).strip();
      return List.of(
          "-XX:+UseCompactObjectHeaders",
          "-XX:AOTCache=" + library.resolve("fallow-" + id + ".aot"),
          "-cp",
          library.resolve("fallow.jar")
              + File.pathSeparator
              + classes.split(File.pathSeparator)[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it has begun to serve. */
  public FallowProcess awaitUp() {
    return awaitUpOrEnd().alive();
  }

  /** Waits until it has finished so many cycles more. */
  public FallowProcess awaitCycles(int more) {
    return awaitCyclesOrEnd(more).alive();
  }

  private FallowProcess alive() {
    if (!running()) {
      throw new AssertionError("it ended with " + process.exitValue());
    }
    return this;
  }

  /** The same for one that may have been told to die. */
  FallowProcess awaitUpOrEnd() {
    await().atMost(LIMIT).until(() -> !running() || !page("/healthz").isEmpty());
    return this;
  }

  /** The same for one that may have been told to die. */
  FallowProcess awaitCyclesOrEnd(int more) {
    long before = cycles();
    await().atMost(LIMIT).until(() -> !running() || cycles() >= before + more);
    return this;
  }

  /** How many cycles it has finished as the leader. */
  public long cycles() {
    return page("/metrics")
        .lines()
        .filter(line -> line.startsWith("fallow_cycle_seconds_count"))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .mapToLong(number -> (long) Double.parseDouble(number))
        .findFirst()
        .orElse(0);
  }

  /** What it answers there; nothing if it does not. */
  public String page(String path) {
    try {
      return HTTP.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                  .timeout(Duration.ofSeconds(2))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** Lets it die when it comes to a step with this kind, or so many times with any. */
  void dieAt(Step step, int count, String kind) {
    write(orders, step + " " + count + " " + kind);
  }

  /** At which step of which kind it died as it was told; empty if it did not. */
  String deathNote() {
    Path note = Path.of(orders + ".died");
    try {
      return Files.exists(note) ? Files.readString(note) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** It may live. */
  void live() {
    try {
      Files.deleteIfExists(orders);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public boolean running() {
    return process.isAlive();
  }

  /** Waits for its end; -1 if it goes on. */
  int exitCode(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS) ? process.exitValue() : -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly();
    exitCode(LIMIT);
  }

  /** SIGTERM, as Kubernetes ends a container; whether it obeyed. */
  boolean stop() {
    process.destroy();
    boolean obeyed = exitCode(Duration.ofSeconds(30)) >= 0;
    kill();
    return obeyed;
  }

  /** SIGSTOP. */
  void freeze() {
    signal("-STOP");
  }

  /** SIGCONT. */
  void thaw() {
    signal("-CONT");
  }

  private void signal(String signal) {
    try {
      new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill();
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
