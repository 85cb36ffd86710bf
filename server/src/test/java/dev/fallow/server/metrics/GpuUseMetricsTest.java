package dev.fallow.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.autoscale.Drop;
import dev.fallow.core.autoscale.FleetUse;
import dev.fallow.core.autoscale.FleetUse.OfWorkload;
import dev.fallow.core.autoscale.FleetUse.Scope;
import dev.fallow.core.autoscale.FleetUse.Scoped;
import dev.fallow.core.autoscale.FleetUse.State;
import dev.fallow.core.autoscale.Measure;
import dev.fallow.core.autoscale.MetricName.Across;
import dev.fallow.core.fleet.ObjectId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GpuUseMetricsTest {

  private Optional<FleetUse> use = Optional.empty();
  private final GpuUseMetrics metrics = new GpuUseMetrics(() -> use, () -> Map.of(Drop.BLANK, 3L));

  private static OfWorkload workload(String kind, String name, double mean) {
    return new OfWorkload(
        new ObjectId("apps", kind, "ml", name, "u"),
        Map.of(Measure.UTILIZATION, Map.of(Across.MEAN, mean, Across.MAX, 90.0)),
        Map.of(Measure.UTILIZATION, 33.0),
        4,
        Map.of(State.ACTIVE, 3, State.WARMING, 1));
  }

  private static FleetUse of(List<OfWorkload> workloads) {
    return new FleetUse(
        Map.of(
            new Scoped(Measure.UTILIZATION, false, Scope.CLUSTER, ""), 45.0,
            new Scoped(Measure.MEMORY_BANDWIDTH, true, Scope.NODE, "n1"), 12.5),
        Map.of(new Scoped(Measure.MEMORY_USED, false, Scope.MODEL, "NVIDIA H100"), 70.0),
        workloads,
        Map.of(State.ACTIVE, 3, State.FREE, 2),
        Optional.of(30.0),
        Optional.of(25.0));
  }

  private String scraped() {
    return metrics.expose("").text();
  }

  @Test
  void eachViewHasANameOfItsOwn() {
    use = Optional.of(of(List.of(workload("Deployment", "cuda-test", 40))));

    assertThat(scraped())
        .contains("gpu_inuse_utilization_percent{name=\"\",scope=\"cluster\"} 45.0")
        .contains("gpu_inuse_memory_bandwidth_percent_avg_5m{name=\"n1\",scope=\"node\"} 12.5")
        .contains("gpu_nonzero_memory_used_percent{name=\"NVIDIA H100\",scope=\"model\"} 70.0")
        .contains("gpu_fleet_gpus{state=\"active\"} 3.0")
        .contains("gpu_fleet_gpus{state=\"free\"} 2.0")
        .contains("\navg_GPU_utilization 30.0")
        .contains("\navg_GPU_utilization_avg_5m 25.0")
        .contains(
            "gpu_workload_utilization_percent{agg=\"avg\",namespace=\"ml\",workload=\"cuda-test\","
                + "workload_kind=\"Deployment\"} 40.0")
        .contains(
            "gpu_workload_gpus{namespace=\"ml\",state=\"allocated\",workload=\"cuda-test\","
                + "workload_kind=\"Deployment\"} 4.0")
        .contains("cuda_test_gpu_avg{deployment=\"cuda-test\",namespace=\"ml\"} 40.0")
        .contains("fallow_samples_dropped_total{reason=\"BLANK\"} 3.0");
  }

  @Test
  void withoutAReadingThereAreNoSeriesAndNoZeros() {
    assertThat(scraped()).doesNotContain("gpu_").doesNotContain("avg_GPU");
  }

  @Test
  void aSeriesEndsWithItsWorkload() {
    use = Optional.of(of(List.of(workload("Deployment", "gone", 40))));
    assertThat(scraped()).contains("gone");

    use = Optional.of(of(List.of()));
    assertThat(scraped()).doesNotContain("gone");
  }

  @Test
  void namesThatLookAlikeAndHostileOnesDoNoHarm() {
    use =
        Optional.of(
            of(
                List.of(
                    workload("Deployment", "a-b", 10),
                    workload("Deployment", "a.b", 20),
                    workload("Deployment", "1st", 30),
                    workload("Deployment", "x\"}\n# TYPE evil gauge\nevil 1", 40),
                    workload("StatefulSet", "db", 50))));

    assertThat(scraped().lines())
        .filteredOn(line -> !line.startsWith("#"))
        .allMatch(line -> line.matches("[a-zA-Z_:][a-zA-Z0-9_:]*(\\{.*})? [-+.0-9eENa]+"))
        .noneMatch(line -> line.startsWith("evil"))
        .anyMatch(line -> line.startsWith("_1st_gpu_avg{"))
        .anyMatch(line -> line.startsWith("a_b_gpu_avg{deployment=\"a-b\""))
        .anyMatch(line -> line.startsWith("a_b_gpu_avg{deployment=\"a.b\""));
  }

  @Test
  void onlySoManyWorkloadsHaveSeries() {
    List<OfWorkload> many = new ArrayList<>();
    for (int i = 0; i < 2 * GpuUseMetrics.MOST; i++) {
      many.add(workload("StatefulSet", "w" + i, 1));
    }
    use = Optional.of(of(many));

    assertThat(scraped().lines().filter(line -> line.contains("state=\"allocated\"")))
        .hasSize(GpuUseMetrics.MOST);
  }

  @Test
  void itCanBeScrapedBesideThePruner() {
    use = Optional.of(of(List.of()));
    PruneMetrics pruner = new PruneMetrics(dev.fallow.core.savings.PriceBook.standard());
    pruner.with(metrics);

    assertThat(pruner.expose("application/openmetrics-text; version=1.0.0").text())
        .contains("gpu_pruner_idle_gpus")
        .contains("gpu_fleet_gpus{state=\"free\"} 2.0")
        .endsWith("# EOF\n");
  }
}
