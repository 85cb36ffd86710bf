package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectTree;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the objects of one kind in memory and up to date: lists them, then follows their changes,
 * for ever. What is kept of each object is decided as it is read.
 *
 * <p>The server is asked to end each stream of changes after some time, and the next one begins
 * where it ended. So silence has a meaning: a stream that is neither ended nor speaking for long is
 * dead, and the age of the picture is always known.
 *
 * @param <T> what is kept of an object
 */
final class KindWatch<T> implements AutoCloseable {

  /**
   * How long one stream of changes lasts, and after how much silence it is given up. The server
   * marks the time in quiet streams every minute or two, so a stream may be silent for shorter than
   * it lasts.
   *
   * @param refused how long to wait before asking again for what the account may not read: rights
   *     change seldom, and every kind asks for itself
   */
  record Pace(Duration stream, Duration silence, Duration refused) {

    /** For what changes often, and matters at once. */
    static final Pace BRISK =
        new Pace(Duration.ofSeconds(60), Duration.ofSeconds(75), Duration.ofSeconds(30));

    static final Pace CALM =
        new Pace(Duration.ofMinutes(25), Duration.ofMinutes(4), Duration.ofMinutes(2));
  }

  private static final Logger LOG = LoggerFactory.getLogger(KindWatch.class);
  private static final int PAGE = 500;
  private static final int FAILURES_BEFORE_A_NEW_LIST = 4;

  /** A server that has just started may forbid for a moment what it granted before. */
  private static final int REFUSALS_TO_DOUBT = 6;

  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private final ApiServer api;
  private final ObjectLister.Query query;
  private final Function<ObjectTree, T> keep;
  private final Pace pace;
  private final CountDownLatch firstAnswer = new CountDownLatch(1);
  private final Thread thread;

  private volatile Map<String, T> objects = Map.of();
  private volatile boolean listed;
  private volatile long lastContact = System.nanoTime();
  private volatile @Nullable ApiRefusal refusal;
  private volatile boolean closed;

  /** Only the watching thread's: the moment up to which changes are known; empty before a list. */
  private String version = "";

  /** Only the watching thread's: how often in a row there was no stream of changes. */
  private int failures;

  /** Only the watching thread's: how many of the last of those were the server's own word. */
  private int refusals;

  KindWatch(
      ApiServer api,
      ResourceKind kind,
      String namespace,
      Projection projection,
      Pace pace,
      Function<ObjectTree, T> keep) {
    this.api = api;
    this.query = new ObjectLister.Query(kind, namespace, projection, PAGE, false);
    this.pace = pace;
    this.keep = keep;
    this.thread = Thread.ofVirtual().name("watch-" + kind.plural()).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Waits for the first list, or for the server's refusal to give one. */
  boolean awaitFirstAnswer(Duration limit) {
    try {
      return firstAnswer.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Whether there has been a list: before that, nothing can be said. */
  boolean listed() {
    return listed;
  }

  /** Why the server does not let this kind be read, if that is its last word. */
  Optional<ApiRefusal> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** For how long the server has not been heard of. */
  Duration silence() {
    return Duration.ofNanos(System.nanoTime() - lastContact);
  }

  Collection<T> values() {
    return objects.values();
  }

  Optional<T> find(String namespace, String name) {
    return Optional.ofNullable(objects.get(key(namespace, name)));
  }

  ResourceKind kind() {
    return query.kind();
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  private void run() {
    while (!closed) {
      try {
        if (version.isEmpty()) {
          list();
        }
        follow();
      } catch (ApiRefusal refused) {
        failures++;
        if (refused.expired()) {
          version = "";
        } else {
          refusals++;
          refusal = refused;
          firstAnswer.countDown();
        }
      } catch (Unavailable unreachable) {
        failures++;
        refusals = 0;
        LOG.debug("watch of {}: {}", query.kind().resource(), unreachable.getMessage());
      } catch (RuntimeException defect) {
        failures++;
        LOG.error("watch of {} is begun anew", query.kind().resource(), defect);
        version = "";
      }
      if (failures >= FAILURES_BEFORE_A_NEW_LIST) {
        version = "";
      }
      pause();
    }
  }

  /** The old picture stays readable until the new one is whole. */
  private void list() {
    Map<String, T> anew = new ConcurrentHashMap<>();
    String at =
        new ObjectLister(api)
            .list(
                query,
                () -> {
                  anew.clear();
                  return object -> anew.put(key(object), keep.apply(object));
                });
    objects = anew;
    listed = true;
    version = at;
    heard();
    firstAnswer.countDown();
  }

  private void follow() {
    String path =
        query.kind().path(query.namespace())
            + "?watch=true&allowWatchBookmarks=true&timeoutSeconds="
            + pace.stream().toSeconds()
            + "&resourceVersion="
            + ResourceKind.encoded(version);
    try (ApiReply reply = ApiServer.orRefuse(api.watch(path, pace.silence()))) {
      heard();
      failures = 0;
      ObjectParser.sequence(reply.body(), Projection.ofChanges(query.projection()), this::take);
      heard();
    } catch (IOException broken) {
      throw api.brokenOff(broken);
    }
  }

  private void take(ObjectTree change) {
    heard();
    ObjectTree object = query.kind().named(change.tree("object"));
    switch (change.textOr("", "type")) {
      case "ADDED", "MODIFIED" -> objects.put(key(object), keep.apply(object));
      case "DELETED" -> objects.remove(key(object));
      case "BOOKMARK" -> {
        // Only the version is news.
      }
      default ->
          throw new ApiRefusal(
              (int) object.number("code").orElse(500), object.textOr("no reason", "message"));
    }
    version = object.textOr(version, "metadata", "resourceVersion");
  }

  private void heard() {
    lastContact = System.nanoTime();
    refusal = null;
    refusals = 0;
  }

  /** A little even after success: a server that ends every stream at once is not to be stormed. */
  private void pause() {
    long usual =
        Math.min(LONGEST_PAUSE.toMillis(), SHORTEST_PAUSE.toMillis() << Math.min(failures, 10));
    long longest = isRefusedForGood() ? pace.refused().toMillis() : usual;
    try {
      Thread.sleep(Duration.ofMillis(longest / 2 + ThreadLocalRandom.current().nextLong(longest)));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      closed = true;
    }
  }

  private boolean isRefusedForGood() {
    ApiRefusal last = refusal;
    return last != null
        && (last.forbidden() || last.missing())
        && (!listed || refusals > REFUSALS_TO_DOUBT);
  }

  private static String key(ObjectTree object) {
    return key(object.textOr("", "metadata", "namespace"), object.textOr("", "metadata", "name"));
  }

  private static String key(String namespace, String name) {
    return namespace + "/" + name;
  }
}
