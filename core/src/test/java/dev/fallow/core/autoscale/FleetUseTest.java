package dev.fallow.core.autoscale;

import static dev.fallow.core.autoscale.Scene.COPY;
import static dev.fallow.core.autoscale.Scene.UTIL;
import static dev.fallow.core.autoscale.Scene.every15s;
import static dev.fallow.core.autoscale.Scene.labels;
import static dev.fallow.core.autoscale.Scene.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.autoscale.FleetUse.Scope;
import dev.fallow.core.autoscale.FleetUse.Scoped;
import dev.fallow.core.autoscale.FleetUse.State;
import dev.fallow.core.autoscale.MetricName.Across;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetUseTest {

  private static Scoped now(Scope scope, String name) {
    return new Scoped(Measure.UTILIZATION, false, scope, name);
  }

  @Test
  void inUseMeansHeldByALivePodAndNotAboveZero() {
    FleetUse use =
        FleetUse.of(
            new Scene()
                .ready("web", "web-a", "web-b")
                .card(UTIL, "GPU-1", "n1", "web-a", 90)
                .card(UTIL, "GPU-2", "n1", "web-b", 0)
                .card(UTIL, "GPU-3", "n1", "", 0)
                .numbers());

    assertThat(use.inUse()).containsEntry(now(Scope.CLUSTER, ""), 45.0);
    assertThat(use.inUse()).containsEntry(now(Scope.NODE, "n1"), 45.0);
    assertThat(use.inUse()).containsEntry(now(Scope.NAMESPACE, "ml"), 45.0);
    assertThat(use.inUse()).containsEntry(now(Scope.MODEL, "NVIDIA H100"), 45.0);
    assertThat(use.aboveZero()).containsEntry(now(Scope.CLUSTER, ""), 90.0);
    assertThat(use.gpus()).isEqualTo(Map.of(State.ACTIVE, 1, State.IDLE, 1, State.FREE, 1));
  }

  @Test
  void whatIsNotMeasuredHasNoMean() {
    FleetUse use = FleetUse.of(new Scene().ready("web", "web-a").numbers());

    assertThat(use.inUse()).isEmpty();
    assertThat(use.aboveZero()).isEmpty();
    assertThat(use.oldAverage()).isEmpty();
    assertThat(use.workloads())
        .singleElement()
        .satisfies(web -> {
          assertThat(web.allocated()).isEqualTo(1);
          assertThat(web.gpus()).isEqualTo(Map.of(State.UNKNOWN, 1));
          assertThat(web.values().get(Measure.UTILIZATION)).isEmpty();
        });
  }

  @Test
  void aRollingMeanIsOverTheLastMinutes() {
    FleetUse use =
        FleetUse.of(
            new Scene()
                .ready("web", "web-a")
                .series(
                    COPY,
                    labels("GPU-1", "n1", "web-a"),
                    new double[] {-35, 10},
                    new double[] {-20, 20},
                    new double[] {-5, 60})
                .numbers());

    assertThat(use.inUse())
        .containsEntry(new Scoped(Measure.MEMORY_BANDWIDTH, true, Scope.CLUSTER, ""), 30.0)
        .containsEntry(new Scoped(Measure.MEMORY_BANDWIDTH, false, Scope.CLUSTER, ""), 60.0);
    assertThat(use.oldAverage()).contains(60.0);
  }

  @Test
  void whatAGpuDidBeforeItsHolderBeganIsNotItsUse() {
    FleetUse use =
        FleetUse.of(
            new Scene()
                .pod("web", "web-a")
                .started(Duration.ofSeconds(40))
                .ready(Duration.ofSeconds(40))
                .there()
                .series(
                    UTIL,
                    labels("GPU-1", "n1", ""),
                    new double[] {-125, 0},
                    new double[] {-65, 20},
                    new double[] {-50, 10})
                .series(
                    UTIL,
                    labels("GPU-1", "n1", "web-a"),
                    new double[] {-35, 80},
                    new double[] {-20, 100},
                    new double[] {-5, 90})
                .numbers());

    for (Scope scope : new Scope[] {Scope.CLUSTER, Scope.NAMESPACE}) {
      String name = scope == Scope.CLUSTER ? "" : "ml";
      assertThat(use.inUse())
          .containsEntry(new Scoped(Measure.UTILIZATION, true, scope, name), 90.0);
    }
    assertThat(use.aboveZero())
        .as("held or not")
        .containsEntry(new Scoped(Measure.UTILIZATION, true, Scope.CLUSTER, ""), 50.0);
  }

  @Test
  void aWorkloadHasItsMeanItsMostAndItsLeast() {
    FleetUse use =
        FleetUse.of(
            new Scene()
                .pod("web", "web-a")
                .gpus(2)
                .there()
                .pod("web", "web-b")
                .unready(Duration.ofHours(2))
                .there()
                .card(UTIL, "GPU-1", "n1", "web-a", 20)
                .card(UTIL, "GPU-2", "n1", "web-a", 80)
                .card(UTIL, "GPU-3", "n1", "web-b", 0)
                .numbers());

    assertThat(use.workloads())
        .singleElement()
        .satisfies(web -> {
          assertThat(web.values().get(Measure.UTILIZATION))
              .isEqualTo(Map.of(Across.MEAN, 50.0, Across.MAX, 80.0, Across.MIN, 20.0));
          assertThat(web.gpus()).isEqualTo(Map.of(State.ACTIVE, 2, State.WARMING, 1));
        });
  }

  @Test
  void aSharedCardIsOneGpuOfTheFleet() {
    FleetUse use =
        FleetUse.of(
            new Scene()
                .sharing("n1")
                .ready("web", "web-a")
                .ready("x", "x-a")
                .series(UTIL, with(labels("GPU-1", "n1", "web-a"), "vgpu", "0"), every15s(50))
                .series(UTIL, with(labels("GPU-1", "n1", "x-a"), "vgpu", "1"), every15s(50))
                .numbers());

    assertThat(use.gpus()).isEqualTo(Map.of(State.ACTIVE, 1, State.FREE, 0));
    assertThat(use.inUse()).containsEntry(now(Scope.CLUSTER, ""), 50.0);
  }
}
