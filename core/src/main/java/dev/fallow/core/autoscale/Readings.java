package dev.fallow.core.autoscale;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.idle.SeriesLabels.PodName;
import dev.fallow.core.idle.UsageSeries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * All that numbers are made of, at one moment.
 *
 * @param at when the cluster was looked at
 * @param feeds what was read of each feed, and when; what is old has been left out already
 */
public record Readings(
    Instant at, ClusterState cluster, Surroundings around, Map<Feed, Seen> feeds) {

  /**
   * @param at the moment up to which the series reach
   * @param whole whether the source has told all that it knows; else what is absent may be there
   */
  public record Seen(Instant at, List<UsageSeries> series, boolean whole) {
    public Seen {
      series = List.copyOf(series);
    }

    public Seen(Instant at, List<UsageSeries> series) {
      this(at, series, true);
    }

    /**
     * With the last word of pods that have fallen silent and are still there. What they would say
     * is not known, and without it nobody would know that they are missing.
     */
    public Seen remembering(Seen before, Predicate<PodName> there) {
      Set<PodName> speak =
          series.stream().map(one -> one.labels().plain()).collect(Collectors.toSet());
      List<UsageSeries> all = new ArrayList<>(series);
      for (UsageSeries one : before.series()) {
        PodName pod = one.labels().plain();
        if (!pod.isNone() && !speak.contains(pod) && there.test(pod)) {
          all.add(one);
        }
      }
      return all.size() == series.size() ? this : new Seen(at, all, whole);
    }
  }

  public Readings {
    feeds = Map.copyOf(feeds);
  }
}
