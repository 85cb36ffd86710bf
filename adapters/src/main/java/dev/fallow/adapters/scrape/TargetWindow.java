package dev.fallow.adapters.scrape;

import dev.fallow.core.exposition.MalformedText;
import dev.fallow.core.exposition.SeriesText;
import dev.fallow.core.idle.MetricFamily;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.SeriesLabels.PodName;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSeries;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * What one exporter has shown of late. A look is taken as a whole or not at all; series that it no
 * longer shows stay until their last sample is too old.
 */
final class TargetWindow {

  private record Held(SeriesLabels labels, SampleRing samples) {}

  private final ScrapeTarget target;
  private final Map<String, Held> held = new HashMap<>();
  private final Map<String, String> pool = new HashMap<>();

  /** All labels of the series that somebody chooses by them. */
  private final Map<String, Map<String, String>> written = new HashMap<>();

  TargetWindow(ScrapeTarget target) {
    this.target = target;
  }

  /**
   * @param most samples to keep of a series
   * @param room whether so many series more may be kept
   * @throws MalformedText if the labels of a new series cannot be taken apart, or there is no room;
   *     nothing is taken then
   */
  synchronized void take(List<Look.Seen> look, ToIntFunction<MetricFamily> most, IntPredicate room)
      throws MalformedText {
    Map<String, Held> fresh = new HashMap<>();
    for (Look.Seen one : look) {
      if (!held.containsKey(one.series()) && !fresh.containsKey(one.series())) {
        SeriesText text = SeriesText.parse(one.series());
        SeriesLabels labels = SeriesLabels.ofAny(text.metric(), target.attachedTo(text.labels()));
        fresh.put(one.series(), new Held(pooled(labels), new SampleRing()));
      }
    }
    if (!room.test(fresh.size())) {
      throw new MalformedText("more series than can be kept; use a Prometheus for so many");
    }
    held.putAll(fresh);
    for (Look.Seen one : look) {
      Held series = held.get(one.series());
      if (series != null) {
        series.samples().add(one.millis(), one.value(), most.applyAsInt(series.labels().family()));
      }
    }
  }

  /** Forgets what is older than its family needs; answers how many series ended. */
  synchronized int forget(ToLongFunction<MetricFamily> oldest) {
    for (Held series : held.values()) {
      series.samples().forgetUntil(oldest.applyAsLong(series.labels().family()));
    }
    int before = held.size();
    if (held.values().removeIf(series -> series.samples().isEmpty())) {
      pool.clear();
      written.keySet().retainAll(held.keySet());
    }
    return before - held.size();
  }

  synchronized boolean isEmpty() {
    return held.isEmpty();
  }

  /** The series that show use. */
  synchronized void read(ToLongFunction<Signal> oldest, long until, List<UsageSeries> into) {
    for (Held series : held.values()) {
      if (series.labels().family().signal().isEmpty()) {
        continue;
      }
      Samples samples =
          series.samples().between(oldest.applyAsLong(series.labels().signal()), until);
      if (!samples.isEmpty()) {
        into.add(new UsageSeries(series.labels(), samples));
      }
    }
  }

  /** The series of some names, with all their labels. */
  synchronized void recent(List<String> names, long after, long until, List<UsageSeries> into) {
    held.forEach((text, series) -> {
      if (names.contains(series.labels().family().name())) {
        Samples samples = series.samples().between(after, until);
        if (!samples.isEmpty()) {
          into.add(
              new UsageSeries(
                  series.labels(), samples, written.computeIfAbsent(text, this::labelsOf)));
        }
      }
    });
  }

  private Map<String, String> labelsOf(String text) {
    try {
      Map<String, String> labels = new HashMap<>();
      target
          .attachedTo(SeriesText.parse(text).labels())
          .forEach((name, value) -> labels.put(pooled(name), pooled(value)));
      return Map.copyOf(labels);
    } catch (MalformedText parsedBefore) {
      throw new IllegalStateException(parsedBefore);
    }
  }

  /** What the samples take in memory, their labels aside. */
  synchronized long sampleBytes() {
    return held.values().stream().mapToLong(series -> series.samples().bytes()).sum();
  }

  /** The same with one String for each text: a node's series repeat each other. */
  private SeriesLabels pooled(SeriesLabels labels) {
    return new SeriesLabels(
        labels.family(),
        pooled(labels.card()),
        pooled(labels.migInstance()),
        pooled(labels.migProfile()),
        labels.partition(),
        pooled(labels.model()),
        pooled(labels.host()),
        pooled(labels.node()),
        pooled(labels.claimed()),
        pooled(labels.plain()),
        pooled(labels.podUid()),
        labels.virtual(),
        ScrapeTarget.JOB,
        labels.stream());
  }

  private PodName pooled(PodName name) {
    return new PodName(pooled(name.namespace()), pooled(name.name()));
  }

  private String pooled(String text) {
    return Optional.ofNullable(pool.putIfAbsent(text, text)).orElse(text);
  }
}
