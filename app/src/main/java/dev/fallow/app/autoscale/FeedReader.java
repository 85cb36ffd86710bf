package dev.fallow.app.autoscale;

import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.autoscale.SampleSource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads several feeds at once, a few at a time. One that fails costs the others nothing, and one
 * that takes too long is given up.
 */
final class FeedReader implements AutoCloseable {

  private static final int AT_ONCE = 4;

  /**
   * @param seen what was read
   * @param late what took too long
   * @param failure why something was not read, if anything was not
   */
  record Outcome(Map<Feed, Readings.Seen> seen, Set<Feed> late, Optional<Unavailable> failure) {}

  private final SampleSource source;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore permits = new Semaphore(AT_ONCE);

  FeedReader(SampleSource source) {
    this.source = source;
  }

  Outcome read(Set<Feed> feeds, Instant at, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    Map<Feed, Future<Readings.Seen>> asked = new LinkedHashMap<>();
    for (Feed feed : feeds) {
      asked.put(feed, threads.submit(() -> readOne(feed, at)));
    }
    Map<Feed, Readings.Seen> seen = new HashMap<>();
    Set<Feed> late = new LinkedHashSet<>();
    Optional<Unavailable> failure = Optional.empty();
    for (Map.Entry<Feed, Future<Readings.Seen>> one : asked.entrySet()) {
      try {
        long left = deadline - System.nanoTime();
        seen.put(one.getKey(), one.getValue().get(Math.max(left, 0), TimeUnit.NANOSECONDS));
      } catch (TimeoutException slow) {
        one.getValue().cancel(true);
        late.add(one.getKey());
        String name = one.getKey().name();
        failure =
            failure.or(() ->
                Optional.of(
                    new Unavailable(
                        "metrics",
                        name + " was not answered within " + patience.toSeconds() + " s",
                        true)));
      } catch (ExecutionException failed) {
        failure = failure.or(() -> Optional.of(unavailable(failed)));
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        failure = Optional.of(new Unavailable("metrics", "the program is ending", false));
      }
    }
    return new Outcome(seen, late, failure);
  }

  /**
   * The families that there are.
   *
   * @throws Unavailable if the source does not say so in time
   */
  Set<String> names(Instant at, Duration patience) {
    Future<Set<String>> asked = threads.submit(() -> source.names(at));
    try {
      return asked.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException slow) {
      asked.cancel(true);
      throw new Unavailable("metrics", "the names of metrics were not told in time", true);
    } catch (ExecutionException failed) {
      throw unavailable(failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Unavailable("metrics", "the program is ending", false);
    }
  }

  private Readings.Seen readOne(Feed feed, Instant at) throws InterruptedException {
    permits.acquire();
    try {
      return source.read(feed, at);
    } finally {
      permits.release();
    }
  }

  private static Unavailable unavailable(ExecutionException failed) {
    return failed.getCause() instanceof Unavailable away
        ? away
        : new Unavailable("metrics", "reading failed: " + failed.getCause(), true);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
