package dev.fallow.app.demo;

import dev.fallow.app.autoscale.HpaReckoner;
import dev.fallow.app.web.FleetBoard;
import dev.fallow.app.web.LiveAutoscalers;
import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.Hpa;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.autoscale.SampleSource;
import dev.fallow.core.autoscale.Surroundings;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.idle.UsageSource;
import dev.fallow.server.autoscale.AutoscalerSource;
import dev.fallow.sim.LabelForm;
import dev.fallow.sim.SimCluster;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The one autoscaler of the simulated cluster. It is looked at and never acts. */
final class DemoAutoscaler {

  private static final Hpa RANKER =
      Hpa.of(
          new ObjectTree(
              Map.of(
                  "metadata",
                  Map.of("name", "ranker", "namespace", "recsys"),
                  "spec",
                  Map.of(
                      "scaleTargetRef",
                      Map.of("apiVersion", "apps/v1", "kind", "Deployment", "name", "ranker"),
                      "minReplicas",
                      2,
                      "maxReplicas",
                      8,
                      "metrics",
                      List.of(ofPods("gpu_utilization", "50"))))));

  private DemoAutoscaler() {}

  static AutoscalerSource on(SimCluster cluster, FleetBoard board, InstantSource clock) {
    HpaReckoner reckoner =
        new HpaReckoner(new Samples(cluster.usage(LabelForm.HONOURED)), Optional.empty(), clock);
    return new LiveAutoscalers(
        board,
        namespace -> namespace.equals(RANKER.namespace()) ? List.of(RANKER) : List.of(),
        (namespace, hpas) -> Surroundings.NONE,
        () -> reckoner);
  }

  private static Map<String, Object> ofPods(String metric, String average) {
    return Map.of(
        "type",
        "Pods",
        "pods",
        Map.of(
            "metric",
            Map.of("name", metric),
            "target",
            Map.of("type", "AverageValue", "averageValue", average)));
  }

  /** What the simulated exporters say, family by family. */
  private record Samples(UsageSource usage) implements SampleSource {

    @Override
    public Readings.Seen read(Feed feed, Instant at) {
      return new Readings.Seen(
          at,
          usage.read(at, WINDOW).series().stream()
              .filter(one -> feed.names().contains(one.labels().family().name()))
              .toList());
    }

    @Override
    public Set<String> names(Instant at) {
      return Set.of();
    }
  }
}
