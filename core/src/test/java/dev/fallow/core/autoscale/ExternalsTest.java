package dev.fallow.core.autoscale;

import static dev.fallow.core.autoscale.Asking.deployment;
import static dev.fallow.core.autoscale.Asking.external;
import static dev.fallow.core.autoscale.Asking.pods;
import static dev.fallow.core.autoscale.Asking.where;
import static dev.fallow.core.autoscale.Scene.COPY;
import static dev.fallow.core.autoscale.Scene.UTIL;
import static dev.fallow.core.autoscale.Scene.every15s;
import static dev.fallow.core.autoscale.Scene.labels;
import static dev.fallow.core.autoscale.Scene.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.GpuPod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ExternalsTest {

  private static final String WAITING = "vllm:num_requests_waiting";
  private static final String CACHE = "vllm:kv_cache_usage_perc";

  private static Map<String, String> told(String namespace, String pod, String model) {
    return Map.of(
        "namespace", namespace, "pod", pod, "job", "vllm", "instance", pod, "model_name", model);
  }

  @Test
  void aWorkloadIsFoundByItsLabels() {
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .ready("x", "x-a")
            .card(UTIL, "GPU-1", "n1", "web-a", 40)
            .card(UTIL, "GPU-2", "n1", "x-a", 80)
            .book();

    assertThat(external(book, "gpu_utilization", Selector.ANY)).hasSize(2);
    assertThat(external(book, "gpu_utilization", where("workload", "x")))
        .isEqualTo(Map.of(Map.of("namespace", "ml", "kind", "Deployment", "workload", "x"), 80.0));
    assertThat(external(book, "gpu_utilization", where("workload", "absent"))).isEmpty();
  }

  @Test
  void whatServersTellIsTheirPods() {
    ReadBook book =
        new Scene()
            .ready("web", "web-a", "web-b")
            .series(WAITING, told("ml", "web-a", "m1"), every15s(3))
            .series(WAITING, told("ml", "web-a", "m2"), every15s(4))
            .series(WAITING, told("ml", "web-b", "m1"), every15s(1))
            .series(CACHE, told("ml", "web-a", "m1"), every15s(0.2))
            .series(CACHE, told("ml", "web-a", "m2"), every15s(0.6))
            .book();

    assertThat(pods(book, WAITING)).isEqualTo(Map.of("web-a", 7.0, "web-b", 1.0));
    assertThat(pods(book, CACHE)).as("shares do not add up").isEqualTo(Map.of("web-a", 0.4));
    assertThat(deployment(book, "web", WAITING)).isEqualTo(Map.of("web", 4.0));
    assertThat(pods(book, WAITING, where("model_name", "m2"))).isEqualTo(Map.of("web-a", 4.0));
    assertThat(external(book, WAITING, where("model_name", "m1"))).hasSize(2);
  }

  @Test
  void theSameServerScrapedTwiceIsCountedOnce() {
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .series(WAITING, told("ml", "web-a", "m1"), every15s(3))
            .series(WAITING, with(told("ml", "web-a", "m1"), "job", "again"), every15s(3))
            .book();

    assertThat(pods(book, WAITING)).isEqualTo(Map.of("web-a", 3.0));
    assertThat(external(book, WAITING, Selector.ANY)).hasSize(1);
  }

  /** As two ServiceMonitors, a job by annotations and a pair of Prometheis do. */
  @ParameterizedTest
  @MethodSource
  void aServerIsCountedOnceWhoeverScrapesIt(Map<String, String> one, Map<String, String> other) {
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .series(WAITING, with(one, "model_name", "m1"), ended(12, 5))
            .series(WAITING, with(one, "model_name", "m2"), ended(12, 6))
            .series(WAITING, with(other, "model_name", "m1"), ended(4, 7))
            .series(WAITING, with(other, "model_name", "m2"), ended(4, 8))
            .book();

    assertThat(pods(book, WAITING)).as("the newest counts").isEqualTo(Map.of("web-a", 15.0));
    assertThat(external(book, WAITING, Selector.ANY).values()).containsExactlyInAnyOrder(7.0, 8.0);
    assertThat(external(book, WAITING, where("model_name", "m1")).values()).containsExactly(7.0);
  }

  static List<Arguments> aServerIsCountedOnceWhoeverScrapesIt() {
    Map<String, String> first = at("web-a", "10.0.0.1:8000");
    Map<String, String> named = with(at("web-a", "web-a"), "job", "kubernetes-pods");
    return List.of(
        Arguments.of(first, with(with(first, "job", "other"), "endpoint", "http")),
        Arguments.of(first, named),
        Arguments.of(first, with(first, "prometheus_replica", "1")),
        Arguments.of(first, with(with(first, "job", "by-label"), "pod_template_hash", "5f7")),
        Arguments.of(with(first, "container", "vllm"), with(first, "container", "istio-proxy")),
        Arguments.of(with(named, "app", "web"), with(named, "instance", "10.0.0.1")));
  }

  @Test
  void whatAServerTellsOfEachEngineAddsUpThoughTwoScrapeIt() {
    Map<String, String> one = at("web-a", "10.0.0.1:8000");
    Map<String, String> other = with(with(one, "job", "other"), "app", "web");
    Map<String, String> sidecar = at("web-a", "10.0.0.1:8001");
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .series(WAITING, with(one, "engine", "0"), every15s(1))
            .series(WAITING, with(one, "engine", "1"), every15s(2))
            .series(WAITING, with(other, "engine", "0"), every15s(1))
            .series(WAITING, with(other, "engine", "1"), every15s(2))
            .series(WAITING, with(sidecar, "engine", "0"), every15s(4))
            .book();

    assertThat(pods(book, WAITING)).isEqualTo(Map.of("web-a", 7.0));
    assertThat(external(book, WAITING, Selector.ANY).values())
        .containsExactlyInAnyOrder(1.0, 2.0, 4.0);
  }

  @Test
  void jobsThatSeeDifferentThingsOfOnePortAddUp() {
    Map<String, String> port = at("web-a", "10.0.0.1:8000");
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .series(WAITING, port, every15s(1))
            .series(WAITING, with(with(port, "job", "b"), "model_name", "m2"), every15s(2))
            .book();

    assertThat(pods(book, WAITING)).isEqualTo(Map.of("web-a", 3.0));
  }

  @Test
  void enginesAreToldApartThoughAnotherJobDropsTheirLabel() {
    Map<String, String> one = at("web-a", "10.0.0.1:8000");
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .series(CACHE, with(one, "engine", "0"), every15s(0.1))
            .series(CACHE, with(one, "engine", "1"), every15s(0.5))
            .series(CACHE, with(one, "job", "b"), every15s(0.3))
            .book();

    assertThat(pods(book, CACHE + "_max")).isEqualTo(Map.of("web-a", 0.5));
    assertThat(pods(book, CACHE + "_min")).isEqualTo(Map.of("web-a", 0.1));
  }

  @Test
  void nobodySpeaksForTheServersOfAnotherNamespace() {
    Map<String, String> forged = new java.util.HashMap<>(told("evil", "attacker", "m1"));
    forged.put("exported_pod", "web-a");
    forged.put("exported_namespace", "ml");
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .pod("miner", "miner-a")
            .in("evil")
            .there()
            .series(WAITING, forged, every15s(1000))
            .series(WAITING, with(told("ml", "web-a", "m1"), "job", "evil/monitor"), every15s(1000))
            .book();

    assertThat(pods(book, WAITING)).isEmpty();
    assertThat(external(book, WAITING, Selector.ANY)).isEmpty();
    String why = "the job evil/monitor that scraped it is of another namespace with GPU workloads";
    assertThat(
            book.ofObjects(
                MetricBook.Resource.PODS,
                new MetricBook.Which.Named("ml", "web-a"),
                WAITING,
                Selector.ANY,
                Scene.NOW))
        .asString()
        .contains(why)
        .contains("--exporter-namespaces");
    assertThat(book.external("ml", WAITING, Selector.ANY, Scene.NOW)).asString().contains(why);
  }

  /** The Prometheus operator calls a PodMonitor's job after it; Alloy has jobs of its own. */
  @Test
  void aCentralJobSpeaksForThePodsOfEveryNamespace() {
    for (String job : List.of("monitoring/vllm", "integrations/vllm", "ml/vllm")) {
      ReadBook book =
          new Scene()
              .ready("web", "web-a")
              .series(WAITING, with(told("ml", "web-a", "m1"), "job", job), every15s(3))
              .book();

      assertThat(pods(book, WAITING)).as(job).isEqualTo(Map.of("web-a", 3.0));
      assertThat(external(book, WAITING, Selector.ANY)).as(job).hasSize(1);
    }
  }

  @Test
  void aNamedNamespaceSpeaksForOthersThoughItRunsGpuWorkloads() {
    Scene scene =
        new Scene()
            .ready("web", "web-a")
            .pod("tool", "tool-a")
            .in("platform")
            .there()
            .series(WAITING, with(told("ml", "web-a", "m1"), "job", "platform/vllm"), every15s(3));

    assertThat(pods(scene.book(), WAITING)).isEmpty();
    assertThat(pods(scene.exporterNamespaces("gpu-operator", "platform").book(), WAITING))
        .isEqualTo(Map.of("web-a", 3.0));
  }

  @Test
  void theOldAverageIsOfTheGpusAboveZero() {
    Scene scene =
        new Scene()
            .ready("web", "web-a", "web-b", "web-c")
            .card(COPY, "GPU-1", "n1", "web-a", 20)
            .card(COPY, "GPU-2", "n1", "web-b", 40)
            .card(COPY, "GPU-3", "n1", "web-c", 0)
            .card(COPY, "GPU-4", "n1", "", 0);

    assertThat(external(scene.book(), "avg_GPU_utilization", Selector.ANY))
        .isEqualTo(Map.of(Map.of(), 30.0));
    assertThat(external(scene.book(), "avg_GPU_utilization_avg_5m", Selector.ANY))
        .isEqualTo(Map.of(Map.of(), 30.0));
  }

  /** Without the busy half of the fleet it would tell autoscalers to scale down. */
  @Test
  void theOldAverageIsNotOfThoseThatAreLeftWhenAnExporterIsLost() {
    double[][] lost = {{-130, 90}, {-115, 90}, {-100, 90}};
    Scene left = new Scene().ready("web", "web-a").card(COPY, "GPU-1", "n1", "web-a", 10);
    Scene silent =
        new Scene()
            .ready("web", "web-a")
            .pod("web", "web-b")
            .on("n2")
            .there()
            .card(COPY, "GPU-1", "n1", "web-a", 10)
            .series(COPY, labels("GPU-2", "n2", "web-b"), lost);

    assertThat(external(left.book(), "avg_GPU_utilization", Selector.ANY))
        .isEqualTo(Map.of(Map.of(), 10.0));
    assertThat(external(silent.book(), "avg_GPU_utilization", Selector.ANY)).isEmpty();
    assertThat(external(silent.book(), "avg_GPU_utilization_avg_5m", Selector.ANY).get(Map.of()))
        .as("of the time before it was lost")
        .isGreaterThan(10);
    assertThat(
            external(
                left.series(COPY, labels("GPU-3", "gone", ""), lost).book(),
                "avg_GPU_utilization",
                Selector.ANY))
        .as("nobody waits for a node that is gone")
        .isEqualTo(Map.of(Map.of(), 10.0));
  }

  @Test
  void whereNothingIsAboveZeroThereIsNoOldAverage() {
    ReadBook book = new Scene().ready("web", "web-a").card(COPY, "GPU-1", "n1", "web-a", 0).book();

    assertThat(external(book, "avg_GPU_utilization", Selector.ANY)).isEmpty();
    assertThat(external(book, "avg_GPU_utilization_avg_5m", Selector.ANY)).isEmpty();
  }

  @Test
  void theRollingAverageIsOverMomentsAndNotOverSamples() {
    // One card is busy early, the other late: at each moment one is above zero.
    ReadBook book =
        new Scene()
            .ready("web", "web-a", "web-b")
            .series(
                COPY,
                labels("GPU-1", "n1", "web-a"),
                new double[] {-45, 0},
                new double[] {-30, 0},
                new double[] {-15, 90},
                new double[] {0, 90})
            .series(
                COPY,
                labels("GPU-2", "n1", "web-b"),
                new double[] {-45, 30},
                new double[] {-30, 30},
                new double[] {-15, 0},
                new double[] {0, 0})
            .book();

    assertThat(external(book, "avg_GPU_utilization_avg_1m", Selector.ANY))
        .isEqualTo(Map.of(Map.of(), 60.0));
  }

  /** The autoscaler adds up what it is given. */
  @Test
  void ofSeriesThatAddUpAllAreGivenOrNone() {
    double[][] stale = {{-200, 8}, {-185, 8}};
    Scene scene =
        new Scene()
            .ready("web", "web-a", "web-b")
            .series(WAITING, told("ml", "web-a", "m1"), every15s(8))
            .series(WAITING, told("ml", "web-b", "m1"), stale);

    assertThat(external(scene.book(), WAITING, Selector.ANY)).isEmpty();
    assertThat(external(scene.book(), WAITING, where("instance", "web-a"))).hasSize(1);
    assertThat(
            external(
                new Scene()
                    .ready("web", "web-a")
                    .series(WAITING, told("ml", "web-a", "m1"), every15s(8))
                    .series(WAITING, told("ml", "gone", "m1"), stale)
                    .book(),
                WAITING,
                Selector.ANY))
        .as("a pod that is gone has nothing to add")
        .hasSize(1);
  }

  @Test
  void theOldAverageIsOfAllAndCannotBeChosenFrom() {
    ReadBook book = new Scene().ready("web", "web-a").card(COPY, "GPU-1", "n1", "web-a", 40).book();
    assertThat(external(book, "avg_GPU_utilization", Selector.ANY)).hasSize(1);
    assertThat(external(book, "avg_GPU_utilization", where("workload", "web"))).isEmpty();
  }

  @Test
  void aWorkloadWhoseExporterIsLostTakesTheSumAway() {
    String power = "DCGM_FI_DEV_POWER_USAGE";
    Scene scene =
        new Scene()
            .ready("web", "web-a")
            .ready("x", "x-a")
            .card(power, "GPU-1", "n1", "web-a", 300)
            .series(power, labels("GPU-2", "n1", "x-a"), new double[] {-200, 300});

    for (String metric : List.of("gpu_power_watts", power)) {
      assertThat(external(scene.book(), metric, where("kind", "Deployment"))).isEmpty();
      assertThat(external(scene.book(), metric, where("workload", "web"))).hasSize(1);
    }
    assertThat(
            external(
                new Scene()
                    .ready("web", "web-a")
                    .pod("x", "x-a")
                    .phase(GpuPod.Phase.PENDING)
                    .there()
                    .card(power, "GPU-1", "n1", "web-a", 300)
                    .book(),
                "gpu_power_watts",
                Selector.ANY))
        .as("who has no ready pod has nothing to add")
        .hasSize(1);
  }

  @Test
  void aWorkloadOfWhichNoPodIsReadyAnyMoreTakesTheSumAway() {
    Scene scene =
        new Scene()
            .ready("web", "web-a")
            .pod("x", "x-a")
            .unready(Duration.ofMinutes(1))
            .there()
            .card(UTIL, "GPU-1", "n1", "web-a", 60)
            .card(UTIL, "GPU-2", "n1", "x-a", 100);

    assertThat(external(scene.book(), "gpu_utilization", where("kind", "Deployment"))).isEmpty();
    assertThat(external(scene.book(), "gpu_utilization", where("workload", "web"))).hasSize(1);
    assertThat(external(scene.book(), "gpu_utilization_sum", where("kind", "Deployment")).values())
        .containsExactlyInAnyOrder(60.0, 100.0);
  }

  @Test
  void aGatewayThatIsNotScrapedAnyMoreTakesTheSumAwayUntilItIsGone() {
    double[][] stale = {{-75, 8}, {-60, 8}};
    for (boolean live : List.of(true, false)) {
      ReadBook book =
          new Scene()
              .withoutGpu("gateway-a", true)
              .withoutGpu("gateway-b", live)
              .series("gateway_queue", told("ml", "gateway-a", "m1"), every15s(8))
              .series("gateway_queue", told("ml", "gateway-b", "m1"), stale)
              .book();

      assertThat(external(book, "gateway_queue", Selector.ANY)).hasSize(live ? 0 : 1);
    }
  }

  @Test
  void aSumOfMoreSeriesThanAreGivenOutIsNone() {
    Scene scene = new Scene().ready("web", "web-a");
    for (int i = 0; i <= 5000; i++) {
      scene.series(WAITING, told("ml", "web-a", "m" + i), new double[] {-5, 1});
    }

    assertThat(external(scene.book(), WAITING, Selector.ANY)).isEmpty();
    assertThat(external(scene.book(), WAITING, where("model_name", "m7"))).hasSize(1);
  }

  @Test
  void theOldAverageIsOfAllGpusAndNotOfThoseThatHappenToBeSeen() {
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .card(COPY, "GPU-1", "n1", "web-a", 40)
            .partly(COPY)
            .book();

    assertThat(external(book, "avg_GPU_utilization", Selector.ANY)).isEmpty();
    assertThat(external(book, "avg_GPU_utilization_avg_5m", Selector.ANY)).isEmpty();
  }

  private static double[][] ended(int last, double value) {
    double[][] points = new double[6][];
    for (int i = 0; i < points.length; i++) {
      points[i] = new double[] {-last - 15 * i, value};
    }
    return points;
  }

  private static Map<String, String> at(String pod, String instance) {
    return with(told("ml", pod, "m1"), "instance", instance);
  }

  /** As a StatefulSet does; its forerunner's series is in the window for minutes. */
  @Test
  void aPodThatBeganAnewUnderItsNameNeitherMissesNorAddsItsForerunnersSeries() {
    ReadBook book =
        new Scene()
            .pod("web", "web-0")
            .started(Duration.ofSeconds(30))
            .there()
            .series(WAITING, at("web-0", "10.0.0.1:8000"), ended(31, 100))
            .series(
                WAITING, at("web-0", "10.0.0.2:8000"), new double[] {-20, 3}, new double[] {-5, 3})
            .book();

    assertThat(pods(book, WAITING)).isEqualTo(Map.of("web-0", 3.0));
    assertThat(external(book, WAITING, Selector.ANY).values()).containsExactly(3.0);
  }

  @Test
  void whatAServerTellsBeforeItIsReadyIsNoLoadOfThePod() {
    Scene scene =
        new Scene()
            .ready("web", "web-a")
            .pod("web", "web-b")
            .started(Duration.ofMinutes(2))
            .ready(Duration.ofSeconds(3))
            .there()
            .pod("web", "web-c")
            .started(Duration.ofMinutes(2))
            .unready(Duration.ofMinutes(2))
            .there()
            .series(WAITING, at("web-a", "10.0.0.1:8000"), every15s(4))
            .series(WAITING, at("web-b", "10.0.0.2:8000"), new double[] {-5, 0})
            .series(WAITING, at("web-c", "10.0.0.3:8000"), new double[] {-5, 0});

    assertThat(pods(scene.book(), WAITING)).isEqualTo(Map.of("web-a", 4.0));
    assertThat(deployment(scene.book(), "web", WAITING)).as("one of two").isEmpty();
    assertThat(external(scene.book(), WAITING, Selector.ANY).values())
        .as("a sum is of all who tell")
        .containsExactlyInAnyOrder(4.0, 0.0, 0.0);
  }

  @Test
  void aPodThatBeganAnewAndHasToldNothingYetTakesTheSumAway() {
    ReadBook book =
        new Scene()
            .ready("web", "web-1")
            .pod("web", "web-0")
            .started(Duration.ofSeconds(30))
            .there()
            .series(WAITING, at("web-1", "10.0.0.3:8000"), every15s(1))
            .series(WAITING, at("web-0", "10.0.0.1:8000"), ended(31, 100))
            .book();

    assertThat(pods(book, WAITING)).isEqualTo(Map.of("web-1", 1.0));
    assertThat(external(book, WAITING, Selector.ANY)).isEmpty();
  }

  @Test
  void aSeriesThatItsPodTellsUnderOtherLabelsNowIsNotMissed() {
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .withoutGpu("gateway", true)
            .series(WAITING, told("ml", "web-a", "old"), ended(65, 9))
            .series(
                WAITING,
                told("ml", "web-a", "new"),
                new double[] {-50, 4},
                new double[] {-35, 4},
                new double[] {-20, 4},
                new double[] {-5, 4})
            .series("gateway_queue", at("gateway", "10.0.0.1:80"), ended(35, 9))
            .series(
                "gateway_queue",
                at("gateway", "10.0.0.2:80"),
                new double[] {-20, 2},
                new double[] {-5, 2})
            .book();

    assertThat(pods(book, WAITING)).isEqualTo(Map.of("web-a", 4.0));
    assertThat(external(book, WAITING, Selector.ANY).values()).containsExactly(4.0);
    assertThat(external(book, "gateway_queue", Selector.ANY).values())
        .as("of a pod whose start is not known")
        .containsExactly(2.0);
  }

  @Test
  void aProgramOfAPodThatFallsSilentIsMissedThoughAnotherGoesOn() {
    ReadBook book =
        new Scene()
            .ready("web", "web-a")
            .series(WAITING, at("web-a", "10.0.0.1:8000"), every15s(4))
            .series(WAITING, at("web-a", "10.0.0.1:8001"), ended(65, 9))
            .book();

    assertThat(pods(book, WAITING)).isEmpty();
    assertThat(external(book, WAITING, Selector.ANY)).isEmpty();
  }
}
