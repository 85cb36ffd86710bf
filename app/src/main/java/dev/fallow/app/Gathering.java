package dev.fallow.app;

import dev.fallow.core.fleet.ClusterReader;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.idle.Judge;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Reads a cluster's objects and its samples at the same time. How long a window the workloads need
 * only their objects tell, so the samples are asked for by the window that was needed last; where
 * that turns out too short they are asked for once more.
 */
public final class Gathering {

  private final ClusterReader reader;
  private final UsageSource source;
  private final IdleRule rule;
  private Duration window;

  public Gathering(ClusterReader reader, UsageSource source, IdleRule rule) {
    this.reader = reader;
    this.source = source;
    this.rule = rule;
    this.window = rule.window();
  }

  /** Objects as they are now, and the samples up to a moment. */
  public record Gathered(ClusterState cluster, Usage usage) {}

  /**
   * @throws dev.fallow.core.Unavailable if there are no objects; the samples are not waited for
   */
  public Gathered upTo(Instant at) {
    FutureTask<Usage> early = new FutureTask<>(reading(at, window));
    Thread.ofVirtual().name("samples").start(early);
    ClusterState cluster = reader.read();
    Duration needed = Judge.windowNeeded(cluster, rule);
    Usage usage = finished(early);
    boolean tooShort = needed.compareTo(window) > 0;
    window = needed.compareTo(rule.window()) > 0 ? needed : rule.window();
    return new Gathered(cluster, tooShort ? source.read(at, window) : usage);
  }

  private Callable<Usage> reading(Instant at, Duration asked) {
    return () -> source.read(at, asked);
  }

  private static Usage finished(FutureTask<Usage> early) {
    try {
      return early.get();
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof RuntimeException defect
          ? defect
          : new IllegalStateException(failed.getCause());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return new Usage.Missing("the samples were not waited for: the program is ending");
    }
  }
}
