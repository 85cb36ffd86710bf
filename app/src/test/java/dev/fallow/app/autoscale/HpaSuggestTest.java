package dev.fallow.app.autoscale;

import static dev.fallow.app.autoscale.SmallCluster.NOON;
import static dev.fallow.app.autoscale.SmallCluster.UTIL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.output.HpaManifest;
import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.Hpa;
import dev.fallow.core.autoscale.HpaLint;
import dev.fallow.core.autoscale.HpaSuggestion;
import dev.fallow.core.autoscale.HpaSuggestion.Outcome;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.UsageSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class HpaSuggestTest {

  private static final String WAITING = "vllm:num_requests_waiting";
  private static final Duration SPAN = Duration.ofHours(2);

  private final List<String> asked = new ArrayList<>();
  private ToDoubleFunction<Instant> use = at -> 50;
  private ToDoubleFunction<Instant> waiting = at -> Double.NaN;

  private Readings.Seen read(Feed feed, Instant at) {
    asked.add(feed.name());
    if (feed.equals(UTIL)) {
      return new Readings.Seen(
          at, List.of(SmallCluster.card(UTIL.name(), at, use.applyAsDouble(at))));
    }
    boolean queue = feed.name().equals(WAITING) && !Double.isNaN(waiting.applyAsDouble(at));
    return new Readings.Seen(at, queue ? List.of(queue(at)) : List.of());
  }

  private UsageSeries queue(Instant at) {
    Map<String, String> labels = Map.of("pod", "web-1", "namespace", "ml");
    return new UsageSeries(
        SeriesLabels.ofAny(WAITING, labels),
        new Samples.Builder(at).add(at.toEpochMilli(), waiting.applyAsDouble(at)).build(),
        labels);
  }

  private Outcome suggest(List<Hpa> autoscalers) {
    PastUse past =
        new PastUse(this::read, SmallCluster.picture().cluster(), Optional.empty(), NOON);
    ObjectId web =
        past.workloads().stream().filter(id -> id.name().equals("web")).findFirst().orElseThrow();
    return past.suggest(web, Set.of(WAITING), autoscalers, SPAN);
  }

  private HpaSuggestion proposed() {
    return ((Outcome.Proposed) suggest(List.of())).hpa();
  }

  private static ObjectTree parsed(String yaml) {
    Map<String, Object> fields = new HashMap<>();
    Object document = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    ((Map<?, ?>) document).forEach((key, value) -> fields.put((String) key, value));
    return new ObjectTree(fields);
  }

  @Test
  void whatThePodsDidBecomesAManifest() {
    use = at -> at.isAfter(NOON.minus(Duration.ofMinutes(20))) ? 75 : 25;
    String yaml = new HpaManifest(proposed()).yaml();
    assertThat(yaml).startsWith("# Proposed by fallow hpa suggest for Deployment/ml/web:\n");
    assertThat(yaml.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(120));
    ObjectTree document = parsed(yaml);
    assertThat(document.textOr("", "apiVersion")).isEqualTo("autoscaling/v2");
    Hpa hpa = Hpa.of(document);
    assertThat(hpa.namespace()).isEqualTo("ml");
    assertThat(hpa.scales()).isEqualTo(new ObjectId("apps", "Deployment", "ml", "web", ""));
    assertThat(hpa.metrics().getFirst().name()).isEqualTo("gpu_utilization");
    assertThat(hpa.metrics().getFirst().targetMilli()).hasValue(60_000);
    assertThat(hpa.minReplicas()).isEqualTo(1);
    assertThat(hpa.maxReplicas()).isEqualTo(3);
    assertThat(document.number("spec", "behavior", "scaleDown", "stabilizationWindowSeconds"))
        .hasValue(300);
    assertThat(HpaLint.of(hpa)).hasSize(1);
  }

  @Test
  void aQueueThatThePodsTellOfIsChosen() {
    waiting = at -> 10;
    HpaSuggestion hpa = proposed();
    assertThat(hpa.metric()).isEqualTo(WAITING);
    assertThat(hpa.target()).isEqualTo(8);
  }

  @Test
  void whatNobodyPublishesIsAskedForOnce() {
    proposed();
    assertThat(asked).filteredOn(UTIL.name()::equals).hasSize(PastUse.MOMENTS);
    assertThat(asked).filteredOn(WAITING::equals).hasSize(1);
  }

  @Test
  void aWorkloadThatIsScaledAlreadyIsNotLookedAt() {
    Hpa there = Hpa.of(parsed(new HpaManifest(proposed()).yaml()));
    asked.clear();
    assertThat(suggest(List.of(there))).isInstanceOf(Outcome.Refused.class);
    assertThat(asked).isEmpty();
  }

  @Test
  void impossibleValuesAreNoHistory() {
    use = at -> 4_294_967_295.0;
    assertThat(suggest(List.of())).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void aHostileNameStaysAText() {
    String evil = "x\nkind: Secret\u2028kind: Pod\r# \"': {a: b}\u0085- y";
    HpaSuggestion hostile =
        new HpaSuggestion(
            new ObjectId("apps", "Deployment", "ml", evil, "u"),
            "apps/v1",
            "gpu_utilization",
            60,
            1,
            2,
            Duration.ofMinutes(5),
            Duration.ofMinutes(1),
            List.of("because " + evil));
    String yaml = new HpaManifest(hostile).yaml();
    ObjectTree document = parsed(yaml);
    assertThat(document.textOr("", "kind")).isEqualTo("HorizontalPodAutoscaler");
    assertThat(document.fields()).containsOnlyKeys("apiVersion", "kind", "metadata", "spec");
    assertThat(document.textOr("", "metadata", "name")).isEqualTo(evil);
    assertThat(yaml.lines().takeWhile(line -> line.startsWith("#")).toList())
        .hasSizeGreaterThan(1)
        .allSatisfy(line -> assertThat(line).matches("[\\x20-\\x7e]*"));
  }
}
