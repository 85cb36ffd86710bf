package dev.fallow.adapters.scrape;

import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.SampleSource;
import dev.fallow.core.exposition.MalformedText;
import dev.fallow.core.idle.MetricFamily;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSeries;
import dev.fallow.core.idle.UsageSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The window of every exporter, and no more of it than is needed: for verdicts the window, and the
 * hour before it only of the signals that can prove idleness; for autoscalers the last minutes of
 * what they ask for.
 */
final class ScrapeMemory {

  /** After which a family that nobody asks for any more is no longer kept. */
  private static final Duration DEMAND_LASTS = Duration.ofMinutes(10);

  private static final int MOST_NAMES = 5000;

  private final ScrapeSettings settings;
  private final Map<ScrapeTarget, TargetWindow> windows = new ConcurrentHashMap<>();
  private final Map<String, Instant> demanded = new ConcurrentHashMap<>();
  private final Map<String, Instant> names = new ConcurrentHashMap<>();
  private volatile Duration window;
  private volatile Instant lastForgetting = Instant.EPOCH;

  /** Since when all that the window asks for is kept: before it was widened, less was. */
  private volatile Instant wholeSince = Instant.MIN;

  private final AtomicInteger series = new AtomicInteger();

  ScrapeMemory(ScrapeSettings settings) {
    this.settings = settings;
    this.window = settings.window();
  }

  /** Whether a family is taken when an exporter shows it. */
  boolean wants(String family) {
    return Signal.ofMetric(family).isPresent() || demanded.containsKey(family);
  }

  void take(ScrapeTarget target, Look look) throws ScrapeFailure {
    try {
      windows
          .computeIfAbsent(target, TargetWindow::new)
          .take(look.samples(), this::most, this::hasRoomFor);
    } catch (MalformedText malformed) {
      throw new ScrapeFailure(
          "shows what cannot be taken in: " + malformed.getMessage(), malformed);
    }
    for (String name : look.names()) {
      if (names.size() < MOST_NAMES || names.containsKey(name)) {
        names.put(name, lastForgetting);
      }
    }
  }

  /** Says that a feed is asked for; whether all of its names were before. */
  boolean demand(Feed feed, Instant at) {
    boolean known = true;
    for (String name : feed.names()) {
      known &= demanded.put(name, at) != null || Signal.ofMetric(name).isPresent();
    }
    return known;
  }

  /** Whether some exporter shows a feed, kept or not. */
  boolean shows(Feed feed) {
    return feed.names().stream().anyMatch(names::containsKey);
  }

  /** The families that exporters show. */
  Set<String> names() {
    return new TreeSet<>(names.keySet());
  }

  /** Forgets what nobody needs at this moment or later. */
  void forgetBefore(Instant now) {
    lastForgetting = now;
    demanded.values().removeIf(asked -> asked.plus(DEMAND_LASTS).isBefore(now));
    names.values().removeIf(seen -> seen.plus(DEMAND_LASTS).isBefore(now));
    long until = now.toEpochMilli();
    for (TargetWindow one : windows.values()) {
      series.addAndGet(-one.forget(family -> keptSince(family, until)));
    }
    windows.values().removeIf(TargetWindow::isEmpty);
  }

  void forgetAll() {
    windows.clear();
    demanded.clear();
    names.clear();
    series.set(0);
    wholeSince = Instant.MIN;
  }

  /** Reading a longer window than before makes all that comes be kept for as long. */
  List<UsageSeries> read(Instant at, Duration asked) {
    long until = at.toEpochMilli();
    long after = until - Math.max(1, asked.toMillis());
    if (asked.compareTo(window) > 0) {
      widen(asked, lastForgetting.isAfter(at) ? lastForgetting : at);
    }
    List<UsageSeries> all = new ArrayList<>(series.get());
    windows.values().forEach(one -> one.read(signal -> oldest(signal, after, until), until, all));
    return all;
  }

  /** What came before is gone, as far as nobody asked for it then. */
  private synchronized void widen(Duration asked, Instant now) {
    Duration longest = settings.limits().longestWindow();
    Instant before = now.minus(window);
    if (before.isAfter(wholeSince)) {
      wholeSince = before;
    }
    window = asked.compareTo(longest) < 0 ? asked : longest;
  }

  /** Of how long a window until a moment all is kept, as long as there was something to keep. */
  Duration reach(Instant at, Duration asked) {
    Duration kept = wholeSince.equals(Instant.MIN) ? asked : Duration.between(wholeSince, at);
    return kept.compareTo(asked) < 0 ? kept : asked;
  }

  /** The last minutes of a feed, with all labels. */
  List<UsageSeries> recent(Feed feed, Instant at) {
    long until = at.toEpochMilli();
    List<UsageSeries> all = new ArrayList<>();
    for (TargetWindow one : windows.values()) {
      one.recent(feed.names(), until - SampleSource.WINDOW.toMillis(), until, all);
    }
    return all;
  }

  /** What the samples take in memory, their labels aside. */
  long sampleBytes() {
    return windows.values().stream().mapToLong(TargetWindow::sampleBytes).sum();
  }

  private boolean hasRoomFor(int more) {
    int before =
        series.getAndUpdate(held -> held + more <= settings.limits().series() ? held + more : held);
    return before + more <= settings.limits().series();
  }

  private static long oldest(Signal signal, long after, long until) {
    Duration before = UsageSource.lookback(Duration.ofMillis(until - after));
    return Signal.mains().contains(signal) ? after - before.toMillis() : after;
  }

  private long keptSince(MetricFamily family, long until) {
    long recent =
        demanded.containsKey(family.name()) ? until - SampleSource.WINDOW.toMillis() : until;
    return family
        .signal()
        .map(signal -> Math.min(recent, oldest(signal, until - window.toMillis(), until)))
        .orElse(recent);
  }

  /** The samples of a series that its time can hold at this interval, and one for the edge. */
  private int most(MetricFamily family) {
    long millis = -keptSince(family, 0);
    return Math.clamp(millis / settings.interval().toMillis() + 1, 2, 1 << 20);
  }
}
