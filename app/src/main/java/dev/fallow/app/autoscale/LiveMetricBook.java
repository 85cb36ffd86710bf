package dev.fallow.app.autoscale;

import dev.fallow.app.log.Log;
import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Drop;
import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.MetricBook;
import dev.fallow.core.autoscale.MetricName;
import dev.fallow.core.autoscale.Numbers;
import dev.fallow.core.autoscale.OldAverage;
import dev.fallow.core.autoscale.Question;
import dev.fallow.core.autoscale.ReadBook;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.autoscale.SampleSource;
import dev.fallow.core.autoscale.Selector;
import dev.fallow.core.autoscale.Spelling;
import dev.fallow.core.autoscale.Surroundings;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ExporterPod;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.idle.SeriesLabels.PodName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a live cluster, kept in memory and read anew every few seconds: an answer asks
 * nobody, unless it is the first for its name. When a source is lost the last numbers hold for a
 * minute, and then there are none.
 *
 * <p>Safe to ask from any thread.
 */
public final class LiveMetricBook implements MetricBook, AutoCloseable {

  /** The objects of the cluster, as far as numbers need them. */
  public record Picture(ClusterState cluster, Surroundings around) {}

  /**
   * @param refresh between two readings
   * @param names between two looks at which families there are
   * @param outage for which the last numbers hold when a source is lost
   * @param patience that an asker has for a first reading, its own or somebody else's
   */
  public record Pace(Duration refresh, Duration names, Duration outage, Duration patience) {
    public static final Pace USUAL =
        new Pace(
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofSeconds(60),
            Duration.ofSeconds(8));
  }

  private static final Duration DEMAND_LASTS = Duration.ofMinutes(5);
  private static final Duration UNKNOWN_LASTS = Duration.ofSeconds(15);

  /** A feed that took too long is let be for a time in which its last numbers still hold. */
  private static final Duration LATE_RESTS = Duration.ofSeconds(20);

  private final Supplier<Picture> pictures;
  private final Optional<Predicate<String>> exporterNamespaces;
  private final InstantSource clock;
  private final Pace pace;
  private final FeedReader reader;
  private final Demand demand = new Demand(DEMAND_LASTS, UNKNOWN_LASTS);
  private final ReentrantLock reading = new ReentrantLock(true);

  // What follows is changed by whoever holds the lock alone.
  private final Map<Feed, Readings.Seen> seen = new HashMap<>();
  private final Map<Drop, Long> drops = new EnumMap<>(Drop.class);
  private @Nullable Picture picture;
  private Instant pictured = Instant.EPOCH;
  private long countedUntil;

  private volatile Instant named = Instant.EPOCH;
  private volatile Set<String> names = Set.of();
  private volatile List<String> notes = List.of();

  private volatile @Nullable ReadBook book;
  private volatile Map<Feed, Instant> readAt = Map.of();
  private volatile Map<Drop, Long> dropped = Map.of();
  private volatile Optional<String> trouble = Optional.empty();
  private volatile @Nullable Thread loop;

  /**
   * @param pictures may throw {@link Unavailable}
   * @param exporterNamespaces where exporters live, if the operator has said so
   */
  public LiveMetricBook(
      Supplier<Picture> pictures,
      SampleSource source,
      Optional<Predicate<String>> exporterNamespaces,
      InstantSource clock,
      Pace pace) {
    this.pictures = pictures;
    this.exporterNamespaces = exporterNamespaces;
    this.clock = clock;
    this.pace = pace;
    this.reader = new FeedReader(source);
    this.countedUntil = clock.millis();
  }

  /** Reads now and from now on, until this is closed. */
  public synchronized LiveMetricBook start() {
    if (loop == null) {
      loop = Thread.ofVirtual().name("numbers").start(this::keepReading);
    }
    return this;
  }

  /** Feeds that are read whether or not somebody asks for them. */
  public LiveMetricBook always(Collection<Feed> feeds) {
    demand.always(feeds);
    return this;
  }

  /** Reads everything that is asked for once more. */
  public void refresh() {
    // Nobody who asks for a number waits for this.
    learnNames();
    reading.lock();
    try {
      boolean looked = look();
      Set<Feed> found = new LinkedHashSet<>();
      seen.forEach((feed, one) -> {
        if (!one.series().isEmpty()) {
          found.add(feed);
        }
      });
      take(demand.due(found, clock.instant()), looked, pace.outage().dividedBy(3));
    } finally {
      reading.unlock();
    }
  }

