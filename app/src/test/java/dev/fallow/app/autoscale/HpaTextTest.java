package dev.fallow.app.autoscale;

import static dev.fallow.app.autoscale.SmallCluster.NOON;
import static dev.fallow.app.autoscale.SmallCluster.UTIL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.output.Fields;
import dev.fallow.app.output.HpaText;
import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.Hpa;
import dev.fallow.core.autoscale.HpaReckoning;
import dev.fallow.core.autoscale.Numbers;
import dev.fallow.core.autoscale.ReadBook;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.fleet.ObjectTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HpaTextTest {

  private static Hpa hpa() {
    Map<String, Object> metric =
        Map.of(
            "type",
            "Pods",
            "pods",
            Map.of(
                "metric", Map.of("name", "gpu_utilization"),
                "target", Map.of("type", "AverageValue", "averageValue", "60")));
    return Hpa.of(
        new ObjectTree(
            Map.of(
                "metadata",
                Map.of("name", "web", "namespace", "ml"),
                "spec",
                Map.of(
                    "scaleTargetRef",
                    Map.of("apiVersion", "apps/v1", "kind", "Deployment", "name", "web"),
                    "maxReplicas",
                    5,
                    "metrics",
                    List.of(metric)))));
  }

  private static String json(Map<Feed, Readings.Seen> seen) {
    LiveMetricBook.Picture picture = SmallCluster.picture();
    Numbers numbers =
        new Numbers(
            new Readings(NOON, picture.cluster(), picture.around(), seen), Optional.empty());
    HpaReckoning reckoning = HpaReckoning.of(hpa(), new ReadBook(numbers, Set.of()));
    return Fields.json(new HpaText(reckoning).fields());
  }

  @Test
  void theReplicasAndWhereTheyComeFromAreShown() {
    Readings.Seen seen =
        new Readings.Seen(NOON, List.of(SmallCluster.card(UTIL.name(), NOON.minusSeconds(5), 90)));

    assertThat(json(Map.of(UTIL, seen)))
        .contains("\"desiredReplicas\":2", "\"pod\":\"web-1\"", "\"value\":90.0", "\"holds\":false")
        .contains("\"families\":[\"DCGM_FI_DEV_GPU_UTIL\"]")
        .contains("one request keeps it near 100");
  }

  @Test
  void aPodWithoutANumberIsNamedWithItsReason() {
    Map<Feed, Readings.Seen> nothing = new HashMap<>();
    HpaReckoning.feeds(hpa())
        .forEach(feed -> nothing.put(feed, new Readings.Seen(NOON, List.of())));

    assertThat(json(nothing))
        .contains("\"holds\":true", "\"leftOut\":\"NO_SERIES\"")
        .doesNotContain("desiredReplicas");
  }
}
