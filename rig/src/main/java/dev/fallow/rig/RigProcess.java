package dev.fallow.rig;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One server of the rig as a child process on a port of its own. It can be ended in all the ways
 * servers end in real life, and started again on the same data and the same port.
 */
public final class RigProcess {
  private static final Duration READY_LIMIT = Duration.ofMinutes(3);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
  private static final String PORT_TAKEN = "address already in use";

  private final String name;
  private final Path log;
  private final IntFunction<List<String>> commandOnPort;
  private final IntPredicate readyOnPort;

  // Volatile, so that asking about a server need not wait for its start.
  private volatile @Nullable Process process;
  private volatile int port;
  private boolean portSettled;
  private boolean endWanted = true;
  private long logOffset;

  /**
   * @param commandOnPort the command line that makes the server listen on a port
   * @param readyOnPort whether the server on that port does its work; must not throw
   */
  RigProcess(
      String name, Path log, IntFunction<List<String>> commandOnPort, IntPredicate readyOnPort) {
    this.name = name;
    this.log = log;
    this.commandOnPort = commandOnPort;
    this.readyOnPort = readyOnPort;
  }

  /** Starts the server, or starts it again, and waits until it is ready. */
  public synchronized void start() {
    launch();
    awaitReady();
  }

  /** Starts the server without waiting. */
  synchronized void launch() {
    if (running()) {
      throw new IllegalStateException(name + " is running already");
    }
    if (!portSettled) {
      port = FreePort.pick();
    }
    logOffset = RigFolder.size(log);
    try {
      Process started =
          new ProcessBuilder(commandOnPort.apply(port))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      LiveProcesses.add(started);
      process = started;
      endWanted = false;
    } catch (IOException e) {
      throw new RigException("cannot start " + name, e);
    }
  }

  /** Waits until the server is ready; gives way when another process was faster with the port. */
  synchronized void awaitReady() {
    try {
      Poll.until(name + " is ready", READY_LIMIT, this::readyOrRelaunched);
    } catch (RigException e) {
      kill();
      throw new RigException(describe(e.getMessage()), e);
    }
    portSettled = true;
  }

  private boolean readyOrRelaunched() {
    if (running()) {
      return readyOnPort.test(port) && running();
    }
    if (!RigFolder.since(log, logOffset).toLowerCase(Locale.ROOT).contains(PORT_TAKEN)) {
      throw new RigException(name + " ended before it was ready");
    }
    launch();
    return false;
  }

  /** Asks the server to end (SIGTERM) and waits for it; a server that does not is killed. */
  public synchronized void stop() {
    endWanted = true;
    Process running = process;
    if (running == null) {
      return;
    }
    running.destroy();
    if (!ended(running)) {
      kill();
    }
  }

  /** Ends the server at once (SIGKILL), as a crash of its machine would. */
  public synchronized void kill() {
    endWanted = true;
    Process running = process;
    if (running == null) {
      return;
    }
    running.destroyForcibly();
    if (!ended(running)) {
      throw new RigException(name + " survived SIGKILL");
    }
  }

  /** Stops the server in its tracks (SIGSTOP): connections stay open and nobody answers. */
  public synchronized void freeze() {
    signal("-STOP");
  }

  /** Lets a frozen server go on. */
  public synchronized void thaw() {
    signal("-CONT");
  }

  private void signal(String signal) {
    ShortCommand.run(List.of("kill", signal, Long.toString(pid())));
  }

  public String name() {
    return name;
  }

  public boolean running() {
    Process started = process;
    return started != null && started.isAlive();
  }

  /** The port on 127.0.0.1; the same over all starts. */
  public int port() {
    return port;
  }

  public long pid() {
    Process started = process;
    if (started == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return started.pid();
  }

  /** The file with all output of all its starts. */
  public Path log() {
    return log;
  }

  /** Whether it ended without having been asked to. */
  synchronized boolean died() {
    return !endWanted && !running();
  }

  private String describe(@Nullable String problem) {
    return problem + "\n--- end of " + log + "\n" + RigFolder.tail(log);
  }

  private static boolean ended(Process process) {
    try {
      return process.waitFor(STOP_LIMIT);
    } catch (InterruptedException e) {
      throw Poll.interrupted(e);
    }
  }
}
