package dev.fallow.core.autoscale;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.idle.UsageSeries;
import java.time.Instant;
import java.util.List;
import java.util.Map;

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
   */
  public record Seen(Instant at, List<UsageSeries> series) {
    public Seen {
      series = List.copyOf(series);
    }
  }

  public Readings {
    feeds = Map.copyOf(feeds);
  }
}
