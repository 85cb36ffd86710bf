package dev.fallow.adapters.scrape;

import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.autoscale.SampleSource;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * GPU samples from the exporters themselves, remembered here: needs no Prometheus, and knows
 * nothing of the time before it started. Until it has watched for a whole window, verdicts are
 * UNKNOWN.
 *
 * <p>A GPU with seven signals takes 10.6 KB of samples for a window of 30 minutes and the hour
 * before at an interval of 15 s: 8 bytes each, 361 of GR_ENGINE_ACTIVE and of GPU_UTIL, which can
 * prove idleness, and 121 of each of the other five. With its labels it takes 14.3 KB, as measured
 * on 2000 GPUs; a read takes another 11 KB for as long as its answer is held.
 *
 * <p>An exporter that fails leaves a gap in what is known of its devices, and core says so. Only if
 * all of them fail, or there is none, the answer is missing as a whole.
 */
public final class ScrapeUsageSource implements UsageSource, SampleSource, AutoCloseable {

  private final Supplier<List<ScrapeTarget>> targets;
  private final ScrapeSettings settings;
  private final InstantSource clock;
  private final ScrapeMemory memory;
  private final ExporterClient client;
  private final Rounds rounds;
  private volatile Optional<ScrapeRound> last = Optional.empty();
  private List<ScrapeTarget> known = List.of();
  private Instant knownSince = Instant.MIN;
  private Instant lastLook = Instant.MIN;
  private volatile @Nullable Thread loop;

  /**
   * @param targets asked again and again; may throw {@link Unavailable}, then the last answer holds
   */
  public ScrapeUsageSource(
      Supplier<List<ScrapeTarget>> targets, ScrapeSettings settings, InstantSource clock) {
    this.targets = targets;
    this.settings = settings;
    this.clock = clock;
    this.memory = new ScrapeMemory(settings);
    this.client = new ExporterClient(settings);
    this.rounds = new Rounds(client, memory, settings, clock);
  }

  /** Looks at every exporter now and from now on, once an interval, until this is closed. */
  public synchronized void start() {
    if (loop == null) {
      loop = Thread.ofVirtual().name("scrape").start(this::keepLooking);
    }
  }

  /** Looks at every exporter once; takes no longer than an interval. */
  public synchronized ScrapeRound scrapeOnce() {
    Instant now = clock.instant();
    if (now.plus(settings.interval()).isBefore(lastLook)) {
      // The clock was set back: what is remembered carries times that are yet to come.
      memory.forgetAll();
      rounds.forget();
      knownSince = Instant.MIN;
    }
    lastLook = now;
    memory.forgetBefore(now);
    List<String> problems = new ArrayList<>();
    rediscover(now, problems);
    ScrapeRound round = rounds.look(known, problems);
    last = Optional.of(round);
    return round;
  }

  @Override
  public Usage read(Instant at, Duration window) {
    if (window.compareTo(settings.limits().longestWindow()) > 0) {
      return new Usage.Missing(
          "a window of "
              + window.toMinutes()
              + " min is longer than what is remembered of exporters; give --prometheus-url or a"
              + " shorter --duration",
          false);
    }
    Optional<ScrapeRound> latest = last;
    if (latest.isEmpty()) {
      return new Usage.Missing("no exporter has been looked at yet; ask again in a moment");
    }
    return failure(latest.get())
        .<Usage>map(Usage.Missing::new)
        .orElseGet(() -> new Usage.Complete(memory.read(at, window), memory.reach(at, window)));
  }

  /** A feed that nobody asked for before is looked for at once, if exporters show it. */
  @Override
  public Readings.Seen read(Feed feed, Instant at) {
    Optional<String> failure = last.flatMap(ScrapeUsageSource::failure);
    if (last.isEmpty() || failure.isPresent()) {
      throw new Unavailable(
          "exporters", failure.orElse("no exporter has been looked at yet"), true);
    }
    Instant until = at;
    if (!memory.demand(feed, at) && memory.shows(feed)) {
      lookFor(feed);
      until = clock.instant();
    }
    return new Readings.Seen(until, memory.recent(feed, until));
  }

  /** Several feeds that are new at the same time are found by one look. */
  private synchronized void lookFor(Feed feed) {
    if (memory.recent(feed, clock.instant()).isEmpty()) {
      scrapeOnce();
    }
  }

  @Override
  public Set<String> names(Instant at) {
    return memory.names().stream().filter(Feed::listed).collect(Collectors.toUnmodifiableSet());
  }

  private static Optional<String> failure(ScrapeRound round) {
    if (round.answered() > 0) {
      return Optional.empty();
    }
    return Optional.of(
        round.targets() == 0
            ? noTarget(round)
            : "none of the "
                + round.targets()
                + " exporters answers ("
                + String.join("; ", round.problems().stream().limit(3).toList())
                + "); check the network policies between Fallow and the exporters");
  }

  private static String noTarget(ScrapeRound round) {
    return "there is no GPU exporter to look at"
        + (round.problems().isEmpty() ? "" : " (" + String.join("; ", round.problems()) + ")")
        + "; install dcgm-exporter or AMD's device-metrics-exporter, name exporters with"
        + " --exporters, or give --prometheus-url";
  }

  /** What went wrong in the latest round, for people; without anything secret. */
  public List<String> problems() {
    return last.map(ScrapeRound::problems).orElse(List.of());
  }

  /** What the samples take in memory, their labels aside. */
  public long sampleBytes() {
    return memory.sampleBytes();
  }

  private void rediscover(Instant now, List<String> problems) {
    if (now.isBefore(knownSince.plus(settings.rediscovery()))) {
      return;
    }
    try {
      known = List.copyOf(new LinkedHashSet<>(targets.get()));
      knownSince = now;
    } catch (Unavailable failed) {
      problems.add("exporters cannot be looked for: " + failed.getMessage());
    }
  }

  private void keepLooking() {
    long next = System.nanoTime();
    while (!Thread.currentThread().isInterrupted()) {
      try {
        scrapeOnce();
      } catch (RuntimeException defect) {
        last = Optional.of(new ScrapeRound(0, 0, List.of("looking failed: " + defect)));
      }
      // Rounds that were missed, as by a laptop that slept, are not made up for.
      next = Math.max(next + settings.interval().toNanos(), System.nanoTime());
      try {
        Thread.sleep(Duration.ofNanos(next - System.nanoTime()));
      } catch (InterruptedException closed) {
        return;
      }
    }
  }

  @Override
  public void close() {
    Thread running = loop;
    if (running != null) {
      running.interrupt();
    }
    rounds.close();
    client.close();
  }
}
