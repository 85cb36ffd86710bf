package dev.fallow.app.autoscale;

import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.autoscale.SampleSource;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Reads several feeds at once, a few at a time; one that fails costs the others nothing. */
final class FeedReader implements AutoCloseable {

  private static final int AT_ONCE = 4;

  /**
   * @param seen what was read
   * @param failure why something was not, if anything was not
   */
  record Outcome(Map<Feed, Readings.Seen> seen, Optional<Unavailable> failure) {}

  private final SampleSource source;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore permits = new Semaphore(AT_ONCE);

  FeedReader(SampleSource source) {
    this.source = source;
  }

  Outcome read(Set<Feed> feeds, Instant at) {
    Map<Feed, Future<Readings.Seen>> asked = new LinkedHashMap<>();
    for (Feed feed : feeds) {
      asked.put(feed, threads.submit(() -> readOne(feed, at)));
    }
    Map<Feed, Readings.Seen> seen = new HashMap<>();
    Optional<Unavailable> failure = Optional.empty();
    for (Map.Entry<Feed, Future<Readings.Seen>> one : asked.entrySet()) {
      try {
        seen.put(one.getKey(), one.getValue().get());
      } catch (ExecutionException failed) {
        failure = failure.or(() -> Optional.of(unavailable(failed)));
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        failure = Optional.of(new Unavailable("metrics", "the program is ending", false));
      }
    }
    return new Outcome(seen, failure);
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
