package dev.fallow.app.autoscale;

import static dev.fallow.app.autoscale.SmallCluster.NOON;
import static dev.fallow.app.autoscale.SmallCluster.UTIL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.Hpa;
import dev.fallow.core.autoscale.HpaReckoning;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.autoscale.SampleSource;
import dev.fallow.core.autoscale.Surroundings;
import dev.fallow.core.fleet.ObjectTree;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HpaReckonerTest {

  private static final String OTHER = "DCGM_FI_DEV_SOMETHING_NEW";

  /** One card, with every family that is asked for. */
  private static final class Card implements SampleSource {
    @Override
    public Readings.Seen read(Feed feed, Instant at) {
      boolean shown = Set.of(UTIL.name(), OTHER).contains(feed.name());
      return new Readings.Seen(
          at, shown ? List.of(SmallCluster.card(feed.name(), at.minusSeconds(5), 90)) : List.of());
    }

    @Override
    public Set<String> names(Instant at) {
      return Set.of(UTIL.name(), OTHER);
    }
  }

  private static HpaReckoning.OfMetric reckoned(Map<String, Object> metric, Surroundings around) {
    Hpa hpa =
        Hpa.of(
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
    return new HpaReckoner(new Card(), Optional.empty(), InstantSource.fixed(NOON))
        .of(List.of(hpa), SmallCluster.picture().cluster(), around)
        .getFirst()
        .metrics()
        .getFirst();
  }

  private static Map<String, Object> external(String name) {
    return Map.of(
        "type",
        "External",
        "external",
        Map.of("metric", Map.of("name", name), "target", Map.of("type", "Value", "value", "50")));
  }

  private static Map<String, Object> of(String apiVersion, String kind, String name) {
    return Map.of(
        "type",
        "Object",
        "object",
        Map.of(
            "metric",
            Map.of("name", "gpu_utilization"),
            "describedObject",
            Map.of("apiVersion", apiVersion, "kind", kind, "name", name),
            "target",
            Map.of("type", "Value", "value", "50")));
  }

  /** The autoscaler asks for external metrics in lower case. */
  @Test
  void externalNamesAreSpelledAsTheApiUnderstandsThem() {
    for (String name :
        List.of(UTIL.name(), "dcgm_fi_dev_gpu_util", OTHER, "dcgm_fi_dev_something_new")) {
      assertThat(reckoned(external(name), Surroundings.NONE).value()).as(name).isPresent();
    }
  }

  @Test
  void aServicesNumberIsOfThePodsBehindIt() {
    Surroundings around =
        new Surroundings(
            List.of(new Surroundings.ServiceFacts("ml", "front", Map.of("app", "web"))), List.of());

    assertThat(reckoned(of("v1", "Service", "front"), around).value().orElseThrow().value())
        .isEqualTo(90);
  }

  @Test
  void theFamilyThatANumberComesFromIsNamed() {
    HpaReckoning.OfMetric one = reckoned(of("apps/v1", "Deployment", "web"), Surroundings.NONE);

    assertThat(one.value()).isPresent();
    assertThat(one.families()).containsExactly(UTIL.name());
  }
}
