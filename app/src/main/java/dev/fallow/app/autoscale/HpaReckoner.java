package dev.fallow.app.autoscale;

import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.Hpa;
import dev.fallow.core.autoscale.HpaReckoning;
import dev.fallow.core.autoscale.Numbers;
import dev.fallow.core.autoscale.ReadBook;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.autoscale.SampleSource;
import dev.fallow.core.autoscale.Spelling;
import dev.fallow.core.autoscale.Surroundings;
import dev.fallow.core.fleet.ClusterState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Reckons what autoscalers will make of the samples of now, which it reads for them. */
public final class HpaReckoner {

  private static final Duration FIRST_LOOK = Duration.ofSeconds(20);

  private final SampleSource source;
  private final Optional<Predicate<String>> exporterNamespaces;
  private final InstantSource clock;

  /**
   * @param exporterNamespaces where exporters live, if the operator has said so
   */
  public HpaReckoner(
      SampleSource source, Optional<Predicate<String>> exporterNamespaces, InstantSource clock) {
    this.source = source;
    this.exporterNamespaces = exporterNamespaces;
    this.clock = clock;
  }

  /**
   * Each feed is read once, however many ask for it.
   *
   * @param around the Services that metrics may be of
   * @throws Unavailable if the source does not answer
   */
  public List<HpaReckoning> of(List<Hpa> written, ClusterState cluster, Surroundings around) {
    List<Hpa> hpas = asAsked(written);
    Map<Feed, Readings.Seen> seen = new HashMap<>();
    for (Hpa hpa : hpas) {
      for (Feed feed : HpaReckoning.feeds(hpa)) {
        seen.computeIfAbsent(feed, one -> read(source, one, clock.instant()));
      }
    }
    Readings readings = new Readings(clock.instant(), cluster, around, seen);
    ReadBook book = new ReadBook(new Numbers(readings, exporterNamespaces), Set.of());
    return hpas.stream().map(hpa -> HpaReckoning.of(hpa, book)).toList();
  }

  /** With external metrics as the autoscaler asks for them and the API understands them. */
  private List<Hpa> asAsked(List<Hpa> hpas) {
    boolean external =
        hpas.stream()
            .flatMap(hpa -> hpa.metrics().stream())
            .anyMatch(metric -> metric.source() == Hpa.Source.EXTERNAL);
    if (!external) {
      return hpas;
    }
    Set<String> names = names();
    return hpas.stream()
        .map(hpa ->
            hpa.with(
                hpa.metrics().stream()
                    .map(metric ->
                        metric.source() == Hpa.Source.EXTERNAL
                            ? metric.named(
                                Spelling.of(metric.name().toLowerCase(Locale.ROOT), names))
                            : metric)
                    .toList()))
        .toList();
  }

  /** Without them the spelling of what is known here is still understood. */
  private Set<String> names() {
    try {
      return source.names(clock.instant());
    } catch (Unavailable failed) {
      return Set.of();
    }
  }

  /**
   * A feed. Exporters that are looked at directly have nothing to tell before the first look, which
   * is waited for.
   *
   * @throws Unavailable if the source does not answer
   */
  public static Readings.Seen read(SampleSource source, Feed feed, Instant at) {
    long until = System.nanoTime() + FIRST_LOOK.toNanos();
    while (true) {
      try {
        return source.read(feed, at);
      } catch (Unavailable notYet) {
        if (!notYet.source().equals("exporters") || System.nanoTime() > until) {
          throw notYet;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      boolean _ = new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Unavailable("exporters", "the program is ending", false);
    }
  }
}
