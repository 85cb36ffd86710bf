package dev.fallow.app;

import dev.fallow.core.fleet.ClusterReader;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.idle.Judge;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/**
 * Reads a cluster's objects and its samples at the same time. How long a window the workloads need
 * only their objects tell, so the samples are asked for by the window that was needed last; where
 * that turns out too short they are asked for once more.
 *
 * <p>Who asks for a window so long that its samples cannot be read, or not held, stays unknown for
 * want of coverage, and nobody else with it: the others are judged by the longest that can be.
 */
public final class Gathering {

  private static final Duration TRY_AGAIN = Duration.ofHours(1);
  private static final Duration TRY_AGAIN_SOON = Duration.ofMinutes(10);

  private static final Duration LONGEST_REST = Duration.ofHours(6);

  /** In one look; what is shorter yet has its turn in the next. */
  private static final int MOST_TRIES = 3;

  private final ClusterReader reader;
  private final UsageSource source;
  private final IdleRule rule;
  private final Duration usual;
  private Duration window;

  /** Windows that could not be read, and until when they are not asked for again. */
  private final Map<Duration, Rest> rests = new HashMap<>();

  private record Rest(Duration length, Instant until) {}

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
    return new Gathered(cluster, enough(at, Judge.windowsNeeded(cluster, rule), finished(early)));
  }

  /**
   * @param needed the longest first
   */
  private Usage enough(Instant at, List<Duration> needed, Usage early) {
    rests.keySet().retainAll(needed);
    if (!isWhole(early)) {
      return window.equals(usual) ? early : usualInsteadOf(early, at);
    }
    restNoMore(window);
    int tries = 0;
    for (Duration longer : needed) {
      if (longer.compareTo(window) <= 0 || tries == MOST_TRIES) {
        break;
      }
      if (!isResting(at, longer)) {
        tries++;
        Usage usage = read(at, longer);
        if (isWhole(usage)) {
          window = longer;
          restNoMore(longer);
          return usage;
        }
        rest(at, longer, usage);
      }
    }
    Duration most = needed.getFirst();
    if (most.compareTo(window) < 0) {
      window = most.compareTo(usual) > 0 ? most : usual;
    }
    return early;
  }

  /** If not even the usual window can be read, the length was not the reason. */
  private Usage usualInsteadOf(Usage early, Instant at) {
    Usage less = read(at, usual);
    if (isWhole(less)) {
      rest(at, window, early);
      window = usual;
    }
    return less;
  }

  /** An answer of which something is missing proves nobody idle. */
  private static boolean isWhole(Usage usage) {
    return usage instanceof Usage.Complete;
  }

  private void restNoMore(Duration asked) {
    rests.keySet().removeIf(resting -> resting.compareTo(asked) <= 0);
  }

  /** A window rests while a shorter one does, whose samples are among its own. */
  private boolean isResting(Instant at, Duration asked) {
    return rests.entrySet().stream()
        .anyMatch(
            rest -> rest.getKey().compareTo(asked) <= 0 && at.isBefore(rest.getValue().until()));
  }

  /** For longer each time, since a read that fails takes its time. */
  private void rest(Instant at, Duration asked, Usage usage) {
    boolean forGood = usage instanceof Usage.Missing missing && !missing.retryable();
    Duration least = forGood ? TRY_AGAIN : TRY_AGAIN_SOON;
    Rest before = rests.get(asked);
    Duration doubled = before == null ? least : before.length().multipliedBy(2);
    Duration length =
        Stream.of(least, doubled)
            .max(Comparator.naturalOrder())
            .filter(one -> one.compareTo(LONGEST_REST) < 0)
            .orElse(LONGEST_REST);
    rests.put(asked, new Rest(length, at.plus(length)));
  }

  private Usage read(Instant at, Duration asked) {
    Usage usage = source.read(at, asked);
    return usage instanceof Usage.Complete all ? all.within(asked) : usage;
  }

  private Callable<Usage> reading(Instant at, Duration asked) {
    return () -> read(at, asked);
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
