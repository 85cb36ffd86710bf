package dev.fallow.adapters.prometheus;

import dev.fallow.core.Unavailable;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * GPU samples from Prometheus, or from what answers its query API: Thanos, VictoriaMetrics, Mimir.
 * It asks for raw samples, never for aggregates, since a maximum does not tell how often somebody
 * looked. The number of queries depends on the signals and the length of the window, not on the
 * fleet.
 *
 * <p>What was read stays: a later read asks only for what is new and the two minutes before it, for
 * samples that came late. Once an hour, after a failure or a partial answer, for an earlier moment
 * or a longer window it reads anew.
 *
 * <p>VictoriaMetrics answers a bare range selector with raw samples as Prometheus does; old
 * versions hide the latest half minute unless told not to use their cache, so they are told. Thanos
 * answers in full resolution unless the querier is set to downsample; a downsampled answer is too
 * sparse to prove idleness and is judged so. A warning, from whomever, makes the answer partial.
 */
public final class PrometheusUsageSource implements UsageSource, AutoCloseable {

  private static final Duration LATE_SAMPLES = Duration.ofMinutes(2);
  private static final Duration READ_ANEW = Duration.ofHours(1);

  /** As far as sample times reach from their base. */
  private static final Duration LONGEST_WINDOW = Duration.ofDays(24);

  /** What the last read left: all samples in (after, at], and what the mains need before it. */
  private record Kept(long at, long after, long readAnewAt, SeriesStore store) {

    boolean leadsTo(long nextAfter, long nextAt) {
      return nextAt >= at && nextAfter >= after && nextAt - readAnewAt < READ_ANEW.toMillis();
    }
  }

  private final PrometheusTransport transport;
  private final Set<Signal> signals;
  private final ReadLimits limits;
  private @Nullable Kept kept;

  /**
   * @param transport closed with this
   * @param signals those to ask for; see {@link #signalsOfUse}
   */
  public PrometheusUsageSource(
      PrometheusTransport transport, Set<Signal> signals, ReadLimits limits) {
    this.transport = transport;
    this.signals = Collections.unmodifiableSet(new TreeSet<>(signals));
    this.limits = limits;
  }

  /**
   * Straight over HTTP, within what this process can hold.
   *
   * @throws Unavailable if the certificates to trust cannot be read
   */
  public PrometheusUsageSource(PrometheusAccess access, Set<Signal> signals) {
    this(new HttpTransport(access), signals, ReadLimits.forThisProcess());
  }

  /** All that tell whether a device works; power only if a threshold gives it a meaning. */
  public static Set<Signal> signalsOfUse(boolean power) {
    EnumSet<Signal> all = EnumSet.allOf(Signal.class);
    if (!power) {
      all.remove(Signal.POWER);
    }
    return all;
  }

  @Override
  public synchronized Usage read(Instant at, Duration window) {
    Kept before = kept;
    kept = null;
    if (window.compareTo(LONGEST_WINDOW) > 0) {
      return new Usage.Missing(
          "a window of more than " + LONGEST_WINDOW.toDays() + " days cannot be read", false);
    }
    long until = at.toEpochMilli();
    long after = until - Math.max(1, window.toMillis());
    try {
      return before != null && before.leadsTo(after, until)
          ? goOn(before, after, until)
          : readAnew(after, until);
    } catch (Unavailable e) {
      return new Usage.Missing(String.valueOf(e.getMessage()), e.retryable());
    }
  }

  private Usage readAnew(long after, long until) {
    SeriesStore store = new SeriesStore(limits);
    Optional<String> warning = askAll(store, Long.MIN_VALUE, after, until);
    return usage(warning, new Kept(until, after, until, store));
  }

  private Usage goOn(Kept before, long after, long until) {
    SeriesStore store = before.store;
    long asked = before.at - LATE_SAMPLES.toMillis();
    int answers = store.answers();
    Optional<String> warning = askAll(store, asked, after, until);
    store.trim(signal -> oldest(signal, after, until), asked, answers);
    return usage(warning, new Kept(until, after, before.readAnewAt, store));
  }

  private Usage usage(Optional<String> warning, Kept now) {
    if (warning.isPresent()) {
      return new Usage.Partial(
          now.store.series(),
          "Prometheus at "
              + transport.address()
              + " warns that its answer is not complete: "
              + Words.abridged(warning.get()));
    }
    kept = now;
    return new Usage.Complete(now.store.series());
  }

  private static long oldest(Signal signal, long after, long until) {
    Duration before = UsageSource.lookback(Duration.ofMillis(until - after));
    return Signal.mains().contains(signal) ? after - before.toMillis() : after;
  }

  private Optional<String> askAll(SeriesStore store, long known, long after, long until) {
    SampleQueries queries = new SampleQueries(transport, limits, store);
    queries.read(
        signals.stream()
            .map(signal ->
                new SampleQueries.Wanted(
                    signal.metrics(),
                    new SampleRange(Math.max(known, oldest(signal, after, until)), until)))
            .toList());
    return queries.warning();
  }

  @Override
  public void close() {
    transport.close();
  }
}
