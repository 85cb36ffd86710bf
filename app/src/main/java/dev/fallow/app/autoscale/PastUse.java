package dev.fallow.app.autoscale;

import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.Hpa;
import dev.fallow.core.autoscale.HpaEvidence;
import dev.fallow.core.autoscale.HpaSuggestion;
import dev.fallow.core.autoscale.Measure;
import dev.fallow.core.autoscale.Numbers;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.autoscale.Surroundings;
import dev.fallow.core.autoscale.UseHistory;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * What a workload did in the past, a few minutes at each of some moments: a whole day of samples
 * would be a thousand times as many, and say the same.
 */
public final class PastUse {

  static final int MOMENTS = 48;

  private static final String USE = Measure.UTILIZATION.metric();

  private final BiFunction<Feed, Instant, Readings.Seen> source;
  private final ClusterState cluster;
  private final Optional<Predicate<String>> exporterNamespaces;
  private final Instant now;

  /**
   * @param source may throw {@link Unavailable}
   * @param exporterNamespaces where exporters live, if the operator has said so
   */
  public PastUse(
      BiFunction<Feed, Instant, Readings.Seen> source,
      ClusterState cluster,
      Optional<Predicate<String>> exporterNamespaces,
      Instant now) {
    this.source = source;
    this.cluster = cluster;
    this.exporterNamespaces = exporterNamespaces;
    this.now = now;
  }

  /** Every object that stands above a GPU pod. */
  public List<ObjectId> workloads() {
    return HpaEvidence.workloads(numbers(Map.of(), now));
  }

  /**
   * @param names the families that somebody publishes
   * @param autoscalers of the workload's namespace
   * @throws Unavailable if the source does not answer
   */
  public HpaSuggestion.Outcome suggest(
      ObjectId workload, Set<String> names, List<Hpa> autoscalers, Duration span) {
    HpaSuggestion.Subject subject =
        HpaEvidence.subject(numbers(Map.of(), now), workload, autoscalers);
    List<String> metrics = new ArrayList<>(List.of(USE));
    HpaEvidence.QUEUES.stream().filter(names::contains).forEach(metrics::add);
    Map<String, List<List<Double>>> moments = new LinkedHashMap<>();
    metrics.forEach(metric -> moments.put(metric, new ArrayList<>()));
    if (HpaSuggestion.obstacle(subject).isEmpty()) {
      look(workload, moments, span);
    }
    List<UseHistory> histories = new ArrayList<>();
    moments.forEach((metric, values) ->
        histories.add(new UseHistory(metric, !metric.equals(USE), span, MOMENTS, values)));
    return HpaSuggestion.of(subject, histories.getFirst(), histories.subList(1, histories.size()));
  }

  private void look(ObjectId workload, Map<String, List<List<Double>>> into, Duration span) {
    Set<Feed> feeds = new LinkedHashSet<>();
    into.keySet().forEach(metric -> feeds.addAll(HpaEvidence.feeds(metric)));
    Set<Feed> silent = new LinkedHashSet<>();
    for (int i = 0; i < MOMENTS; i++) {
      Instant at = now.minus(span.multipliedBy(i).dividedBy(MOMENTS));
      Map<Feed, Readings.Seen> seen = new HashMap<>();
      silent.forEach(feed -> seen.put(feed, new Readings.Seen(at, List.of())));
      for (Feed feed : feeds) {
        seen.put(feed, source.apply(feed, at));
      }
      Numbers numbers = numbers(seen, at);
      into.forEach((metric, moments) -> moments.add(HpaEvidence.values(numbers, workload, metric)));
      Set<Feed> published = new LinkedHashSet<>();
      seen.forEach((feed, one) -> {
        if (!one.series().isEmpty()) {
          published.add(feed);
        }
      });
      if (i == 0 && !published.isEmpty()) {
        // What nobody publishes now, such as another vendor's, is not asked for 47 times more.
        silent.addAll(feeds);
        silent.removeAll(published);
        feeds.retainAll(published);
      }
    }
  }

  private Numbers numbers(Map<Feed, Readings.Seen> seen, Instant at) {
    return new Numbers(new Readings(at, cluster, Surroundings.NONE, seen), exporterNamespaces);
  }
}
