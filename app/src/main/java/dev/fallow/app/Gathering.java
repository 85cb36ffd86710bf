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
 *
 * <p>Who asks for a window so long that its samples cannot be read, or not held, stays unknown for
 * want of coverage, and nobody else with it: the others are judged by the usual window.
 */
public final class Gathering {

  private static final Duration TRY_AGAIN = Duration.ofHours(1);

  private final ClusterReader reader;
  private final UsageSource source;
  private final IdleRule rule;
  private final Duration usual;
  private Duration window;
  private Duration unreadable = Duration.ZERO;
  private Instant unreadableUntil = Instant.MIN;

  public Gathering(ClusterReader reader, UsageSource source, IdleRule rule) {
    this.reader = reader;
    this.source = source;
    this.rule = rule;
    this.usual = Judge.readable(rule.window());
    this.window = usual;
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
    return new Gathered(
        cluster, enough(at, needed.compareTo(usual) > 0 ? needed : usual, finished(early)));
  }

  private Usage enough(Instant at, Duration needed, Usage early) {
    if (needed.compareTo(window) > 0 && !isUnreadable(at, needed)) {
      Usage longer = source.read(at, needed);
      if (!(longer instanceof Usage.Missing)) {
        window = needed;
        return longer;
      }
      unreadable = needed;
      unreadableUntil = at.plus(TRY_AGAIN);
      return early;
    }
    if (early instanceof Usage.Missing missing
        && !missing.retryable()
        && window.compareTo(usual) > 0) {
      unreadable = window;
      unreadableUntil = at.plus(TRY_AGAIN);
      window = usual;
      return source.read(at, usual);
    }
    if (needed.compareTo(window) < 0) {
      window = needed;
    }
    return early;
  }

  private boolean isUnreadable(Instant at, Duration needed) {
    return at.isBefore(unreadableUntil) && needed.compareTo(unreadable) >= 0;
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
