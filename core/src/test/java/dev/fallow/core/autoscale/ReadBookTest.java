package dev.fallow.core.autoscale;

import static dev.fallow.core.autoscale.Asking.deployment;
import static dev.fallow.core.autoscale.Asking.external;
import static dev.fallow.core.autoscale.Asking.one;
import static dev.fallow.core.autoscale.Asking.pods;
import static dev.fallow.core.autoscale.Asking.where;
import static dev.fallow.core.autoscale.Scene.COPY;
import static dev.fallow.core.autoscale.Scene.DRAM;
import static dev.fallow.core.autoscale.Scene.ENGINE;
import static dev.fallow.core.autoscale.Scene.NOW;
import static dev.fallow.core.autoscale.Scene.UTIL;
import static dev.fallow.core.autoscale.Scene.every15s;
import static dev.fallow.core.autoscale.Scene.labels;
import static dev.fallow.core.autoscale.Scene.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.autoscale.MetricBook.Answer;
import dev.fallow.core.autoscale.MetricBook.Listed;
import dev.fallow.core.autoscale.MetricBook.OfObject;
import dev.fallow.core.autoscale.MetricBook.Resource;
import dev.fallow.core.autoscale.MetricBook.Which;
import dev.fallow.core.fleet.GpuPod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadBookTest {

  private static final String USED = "DCGM_FI_DEV_FB_USED";
  private static final String FREE = "DCGM_FI_DEV_FB_FREE";
  private static final String RESERVED = "DCGM_FI_DEV_FB_RESERVED";

  private static Scene twoPods() {
    return new Scene()
        .ready("web", "web-a", "web-b")
        .card(UTIL, "GPU-1", "n1", "web-a", 40)
        .card(UTIL, "GPU-2", "n1", "web-b", 80);
  }

  @Test
  void eachPodHasItsOwnNumberAndTheDeploymentTheMean() {
    ReadBook book = twoPods().book();

    assertThat(pods(book, "gpu_utilization")).isEqualTo(Map.of("web-a", 40.0, "web-b", 80.0));
    assertThat(deployment(book, "web", "gpu_utilization")).isEqualTo(Map.of("web", 60.0));
    assertThat(one(book, new Resource("apps", "replicasets"), "web-rs", "gpu_utilization"))
        .isEqualTo(Map.of("web-rs", 60.0));
  }

  @Test
  void theNameOfThePublicRecipeIsTheDeploymentsMean() {
    ReadBook book = twoPods().book();

    assertThat(deployment(book, "web", "web_gpu_avg")).isEqualTo(Map.of("web", 60.0));
    assertThat(deployment(book, "web", "other_gpu_avg")).isEmpty();
    assertThat(book.listed()).contains(new Listed(Asking.DEPLOYMENTS, true, "web_gpu_avg"));
  }

  @Test
  void aPodWithSeveralGpusIsTheirMeanUnlessAskedOtherwise() {
    ReadBook book =
        new Scene()
            .pod("web", "web-a")
            .gpus(2)
            .there()
            .card(UTIL, "GPU-1", "n1", "web-a", 10)
            .card(UTIL, "GPU-2", "n1", "web-a", 90)
            .book();

    assertThat(pods(book, "gpu_utilization")).isEqualTo(Map.of("web-a", 50.0));
    assertThat(pods(book, "gpu_utilization_max")).isEqualTo(Map.of("web-a", 90.0));
    assertThat(pods(book, "gpu_utilization_min")).isEqualTo(Map.of("web-a", 10.0));
    assertThat(pods(book, "gpu_utilization", where("agg", "max"))).isEqualTo(Map.of("web-a", 90.0));
  }

  @Test
  void aPodOfWhichOneGpuIsNotMeasuredHasNoNumber() {
    ReadBook book =
        new Scene()
            .pod("web", "web-a")
            .gpus(2)
            .there()
            .card(UTIL, "GPU-1", "n1", "web-a", 90)
            .book();

    assertThat(pods(book, "gpu_utilization")).isEmpty();
    assertThat(deployment(book, "web", "gpu_utilization")).isEmpty();
  }

  @Test
  void aPodOfWhichOneGpuHasGoneStaleHasNoNumber() {
    ReadBook book =
        new Scene()
            .pod("web", "web-a")
            .gpus(2)
            .there()
            .card(UTIL, "GPU-1", "n1", "web-a", 90)
            .series(UTIL, labels("GPU-2", "n1", "web-a"), new double[] {-100, 90})
            .book();

    assertThat(pods(book, "gpu_utilization")).isEmpty();
    assertThat(pods(book, UTIL)).isEmpty();
    assertThat(pods(book, UTIL + "_sum")).isEmpty();
  }

  /** A family that counts errors is of those GPUs alone that had some. */
  @Test
  void aFamilyOfSomeGpusIsOfThoseThatHaveItAndNotOfThoseThatHadIt() {
    String errors = "DCGM_EXP_XID_ERRORS_COUNT";
    Scene scene =
        new Scene()
            .pod("web", "web-a")
            .gpus(3)
            .there()
            .card(UTIL, "GPU-1", "n1", "web-a", 90)
            .card(UTIL, "GPU-2", "n1", "web-a", 90)
            .card(UTIL, "GPU-3", "n1", "web-a", 90)
            .card(errors, "GPU-1", "n1", "web-a", 4)
            .card(errors, "GPU-2", "n1", "web-a", 2);
    assertThat(pods(scene.book(), errors)).isEqualTo(Map.of("web-a", 3.0));

    scene.series(errors, labels("GPU-3", "n1", "web-a"), new double[] {-100, 90});
    assertThat(pods(scene.book(), errors)).isEmpty();
  }

  @Test
  void aWarmingPodIsLeftOut() {
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .pod("web", "web-b")
            .started(Duration.ofMinutes(2))
            .unready(Duration.ofMinutes(3))
            .there()
            .card(UTIL, "GPU-1", "n1", "web-a", 90)
            .card(UTIL, "GPU-2", "n1", "web-b", 0)
            .book();

    assertThat(pods(book, "gpu_utilization")).isEqualTo(Map.of("web-a", 90.0));
    assertThat(deployment(book, "web", "gpu_utilization")).isEqualTo(Map.of("web", 90.0));
  }

  /** What was measured while it loaded is no load. */
  @Test
  void aPodThatHasJustBecomeReadyIsLeftOutUntilItIsMeasured() {
    Scene scene =
        twoPods()
            .pod("web", "web-c")
            .ready(Duration.ofSeconds(2))
            .there()
            .card(UTIL, "GPU-3", "n1", "web-c", 0)
            .pod("web", "web-d")
            .ready(Duration.ofSeconds(22))
            .there()
            .series(
                UTIL,
                labels("GPU-4", "n1", "web-d"),
                new double[] {-35, 0},
                new double[] {-20, 60},
                new double[] {-5, 60});

    assertThat(pods(scene.book(), "gpu_utilization"))
        .isEqualTo(Map.of("web-a", 40.0, "web-b", 80.0, "web-d", 60.0));
    assertThat(pods(scene.book(), "gpu_utilization_avg_2m"))
        .isEqualTo(Map.of("web-a", 40.0, "web-b", 80.0, "web-d", 60.0));
    // An autoscaler multiplies by all pods that are ready: too few of them may not speak for all.
    assertThat(deployment(scene.book(), "web", "gpu_utilization")).isEqualTo(Map.of("web", 60.0));
    assertThat(
            deployment(
                scene.pod("web", "web-e").ready(Duration.ZERO).there().book(),
                "web",
                "gpu_utilization"))
        .isEmpty();
    assertThat(
            scene
                .book()
                .ofObjects(
                    Resource.PODS,
                    new Which.Named("ml", "web-c"),
                    "gpu_utilization",
                    Selector.ANY,
                    NOW))
        .isEqualTo(
            new Answer.NotFound<OfObject>(
                "no pod that was asked for has gpu_utilization: of web-c, it is warming up"));
  }

  @Test
  void aPodThatWasReadyAndFellIsShownButDoesNotSpeakForItsWorkload() {
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .pod("web", "web-b")
            .unready(Duration.ofMinutes(1))
            .there()
            .card(UTIL, "GPU-1", "n1", "web-a", 90)
            .card(UTIL, "GPU-2", "n1", "web-b", 20)
            .book();

    assertThat(pods(book, "gpu_utilization")).isEqualTo(Map.of("web-a", 90.0, "web-b", 20.0));
    assertThat(deployment(book, "web", "gpu_utilization")).isEqualTo(Map.of("web", 90.0));
  }

  @Test
  void anOwnersWarmupHoldsThoughThePodIsReady() {
    ReadBook book =
        new Scene()
            .pod("web", "web-a")
            .started(Duration.ofMinutes(2))
            .annotated("fallow.dev/warmup", "5m")
            .there()
            .pod("web", "web-b")
            .started(Duration.ofMinutes(6))
            .annotated("fallow.dev/warmup", "5m")
            .there()
            .card(UTIL, "GPU-1", "n1", "web-a", 1)
            .card(UTIL, "GPU-2", "n1", "web-b", 70)
            .book();

    assertThat(pods(book, "gpu_utilization")).isEqualTo(Map.of("web-b", 70.0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PENDING", "SUCCEEDED", "FAILED"})
  void aPodThatDoesNotRunHasNoNumber(GpuPod.Phase phase) {
    ReadBook book =
        new Scene()
            .pod("web", "web-a")
            .phase(phase)
            .there()
            .card(UTIL, "GPU-1", "n1", "web-a", 50)
            .book();

    assertThat(pods(book, "gpu_utilization")).isEmpty();
  }

  @Test
  void withoutSeriesThereIsNoNumberAndNeverAZero() {
    ReadBook book = new Scene().ready("web", "web-a").book();

    assertThat(
            book.ofObjects(
                Resource.PODS,
                new Which.Named("ml", "web-a"),
                "gpu_utilization",
                Selector.ANY,
                NOW))
        .isInstanceOf(Answer.NotFound.class);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -1, 101, 4294967295.0, 9.2e18})
  void aValueThatCannotBeTrueIsPassedOverForTheOneBefore(double impossible) {
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .series(
                UTIL,
                labels("GPU-1", "n1", "web-a"),
                new double[] {-35, 50},
                new double[] {-20, 55},
                new double[] {-5, impossible})
            .book();

    assertThat(pods(book, "gpu_utilization")).isEqualTo(Map.of("web-a", 55.0));
    assertThat(book.numbers().drops(0).values()).containsExactly(1);
  }

  @Test
  void aSampleIsStaleAfterTwoIntervalsAndNoSoonerThan45Seconds() {
    Scene scene = new Scene().ready("web", "web-a", "web-b", "web-c", "web-d");
    scene.series(
        UTIL, labels("GPU-1", "n1", "web-a"), new double[] {-60, 5}, new double[] {-45, 50});
    scene.series(
        UTIL, labels("GPU-2", "n1", "web-b"), new double[] {-61, 5}, new double[] {-46, 50});
    scene.series(
        UTIL, labels("GPU-3", "n1", "web-c"), new double[] {-180, 5}, new double[] {-120, 50});
    scene.series(
        UTIL, labels("GPU-4", "n1", "web-d"), new double[] {-181, 5}, new double[] {-121, 50});

    assertThat(pods(scene.book(), "gpu_utilization"))
        .isEqualTo(Map.of("web-a", 50.0, "web-c", 50.0));
  }

  @Test
  void theTimeIsThatOfTheSampleAndTheWindowWhatItSpans() {
    ReadBook book = twoPods().book();

    OfObject now = found(book, "gpu_utilization");
    OfObject mean = found(book, "gpu_utilization_avg_2m");

    assertThat(now.at()).isEqualTo(NOW.minusSeconds(5));
    assertThat(now.window()).isEqualTo(Duration.ZERO);
    assertThat(mean.at()).isEqualTo(NOW.minusSeconds(5));
    assertThat(mean.window()).isEqualTo(Duration.ofSeconds(105));
  }

  private static OfObject found(ReadBook book, String metric) {
    return ((Answer.Found<OfObject>)
            book.ofObjects(
                Resource.PODS, new Which.Named("ml", "web-a"), metric, Selector.ANY, NOW))
        .values()
        .getFirst();
  }

  @Test
  void aTimeIsCountedFromItsOwnSamplesAlone() {
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .series(
                UTIL,
                labels("GPU-1", "n1", "web-a"),
                new double[] {-200, 100},
                new double[] {-50, 10},
                new double[] {-35, 20},
                new double[] {-20, 30},
                new double[] {-5, 40})
            .book();

    assertThat(pods(book, "gpu_utilization_avg_1m")).isEqualTo(Map.of("web-a", 25.0));
    assertThat(pods(book, "gpu_utilization_max_5m")).isEqualTo(Map.of("web-a", 100.0));
    assertThat(pods(book, "gpu_utilization_min_1m")).isEqualTo(Map.of("web-a", 10.0));
    assertThat(pods(book, "gpu_utilization_p50_1m")).isEqualTo(Map.of("web-a", 20.0));
    assertThat(pods(book, "gpu_utilization_p95_5m")).isEqualTo(Map.of("web-a", 100.0));
    assertThat(pods(book, "gpu_utilization", where("window", "1m")))
        .isEqualTo(Map.of("web-a", 25.0));
  }

  @Test
  void aWayToCountThatCannotBeUnderstoodIsAnsweredByNothing() {
    ReadBook book = new Scene().ready("web", "web-a").card(UTIL, "GPU-1", "n1", "web-a", 40).book();

    assertThat(pods(book, "gpu_utilization", where("agg", "max"))).isNotEmpty();
    for (Selector one :
        List.of(
            where("window", "7m"),
            where("window", "5s"),
            where("agg", "p95"),
            where("agg", "median"),
            where("sharing", "fair"))) {
      assertThat(pods(book, "gpu_utilization", one)).as("%s", one).isEmpty();
    }
  }

  @Test
  void aShareOfMemoryIsNotMadeOfWhatTheRestWasBefore() {
    Map<String, String> card = labels("GPU-1", "n1", "web-a");
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .series(USED, card, Scene.every15s(70))
            .series(FREE, card, new double[] {-200, 80}, new double[] {-185, 80})
            .book();

    assertThat(pods(book, "gpu_memory_used_percent")).isEmpty();
  }

  @Test
  void aSumOfWhichAPartIsMissingIsNone() {
    Scene scene = new Scene().ready("web", "web-a", "web-b", "web-c", "web-d");
    for (String pod : List.of("web-a", "web-b", "web-c")) {
      scene.card(UTIL, "GPU-" + pod, "n1", pod, 40);
    }
    ReadBook book = scene.book();

    assertThat(deployment(book, "web", "gpu_utilization")).isEqualTo(Map.of("web", 40.0));
    assertThat(deployment(book, "web", "gpu_utilization_sum")).isEmpty();
  }

  /** Too much load is what makes them fall. */
  @Test
  void aTotalDoesNotFallWithThePodsThatFailTheirProbe() {
    Scene scene =
        new Scene()
            .ready("web", "web-a")
            .pod("web", "web-b")
            .unready(Duration.ofMinutes(1))
            .there()
            .card(UTIL, "GPU-1", "n1", "web-a", 100);

    assertThat(deployment(scene.book(), "web", "gpu_utilization_sum")).isEmpty();
    assertThat(
            scene
                .book()
                .ofObjects(
                    Asking.DEPLOYMENTS,
                    new Which.Named("ml", "web"),
                    "gpu_utilization_sum",
                    Selector.ANY,
                    NOW))
        .asString()
        .contains("that was ready and is not now");
    scene.card(UTIL, "GPU-2", "n1", "web-b", 90);
    assertThat(deployment(scene.book(), "web", "gpu_utilization_sum"))
        .isEqualTo(Map.of("web", 190.0));
    assertThat(external(scene.book(), "gpu_utilization_sum", where("workload", "web")).values())
        .containsExactly(190.0);
    assertThat(deployment(scene.book(), "web", "gpu_utilization")).isEqualTo(Map.of("web", 100.0));
  }

  @Test
  void aPodOfAnOldNameIsNotAnsweredForByItsForerunner() {
    ReadBook book =
        new Scene()
            .pod("web", "web-0")
            .started(Duration.ofSeconds(30))
            .there()
            .series(
                UTIL,
                labels("GPU-1", "n1", "web-0"),
                new double[] {-65, 100},
                new double[] {-50, 100},
                new double[] {-35, 100},
                new double[] {-20, 2},
                new double[] {-5, 4})
            .book();

    assertThat(pods(book, "gpu_utilization_avg_5m")).isEqualTo(Map.of("web-0", 3.0));
  }

  @Test
  void theSecondInWhichAPodBeganIsNotItsOwn() {
    ReadBook book =
        new Scene()
            .pod("web", "web-0")
            .started(Duration.ofSeconds(30))
            .there()
            .series(UTIL, labels("GPU-1", "n1", "web-0"), new double[] {-29.4, 100})
            .book();

    assertThat(pods(book, "gpu_utilization")).isEmpty();
  }

  @Test
  void aMigInstanceIsMeasuredByItsEngineAndItsMemoryTraffic() {
    Map<String, String> mig = with(labels("GPU-1", "n1", "web-a"), "GPU_I_ID", "3");
    ReadBook book =
        new Scene()
            .pod("web", "web-a")
            .asking("nvidia.com/mig-1g.10gb")
            .there()
            .series(ENGINE, mig, every15s(0.42))
            .series(DRAM, mig, every15s(0.25))
            // Old exporters write a zero where there is nothing to be measured.
            .series(UTIL, mig, every15s(0))
            .series(COPY, mig, every15s(0))
            .book();

    assertThat(pods(book, "gpu_utilization")).isEqualTo(Map.of("web-a", 42.0));
    assertThat(pods(book, "gpu_memory_bandwidth_percent")).isEqualTo(Map.of("web-a", 25.0));
    assertThat(pods(book, "gpu_engine_active_percent")).isEqualTo(Map.of("web-a", 42.0));
    assertThat(pods(book, "gpu_power_watts")).isEmpty();
    for (String ofCards : List.of(UTIL, COPY, UTIL + "_max", UTIL + "_avg_2m")) {
      assertThat(pods(book, ofCards)).as(ofCards).isEmpty();
    }
    assertThat(pods(book, ENGINE)).isEqualTo(Map.of("web-a", 0.42));
  }

  @Test
  void memoryIsAShareOfAllThatTheCardHas() {
    ReadBook book =
        new Scene()
            .ready("web", "web-a", "web-b")
            .card(USED, "GPU-1", "n1", "web-a", 60_000)
            .card(FREE, "GPU-1", "n1", "web-a", 19_000)
            .card(RESERVED, "GPU-1", "n1", "web-a", 1_000)
            .card(USED, "GPU-2", "n1", "web-b", 60_000)
            .book();

    assertThat(pods(book, "gpu_memory_used_percent"))
        .as("without a whole there is no share")
        .isEqualTo(Map.of("web-a", 75.0));
  }

  @Test
  void oldNamesAndAmdFeedTheSameNames() {
    Map<String, String> amd =
        Map.of(
            "serial_number",
            "692X",
            "gpu_id",
            "1",
            "hostname",
            "n1",
            "exported_pod",
            "web-b",
            "exported_namespace",
            "ml",
            "pod",
            "dcgm-x",
            "namespace",
            "gpu-operator");
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .pod("web", "web-b")
            .asking("amd.com/gpu")
            .there()
            .card("dcgm_gpu_utilization", "GPU-1", "n1", "web-a", 30)
            .series("gpu_gfx_activity", amd, every15s(70))
            .series("gpu_used_vram", amd, every15s(50))
            .series("gpu_total_vram", amd, every15s(200))
            .book();

    assertThat(pods(book, "gpu_utilization")).isEqualTo(Map.of("web-a", 30.0, "web-b", 70.0));
    assertThat(pods(book, "gpu_memory_used_percent")).isEqualTo(Map.of("web-b", 25.0));
  }

  @Test
  void twoWhoWatchOneCardDoNotAddUp() {
    Map<String, String> first = with(labels("GPU-1", "n1", "web-a"), "instance", "a");
    Map<String, String> second = with(labels("GPU-1", "n1", "web-a"), "instance", "b");
    ReadBook book =
        new Scene()
            .ready("web", "web-a", "web-b")
            .series(UTIL, first, every15s(40))
            .series(UTIL, second, every15s(40))
            .card(UTIL, "GPU-2", "n1", "web-b", 80)
            .book();

    assertThat(deployment(book, "web", "gpu_utilization")).isEqualTo(Map.of("web", 60.0));
    assertThat(deployment(book, "web", "gpu_utilization_sum")).isEqualTo(Map.of("web", 120.0));
  }

  @Test
  void theDevicesOfAPodAddUpOnceThoughTwoJobsScrapeTheirExporter() {
    Scene scene =
        new Scene()
            .ready("web", "web-a")
            .pod("mig", "mig-a")
            .gpus(2)
            .asking("nvidia.com/mig-1g.10gb")
            .there();
    for (String job : List.of("dcgm-exporter", "kubernetes-pods")) {
      double[][] watts = every15s(job.equals("dcgm-exporter") ? 300 : 310);
      for (double[] point : watts) {
        point[0] -= job.equals("dcgm-exporter") ? 6 : 0;
      }
      Map<String, String> card = looked(labels("GPU-1", "n1", "web-a"), job);
      Map<String, String> mig = looked(labels("GPU-2", "n1", "mig-a"), job);
      scene.series("DCGM_FI_DEV_POWER_USAGE", card, watts);
      scene.series(ENGINE, with(mig, "GPU_I_ID", "1"), every15s(0.2));
      scene.series(ENGINE, with(mig, "GPU_I_ID", "2"), every15s(0.3));
    }
    ReadBook book = scene.book();

    assertThat(pods(book, "gpu_power_watts_sum"))
        .as("the newest counts")
        .isEqualTo(Map.of("web-a", 310.0));
    assertThat(pods(book, "gpu_engine_active_percent_sum")).isEqualTo(Map.of("mig-a", 50.0));
    assertThat(external(book, "gpu_power_watts_sum", where("workload", "web")).values())
        .containsExactly(310.0);
  }

  private static Map<String, String> looked(Map<String, String> labels, String job) {
    return with(with(with(labels, "job", job), "instance", job + ":9400"), "replica", job);
  }

  @Test
  void aTenantsWordAboutSomebodyElsesCardCountsForNothing() {
    Map<String, String> forged = new java.util.HashMap<>(labels("GPU-1", "n1", "web-a"));
    forged.put("pod", "attacker-0");
    forged.put("namespace", "evil");
    Map<String, String> invented = with(forged, "UUID", "GPU-9");
    ReadBook book =
        twoPods().series(UTIL, forged, every15s(0)).series(UTIL, invented, every15s(0)).book();

    assertThat(pods(book, "gpu_utilization")).isEqualTo(Map.of("web-a", 40.0, "web-b", 80.0));
  }

  @Test
  void aNumberOfAWorkloadNeedsMostOfItsReadyPods() {
    Scene four =
        new Scene()
            .ready("web", "web-a", "web-b", "web-c", "web-d")
            .card(UTIL, "GPU-1", "n1", "web-a", 30)
            .card(UTIL, "GPU-2", "n1", "web-b", 60)
            .card(UTIL, "GPU-3", "n1", "web-c", 90);
    Scene two = new Scene().ready("web", "web-a", "web-b").card(UTIL, "GPU-1", "n1", "web-a", 30);

    assertThat(deployment(four.book(), "web", "gpu_utilization")).isEqualTo(Map.of("web", 60.0));
    assertThat(deployment(two.book(), "web", "gpu_utilization")).isEmpty();
  }

  @Test
  void aServiceHasTheMeanOfThePodsBehindItAndANodeOfItsCards() {
    ReadBook book =
        twoPods()
            .ready("other", "other-a")
            .card(UTIL, "GPU-3", "n1", "other-a", 0)
            .service("front", "web")
            .service("nothing", "absent")
            .book();

    assertThat(one(book, Resource.SERVICES, "front", "gpu_utilization"))
        .isEqualTo(Map.of("front", 60.0));
    assertThat(one(book, Resource.SERVICES, "nothing", "gpu_utilization")).isEmpty();
    assertThat(one(book, Resource.NODES, "n1", "gpu_utilization")).isEqualTo(Map.of("n1", 40.0));
    assertThat(one(book, Resource.NAMESPACES, "ml", "gpu_utilization"))
        .isEqualTo(Map.of("ml", 40.0));
  }

  @Test
  void aFamilyUnderItsOwnNameIsAsItIs() {
    ReadBook book = twoPods().card(ENGINE, "GPU-1", "n1", "web-a", 0.5).book();

    assertThat(pods(book, UTIL)).isEqualTo(Map.of("web-a", 40.0, "web-b", 80.0));
    assertThat(pods(book, ENGINE)).isEqualTo(Map.of("web-a", 0.5));
    assertThat(pods(book, UTIL + "_avg_1m")).isEqualTo(Map.of("web-a", 40.0, "web-b", 80.0));
    assertThat(pods(book, "DCGM_FI_DEV_GPU_TEMP")).isEmpty();
  }

  @Test
  void onlySamplesThatFitTheSelectorCount() {
    ReadBook book = twoPods().book();

    assertThat(pods(book, "gpu_utilization", where("modelName", "NVIDIA H100"))).hasSize(2);
    assertThat(pods(book, "gpu_utilization", where("modelName", "Tesla T4"))).isEmpty();
    assertThat(pods(book, "gpu_utilization", where("pod", "web-b")))
        .as("labels are the exporter's, wherever Prometheus put them")
        .isEqualTo(Map.of("web-b", 80.0));
  }

  /** As a pod with a server and a helper beside it, each with a GPU of its own. */
  @Test
  void labelsChooseAmongTheGpusOfAPodAndTheOthersAreNotMissed() {
    Map<String, String> server = with(labels("GPU-1", "n1", "web-a"), "container", "server");
    Map<String, String> helper = with(labels("GPU-2", "n1", "web-a"), "container", "helper");
    Map<String, String> before = with(labels("GPU-2", "n1", "old"), "container", "server");
    Scene scene =
        new Scene()
            .pod("web", "web-a")
            .gpus(2)
            .started(Duration.ofSeconds(100))
            .ready(Duration.ofSeconds(80))
            .there()
            .series(UTIL, server, every15s(90))
            .series(UTIL, helper, every15s(10))
            .series(UTIL, before, new double[] {-150, 70}, new double[] {-135, 70});

    assertThat(pods(scene.book(), "gpu_utilization", where("container", "server")))
        .isEqualTo(Map.of("web-a", 90.0));
    assertThat(pods(scene.book(), "gpu_utilization_sum", where("container", "helper")))
        .isEqualTo(Map.of("web-a", 10.0));
    assertThat(pods(scene.book(), "gpu_utilization", where("container", "absent"))).isEmpty();
    assertThat(pods(scene.book(), "gpu_utilization")).isEqualTo(Map.of("web-a", 50.0));
  }

  @Test
  void aGpuThatLabelsChooseAndThatIsNotMeasuredIsMissed() {
    Map<String, String> first = with(labels("GPU-1", "n1", "web-a"), "container", "server");
    Map<String, String> second = with(labels("GPU-2", "n1", "web-a"), "container", "server");
    Map<String, String> helper = with(labels("GPU-3", "n1", "web-a"), "container", "helper");
    Scene scene =
        new Scene()
            .pod("web", "web-a")
            .gpus(3)
            .there()
            .series(UTIL, first, every15s(90))
            .series(USED, second, every15s(60_000));
    Selector server = where("container", "server");

    assertThat(pods(scene.book(), "gpu_utilization", server))
        .as("a third of which nobody knows whose it is")
        .isEmpty();
    scene.series(UTIL, helper, every15s(10));
    assertThat(pods(scene.book(), "gpu_utilization", server))
        .as("known by another family alone")
        .isEmpty();
    scene.series(UTIL, second, every15s(30));
    assertThat(pods(scene.book(), "gpu_utilization", server)).isEqualTo(Map.of("web-a", 60.0));
  }

  @Test
  void podsAreChosenByTheirOwnLabels() {
    ReadBook book = twoPods().ready("x", "x-a").card(UTIL, "GPU-3", "n1", "x-a", 7).book();

    Answer<OfObject> answer =
        book.ofObjects(
            Resource.PODS,
            new Which.Labelled("ml", where("app", "x")),
            "gpu_utilization",
            Selector.ANY,
            NOW);

    assertThat(((Answer.Found<OfObject>) answer).values())
        .singleElement()
        .satisfies(one -> assertThat(one.object().name()).isEqualTo("x-a"));
  }

  /** 98 of one signal and 30 of another would be a fall that nobody measured. */
  @Test
  void aFeedThatCouldNotBeReadIsNotReplacedByAnotherSignal() {
    Map<String, String> card = labels("GPU-1", "n1", "web-a");
    Scene scene =
        new Scene()
            .ready("web", "web-a")
            .series(ENGINE, card, every15s(0.3))
            .series(DRAM, card, every15s(0.3));
    assertThat(pods(scene.book(), "gpu_utilization")).isEqualTo(Map.of("web-a", 30.0));

    scene.unread(UTIL, COPY);
    assertThat(pods(scene.book(), "gpu_utilization")).isEmpty();
    assertThat(pods(scene.book(), "gpu_memory_bandwidth_percent")).isEmpty();
    assertThat(pods(scene.book(), "gpu_engine_active_percent")).isEqualTo(Map.of("web-a", 30.0));
  }

  @Test
  void anAnswerInPartIsUsedForWhatItHoldsAndForNothingElse() {
    Scene scene =
        new Scene()
            .ready("web", "web-a", "web-b")
            .card(UTIL, "GPU-1", "n1", "web-a", 98)
            .card(ENGINE, "GPU-1", "n1", "web-a", 0.3)
            .card(ENGINE, "GPU-2", "n1", "web-b", 0.3)
            .partly(UTIL);

    assertThat(pods(scene.book(), "gpu_utilization")).isEqualTo(Map.of("web-a", 98.0));
  }

  @Test
  void aShareOfMemoryIsNotMadeWithoutAPartThatCouldNotBeRead() {
    Scene scene =
        new Scene()
            .ready("web", "web-a")
            .card("DCGM_FI_DEV_FB_USED", "GPU-1", "n1", "web-a", 40)
            .card("DCGM_FI_DEV_FB_FREE", "GPU-1", "n1", "web-a", 40);
    assertThat(pods(scene.book(), "gpu_memory_used_percent")).isEqualTo(Map.of("web-a", 50.0));

    assertThat(pods(scene.unread("DCGM_FI_DEV_FB_RESERVED").book(), "gpu_memory_used_percent"))
        .isEmpty();
  }

  @Test
  void thePowerOfAPartitionIsNotTheZeroThatItsExporterWrites() {
    String power = "gpu_power_usage";
    for (Map.Entry<String, Boolean> cut :
        Map.of("spx/0", false, "cpx/3", true, "cpx/0", true).entrySet()) {
      String[] parts = cut.getKey().split("/");
      Map<String, String> labels =
          with(
              with(labels("", "n1", "web-a"), "gpu_compute_partition_type", parts[0]),
              "gpu_partition_id",
              parts[1]);
      ReadBook book =
          new Scene()
              .pod("web", "web-a")
              .asking("amd.com/gpu")
              .there()
              .series(power, with(labels, "gpu_id", "1"), every15s(0))
              .series("gpu_gfx_activity", with(labels, "gpu_id", "1"), every15s(40))
              .book();

      assertThat(pods(book, "gpu_utilization")).isEqualTo(Map.of("web-a", 40.0));
      for (String metric : List.of("gpu_power_watts", power)) {
        assertThat(pods(book, metric).isEmpty())
            .as("%s of %s", metric, cut.getKey())
            .isEqualTo(cut.getValue());
      }
    }
  }

  @Test
  void theActivityOfALaterPartitionIsNotTheZeroThatItsExporterWrites() {
    Map<String, String> later =
        with(
            with(labels("", "n1", "web-a"), "gpu_compute_partition_type", "cpx"),
            "gpu_partition_id",
            "3");
    for (double measured : List.of(0.0, 40.0)) {
      ReadBook book =
          new Scene()
              .pod("web", "web-a")
              .asking("amd.com/gpu")
              .there()
              .series("gpu_gfx_activity", with(later, "gpu_id", "1"), every15s(measured))
              .book();

      Map<String, Double> known = measured > 0 ? Map.of("web-a", measured) : Map.of();
      assertThat(pods(book, "gpu_utilization")).isEqualTo(known);
      assertThat(pods(book, "gpu_gfx_activity")).isEqualTo(known);
    }
  }

  @Test
  void aStaleSampleIsNotReplacedByAnotherSignal() {
    Map<String, String> card = labels("GPU-1", "n1", "web-a");
    double[][] stale = {{-200, 98}, {-185, 98}};
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .series(UTIL, card, stale)
            .series(COPY, card, stale)
            .series(ENGINE, card, every15s(0.3))
            .series(DRAM, card, every15s(0.3))
            .book();

    assertThat(pods(book, "gpu_utilization")).isEmpty();
    assertThat(pods(book, "gpu_memory_bandwidth_percent")).isEmpty();
    assertThat(one(book, Resource.NODES, "n1", "gpu_utilization")).isEmpty();
    assertThat(pods(book, "gpu_engine_active_percent")).isEqualTo(Map.of("web-a", 30.0));
  }

  @Test
  void aSignalThatHasLeftTheWindowIsStillMissedForAnHour() {
    Map<String, String> card = labels("GPU-1", "n1", "web-a");
    Numbers now = new Scene().ready("web", "web-a").series(ENGINE, card, every15s(0.3)).numbers();
    assertThat(pods(new ReadBook(now, Set.of()), "gpu_utilization"))
        .as("of a device that was never measured otherwise")
        .isEqualTo(Map.of("web-a", 30.0));

    for (Map.Entry<Integer, Integer> left : Map.of(500, 0, 3500, 0, 3700, 1).entrySet()) {
      Numbers before =
          new Scene()
              .ready("web", "web-a")
              .series(UTIL, card, new double[] {-left.getKey(), 98})
              .numbers();
      Numbers between = new Scene().ready("web", "web-a").numbers().after(before);
      Numbers after =
          new Scene()
              .ready("web", "web-a")
              .series(ENGINE, card, every15s(0.3))
              .numbers()
              .after(between);
      assertThat(pods(new ReadBook(after, Set.of()), "gpu_utilization"))
          .as("%s s after", left.getKey())
          .hasSize(left.getValue());
    }
  }

  /** A tenant, or a recording rule, may publish what it likes. */
  @Test
  void anEndingOfAKnownNameIsNoFamilyOfSomebodyElse() {
    Map<String, String> card = labels("GPU-1", "n1", "web-a");
    Scene scene = new Scene().ready("web", "web-a").series(UTIL, card, every15s(40));
    for (String name : List.of("gpu_utilization_avg_2m", "gpu_utilization_max", UTIL + "_avg_2m")) {
      scene.series(name, card, every15s(7));
      assertThat(pods(scene.book(), name)).as(name).isEqualTo(Map.of("web-a", 40.0));
    }
    assertThat(Question.of("gpu_utilization_avg_2m", Selector.ANY)).hasSize(1);
    assertThat(Question.of("gateway_queue_max", Selector.ANY)).hasSize(2);
  }

  @Test
  void aNameInLowerCaseWithAnEndingIsTheKnownFamilysToo() {
    String asked = "dcgm_fi_dev_gpu_util_max";
    assertThat(Spelling.of(asked, Set.of(asked))).isEqualTo(UTIL + "_max");
    assertThat(Spelling.of("gateway_queue_max", Set.of("gateway_queue_max")))
        .isEqualTo("gateway_queue_max");
    assertThat(Spelling.of("dcgm_fi_prof_sm_active", Set.of("dcgm_fi_prof_sm_active")))
        .isEqualTo("dcgm_fi_prof_sm_active");
  }

  @Test
  void noCardDrawsFiveKilowatts() {
    String power = "DCGM_FI_DEV_POWER_USAGE";
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .series(
                power,
                labels("GPU-1", "n1", "web-a"),
                new double[] {-20, 700},
                new double[] {-5, 65_535})
            .book();

    assertThat(pods(book, "gpu_power_watts")).isEqualTo(Map.of("web-a", 700.0));
    assertThat(pods(book, power)).isEqualTo(Map.of("web-a", 700.0));
    assertThat(book.numbers().drops(0)).isEqualTo(Map.of(Drop.TOO_HIGH, 1));
  }

  /** Each selector has a table, and selectors come from whoever may ask. */
  @Test
  void questionsWithLabelsAreWorkedOutWhenTheyAreAskedAndFewAreKept() {
    Numbers first = twoPods().numbers();
    ReadBook book = new ReadBook(first, Set.of());
    pods(book, "gpu_utilization");
    for (int i = 0; i < 100; i++) {
      pods(book, "gpu_utilization", where("modelName", "model-" + i));
    }
    assertThat(first.worked()).isEqualTo(1 + 32);

    assertThat(twoPods().numbers().after(first).worked()).isEqualTo(1);
  }
}
