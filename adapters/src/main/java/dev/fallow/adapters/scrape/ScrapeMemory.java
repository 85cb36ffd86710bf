package dev.fallow.adapters.scrape;

import dev.fallow.core.exposition.MalformedText;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSeries;
import dev.fallow.core.idle.UsageSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The window of every exporter, and no more of it than verdicts need: the hour before the window
 * only of the signals that can prove idleness.
 */
final class ScrapeMemory {

  private final ScrapeSettings settings;
  private final Map<ScrapeTarget, TargetWindow> windows = new ConcurrentHashMap<>();
  private volatile Duration window;
  private final AtomicInteger series = new AtomicInteger();

  ScrapeMemory(ScrapeSettings settings) {
    this.settings = settings;
    this.window = settings.window();
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
  }

  /** Forgets what no verdict at this moment or later needs. */
  void forgetBefore(Instant now) {
    long until = now.toEpochMilli();
    long after = until - window.toMillis();
    for (TargetWindow one : windows.values()) {
      series.addAndGet(-one.forget(signal -> oldest(signal, after, until)));
    }
    windows.values().removeIf(TargetWindow::isEmpty);
  }

  void forgetAll() {
    windows.clear();
    series.set(0);
  }

  /** Reading a longer window than before makes all that comes be kept for as long. */
  List<UsageSeries> read(Instant at, Duration asked) {
    long until = at.toEpochMilli();
    long after = until - Math.max(1, asked.toMillis());
    if (asked.compareTo(window) > 0) {
      Duration longest = settings.limits().longestWindow();
      window = asked.compareTo(longest) < 0 ? asked : longest;
    }
    List<UsageSeries> all = new ArrayList<>(series.get());
    windows.values().forEach(one -> one.read(signal -> oldest(signal, after, until), until, all));
    return all;
  }

  /** What the samples take in memory, their labels aside. */
  long sampleBytes() {
    return windows.values().stream().mapToLong(TargetWindow::sampleBytes).sum();
  }

  private boolean hasRoomFor(int more) {
    if (series.addAndGet(more) <= settings.limits().series()) {
      return true;
    }
    series.addAndGet(-more);
    return false;
  }

  private static long oldest(Signal signal, long after, long until) {
    Duration before = UsageSource.lookback(Duration.ofMillis(until - after));
    return Signal.mains().contains(signal) ? after - before.toMillis() : after;
  }

  /** The samples of a series that the window can hold at this interval, and one for the edge. */
  private int most(Signal signal) {
    long millis = -oldest(signal, -window.toMillis(), 0);
    return Math.clamp(millis / settings.interval().toMillis() + 1, 2, 1 << 20);
  }
}