  /** The latest numbers, if there are any that may still be given out. */
  public Optional<Numbers> numbers() {
    ReadBook latest = book;
    Instant newest = readAt.values().stream().max(Instant::compareTo).orElse(Instant.EPOCH);
    return latest == null || !holds(newest, clock.instant())
        ? Optional.empty()
        : Optional.of(latest.numbers());
  }

  /** How many samples could not be true, and why, since this began. */
  public Map<Drop, Long> dropped() {
    return dropped;
  }

  @Override
  public List<Listed> listed() {
    ReadBook latest = book;
    return latest == null ? List.of() : latest.listed();
  }

  @Override
  public Set<String> externals() {
    ReadBook latest = book;
    return latest == null ? Set.of() : latest.externals();
  }

  @Override
  public Answer<OfObject> ofObjects(
      Resource resource, Which which, String metric, Selector ofSamples, Instant now) {
    boolean recipe =
        which instanceof Which.Named one && MetricName.ofWorkload(one.name()).equals(metric);
    Set<Feed> feeds = new LinkedHashSet<>();
    (recipe ? Question.ofWorkload(ofSamples).stream().toList() : Question.of(metric, ofSamples))
        .forEach(question -> feeds.addAll(question.feeds()));
    return current(feeds, now)
        .map(latest -> orAway(latest.ofObjects(resource, which, metric, ofSamples, now), feeds))
        .map(answer -> withNote(answer, resource))
        .orElseGet(() -> new Answer.Away<>(away()));
  }

  @Override
  public Answer<OfSeries> external(String namespace, String asked, Selector labels, Instant now) {
    String metric = Spelling.of(asked, names);
    Set<Feed> feeds = new LinkedHashSet<>();
    if (OldAverage.asked(metric).isPresent()) {
      feeds.add(OldAverage.FEED);
    } else {
      Question.of(metric, labels).forEach(question -> feeds.addAll(question.feeds()));
    }
    return current(feeds, now)
        .map(latest -> orAway(latest.external(namespace, metric, labels, now), feeds))
        .orElseGet(() -> new Answer.Away<>(away()));
  }

  /** What is not found where not all was read is not known to be absent. */
  private <T> Answer<T> orAway(Answer<T> answer, Set<Feed> feeds) {
    return answer instanceof Answer.NotFound<T> && !readAt.keySet().containsAll(feeds)
        ? new Answer.Away<>(away())
        : answer;
  }

  /** What cannot be read of the cluster may be why nothing is found. */
  private <T> Answer<T> withNote(Answer<T> answer, Resource resource) {
    String name =
        resource.group().isEmpty() ? resource.plural() : resource.plural() + "." + resource.group();
    return answer instanceof Answer.NotFound<T>(String why)
        ? notes.stream()
            .filter(note -> note.startsWith(name + " "))
            .findFirst()
            .<Answer<T>>map(note -> new Answer.NotFound<>(why + "; " + note))
            .orElse(answer)
        : answer;
  }

  private String away() {
    return trouble.orElse("the GPU metrics have not been read yet; try again");
  }

  /** The book for these feeds, read first where nobody has; nothing if the source is away. */
  private Optional<ReadBook> current(Set<Feed> feeds, Instant now) {
    Set<Feed> untried = demand.ask(feeds, now);
    if (!untried.isEmpty() || book == null) {
      readFirst(feeds);
    }
    ReadBook latest = book;
    Map<Feed, Instant> read = readAt;
    Optional<Instant> newest =
        feeds.stream()
            .flatMap(feed -> Optional.ofNullable(read.get(feed)).stream())
            .max(Instant::compareTo);
    // A name that can be no metric's needs no source to be unknown.
    boolean answerable =
        feeds.isEmpty() || newest.filter(at -> holds(at, clock.instant())).isPresent();
    return latest != null && answerable ? Optional.of(latest) : Optional.empty();
  }

  private boolean holds(Instant read, Instant now) {
    return !read.plus(pace.outage()).isBefore(now);
  }

