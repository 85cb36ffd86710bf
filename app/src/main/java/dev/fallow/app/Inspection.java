package dev.fallow.app;

import dev.fallow.app.Gathering.Gathered;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.idle.Judge;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSource;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.PruneMemory;
import dev.fallow.core.prune.PrunePlanner;
import dev.fallow.core.prune.PrunePolicy;
import dev.fallow.core.prune.Waste;
import dev.fallow.core.savings.PriceBook;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * One look at a cluster: its objects and samples, and what is decided on them. Nothing is changed.
 */
public record Inspection(
    Instant at, ClusterState cluster, Usage usage, List<Decision> decisions, PriceBook prices) {

  public static Inspection of(
      ClusterState cluster, UsageSource source, Instant at, Settings settings) {
    return of(cluster, source, at, settings, settings.casePolicy(), PruneMemory.NOTHING);
  }

  /**
   * @param remembered what no object may show
   */
  public static Inspection of(
      ClusterState cluster,
      UsageSource source,
      Instant at,
      Settings settings,
      PrunePolicy policy,
      PruneMemory remembered) {
    Usage usage = source.read(at, Judge.windowNeeded(cluster, settings.idleRule()));
    return of(new Gathered(cluster, usage), at, settings, policy, remembered);
  }

  /** What is decided on what has been read. */
  public static Inspection of(
      Gathered read, Instant at, Settings settings, PrunePolicy policy, PruneMemory remembered) {
    ClusterState cluster = read.cluster();
    Usage usage = read.usage();
    IdleRule rule = settings.idleRule();
    List<Assessment> assessments =
        Judge.judge(cluster, usage, at, rule, settings.of(Catalogue.EXPORTER_NAMESPACES));
    return new Inspection(
        at,
        cluster,
        usage,
        PrunePlanner.plan(assessments, cluster, policy, at, remembered),
        policy.prices());
  }

  /** The order in which what is found is paused and shown. */
  public Comparator<Decision> greatestWasteFirst() {
    return Waste.greatestFirst(at, prices);
  }
}
