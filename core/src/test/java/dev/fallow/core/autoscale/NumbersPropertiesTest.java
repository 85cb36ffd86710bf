package dev.fallow.core.autoscale;

import static dev.fallow.core.autoscale.Asking.deployment;
import static dev.fallow.core.autoscale.Asking.one;
import static dev.fallow.core.autoscale.Asking.pods;
import static dev.fallow.core.autoscale.Scene.ENGINE;
import static dev.fallow.core.autoscale.Scene.UTIL;
import static dev.fallow.core.autoscale.Scene.labels;
import static dev.fallow.core.autoscale.Scene.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.autoscale.MetricBook.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What holds of every fleet, tried on thousands of random ones. A failure names its seed. */
class NumbersPropertiesTest {

  private static final int TRIES = 2000;

  /** A random fleet of one workload, and what is known to be true of it. */
  private static final class Fleet {
    final Random random;
    final Scene scene = new Scene();
    final List<String> unmeasured = new ArrayList<>();
    final List<Runnable> doubled = new ArrayList<>();
    int measured;

    Fleet(long seed, boolean twice) {
      random = new Random(seed);
      int pods = 1 + random.nextInt(5);
      for (int p = 0; p < pods; p++) {
        pod("web-" + p);
      }
      if (twice) {
        doubled.forEach(Runnable::run);
      }
    }

    private void pod(String name) {
      int gpus = 1 + random.nextInt(3);
      boolean warming = random.nextInt(6) == 0;
      String node = "n" + random.nextInt(2);
      Scene.Pod pod = scene.pod("web", name).on(node).gpus(gpus);
      if (warming) {
        pod.unready(Duration.ofHours(2));
      }
      pod.there();
      boolean whole = true;
      for (int gpu = 0; gpu < gpus; gpu++) {
        whole &= card(name + "-gpu" + gpu, node, name);
      }
      if (whole && !warming) {
        measured++;
      } else {
        unmeasured.add(name);
      }
    }

    /** Answers whether the card has a fresh number that can be true. */
    private boolean card(String card, String node, String pod) {
      int fate = random.nextInt(14);
      if (fate == 0) {
        return false;
      }
      boolean mig = random.nextInt(5) == 0;
      boolean engine = mig || random.nextBoolean();
      String metric = engine ? ENGINE : UTIL;
      Map<String, String> labels = labels(card, node, pod);
      Map<String, String> all = mig ? with(labels, "GPU_I_ID", "1") : labels;
      boolean stale = fate == 1;
      boolean blank = fate == 2;
      double[][] points = new double[12][];
      for (int i = 0; i < points.length; i++) {
        double value = random.nextInt(101) / (engine ? 100.0 : 1);
        double wrong = random.nextBoolean() ? Double.NaN : 4294967295.0;
        boolean bad = blank || (i > 0 && random.nextInt(10) == 0);
        points[i] =
            new double[] {-15.0 * i - (stale ? 150 : random.nextInt(4)), bad ? wrong : value};
      }
      scene.series(metric, all, points);
      doubled.add(() -> scene.series(metric, with(all, "instance", "other"), points));
      return !stale && !blank;
    }
  }

  @Test
  void aPodThatIsNotMeasuredNeverHasANumber() {
    int unmeasured = 0;
    for (long seed = 0; seed < TRIES; seed++) {
      Fleet fleet = new Fleet(seed, false);
      Map<String, Double> values = pods(fleet.scene.book(), "gpu_utilization");
      for (String pod : fleet.unmeasured) {
        assertThat(values).as("seed %d", seed).doesNotContainKey(pod);
      }
      assertThat(values).as("seed %d", seed).hasSize(fleet.measured);
      unmeasured += fleet.unmeasured.size();
    }
    assertThat(unmeasured).isGreaterThan(TRIES / 2);
  }

  @Test
  void aWorkloadsMeanLiesBetweenItsPods() {
    int seen = 0;
    for (long seed = 0; seed < TRIES; seed++) {
      Fleet fleet = new Fleet(seed, false);
      MetricBook book = fleet.scene.book();
      for (String metric : List.of("gpu_utilization", "gpu_utilization_avg_2m")) {
        Map<String, Double> values = pods(book, metric);
        for (double mean : deployment(book, "web", metric).values()) {
          assertThat(mean)
              .as("seed %d", seed)
              .isBetween(
                  values.values().stream().mapToDouble(one -> one).min().orElseThrow() - 0.001,
                  values.values().stream().mapToDouble(one -> one).max().orElseThrow() + 0.001);
          seen++;
        }
      }
    }
    assertThat(seen).isGreaterThan(TRIES / 2);
  }

  @Test
  void whatIsSeenTwiceIsCountedOnce() {
    for (long seed = 0; seed < TRIES; seed++) {
      MetricBook once = new Fleet(seed, false).scene.book();
      MetricBook twice = new Fleet(seed, true).scene.book();
      for (String metric :
          List.of("gpu_utilization", "gpu_utilization_sum", "gpu_utilization_avg_2m")) {
        assertThat(pods(twice, metric)).as("seed %d", seed).isEqualTo(pods(once, metric));
        assertThat(deployment(twice, "web", metric))
            .as("seed %d", seed)
            .isEqualTo(deployment(once, "web", metric));
      }
      assertThat(one(twice, Resource.NODES, "n0", "gpu_utilization_sum"))
          .as("seed %d", seed)
          .isEqualTo(one(once, Resource.NODES, "n0", "gpu_utilization_sum"));
    }
  }

  @Test
  void aSharedCardIsCountedOnce() {
    for (long seed = 0; seed < TRIES; seed++) {
      Random random = new Random(seed);
      int sharers = 2 + random.nextInt(4);
      double value = random.nextInt(101);
      Scene scene = new Scene().sharing("n1");
      for (int i = 0; i < sharers; i++) {
        scene.ready("web", "web-" + i);
        scene.series(
            UTIL, with(labels("GPU-1", "n1", "web-" + i), "vgpu", "" + i), Scene.every15s(value));
      }
      Map<String, Double> expected = new HashMap<>();
      for (int i = 0; i < sharers; i++) {
        expected.put("web-" + i, value);
      }
      MetricBook book = scene.book();
      assertThat(pods(book, "gpu_utilization")).as("seed %d", seed).isEqualTo(expected);
      assertThat(deployment(book, "web", "gpu_utilization_sum"))
          .as("seed %d", seed)
          .isEqualTo(Map.of("web", value));
    }
  }

  @Test
  void percentagesStayPercentages() {
    for (long seed = 0; seed < TRIES; seed++) {
      Fleet fleet = new Fleet(seed, true);
      pods(fleet.scene.book(), "gpu_utilization_max_5m")
          .values()
          .forEach(value -> assertThat(value).isBetween(0.0, 100.5));
    }
  }
}