  /** Reads for whoever asks first; the others wait for that one reading, and not for long. */
  private void readFirst(Set<Feed> feeds) {
    try {
      if (!reading.tryLock(pace.patience().toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return;
    }
    try {
      Set<Feed> still = demand.ask(feeds, clock.instant());
      if (still.isEmpty() && book != null) {
        return;
      }
      boolean looked = picture == null && look();
      take(still, looked, pace.patience());
    } finally {
      reading.unlock();
    }
  }

  /** Whether the cluster could be looked at. */
  private boolean look() {
    try {
      Picture latest = pictures.get();
      picture = latest;
      pictured = clock.instant();
      heed(latest.cluster().notes());
      return true;
    } catch (Unavailable failed) {
      troubled(failed);
      return false;
    }
  }

  /** Said once, and again when it changes. */
  private void heed(List<String> latest) {
    latest.stream()
        .filter(note -> !notes.contains(note))
        .forEach(note -> Log.warn("the cluster is not read whole: " + note));
    notes = latest;
  }

  private void learnNames() {
    Instant now = clock.instant();
    if (named.plus(pace.names()).isAfter(now)) {
      return;
    }
    named = now;
    try {
      names = reader.names(now, pace.patience().dividedBy(2));
    } catch (Unavailable failed) {
      // Discovery shows the names of before; what they stand for is asked for by itself.
      Log.debug("names of metrics cannot be read", "because", failed.getMessage());
    }
  }

  /** A feed counts as tried when the book has what came of it: who asks before that waits. */
  private void take(Set<Feed> feeds, boolean looked, Duration patience) {
    Instant now = clock.instant();
    FeedReader.Outcome outcome = reader.read(feeds, now, patience);
    outcome.late().forEach(feed -> demand.rest(feed, now.plus(LATE_RESTS)));
    Set<PodName> there = podsThere();
    outcome
        .seen()
        .forEach((feed, fresh) ->
            seen.merge(
                feed,
                fresh,
                (before, latest) ->
                    feed.ofDevices() ? latest : latest.remembering(before, there::contains)));
    outcome.failure().ifPresent(this::troubled);
    if (outcome.failure().isEmpty() && looked) {
      recovered();
    }
    publish();
    feeds.forEach(feed -> demand.tried(feed, now));
  }

  private Set<PodName> podsThere() {
    Set<PodName> there = new HashSet<>();
    Picture objects = picture;
    if (objects != null) {
      for (GpuPod pod : objects.cluster().pods()) {
        if (pod.live()) {
          there.add(new PodName(pod.id().namespace(), pod.id().name()));
        }
      }
      for (ExporterPod pod : objects.cluster().exporters()) {
        if (pod.live()) {
          there.add(new PodName(pod.namespace(), pod.name()));
        }
      }
    }
    return there;
  }

  /** Builds the book of what is known now; what is too old is left out of it. */
  private void publish() {
    Instant now = clock.instant();
    seen.values().removeIf(one -> !holds(one.at(), now));
    Picture objects = picture;
    if (objects == null || !holds(pictured, now)) {
      readAt = Map.of();
      return;
    }
    Numbers numbers =
        new Numbers(
            new Readings(pictured, objects.cluster(), objects.around(), seen), exporterNamespaces);
    ReadBook before = book;
    book = new ReadBook(before == null ? numbers : numbers.after(before.numbers()), names);
    Map<Feed, Instant> times = new HashMap<>();
    seen.forEach((feed, one) -> times.put(feed, one.at()));
    readAt = Map.copyOf(times);
    numbers
        .drops(countedUntil)
        .forEach((drop, count) -> drops.merge(drop, (long) count, Long::sum));
    countedUntil =
        seen.values().stream().mapToLong(one -> one.at().toEpochMilli()).max().orElse(countedUntil);
    dropped = Map.copyOf(drops);
  }

  private void troubled(Unavailable failed) {
    if (trouble.isEmpty()) {
      Log.warn("GPU numbers cannot be read", "because", String.valueOf(failed.getMessage()));
    }
    trouble = Optional.of(String.valueOf(failed.getMessage()));
  }

  private void recovered() {
    if (trouble.isPresent()) {
      Log.info("GPU numbers are read again");
    }
    trouble = Optional.empty();
  }

  private void keepReading() {
    while (!Thread.currentThread().isInterrupted()) {
      long begun = System.nanoTime();
      try {
        refresh();
      } catch (RuntimeException defect) {
        Log.error("reading GPU numbers failed", defect);
      }
      try {
        long left = pace.refresh().toNanos() - (System.nanoTime() - begun);
        Thread.sleep(Duration.ofNanos(Math.max(left, 1_000_000)));
      } catch (InterruptedException closed) {
        return;
      }
    }
  }

  @Override
  public boolean owns(String metric) {
    String spelled = Spelling.of(metric, names);
    return Question.isOurs(spelled) || MetricBook.super.owns(spelled);
  }

  @Override
  public void close() {
    Thread running = loop;
    if (running != null) {
      running.interrupt();
    }
    reader.close();
  }
}
