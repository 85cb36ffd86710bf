package dev.fallow.rig;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The processes this JVM has started and not ended yet; they end with it at the latest. */
final class LiveProcesses {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(LiveProcesses::endAll, "rig-shutdown"));
  }

  private LiveProcesses() {}

  static void add(Process process) {
    LIVE.removeIf(other -> !other.isAlive());
    LIVE.add(process);
  }

  /** For rigs that nobody closed, such as one shared by all tests of a JVM. */
  private static void endAll() {
    LIVE.forEach(Process::destroyForcibly);
    for (Process process : LIVE) {
      try {
        process.waitFor(LIMIT);
      } catch (InterruptedException e) {
        throw Poll.interrupted(e);
      }
    }
    RigFolder.releaseOpen();
  }
}
