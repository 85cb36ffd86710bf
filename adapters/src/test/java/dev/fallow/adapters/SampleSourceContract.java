package dev.fallow.adapters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.MetricBook.Answer;
import dev.fallow.core.autoscale.MetricBook.OfObject;
import dev.fallow.core.autoscale.MetricBook.Resource;
import dev.fallow.core.autoscale.MetricBook.Which;
import dev.fallow.core.autoscale.Numbers;
import dev.fallow.core.autoscale.Question;
import dev.fallow.core.autoscale.ReadBook;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.autoscale.SampleSource;
import dev.fallow.core.autoscale.Selector;
import dev.fallow.core.autoscale.Surroundings;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.UsageSeries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What every source of recent samples promises, wherever it has them from: the same fleet gives the
 * same numbers. An implementation publishes the given series in its own way and reads them back.
 */
public abstract class SampleSourceContract {

  protected static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");

  private static final long UNTIL = AT.toEpochMilli();
  private static final String UTIL = "DCGM_FI_DEV_GPU_UTIL";
  private static final String TEMP = "DCGM_FI_DEV_GPU_TEMP";

  private final List<AutoCloseable> open = new ArrayList<>();

  /** A source that has these series up to {@link #AT}. Each has a sample at that very moment. */
  protected abstract SampleSource sourceOf(List<PublishedSeries> series) throws Exception;

  /** How it spells a label that it gives a name of its own. */
  protected String labelOf(UsageSeries series, String label) {
    return series.all().getOrDefault(label, "");
  }

  @AfterEach
  void closeSources() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  private SampleSource source(PublishedSeries... series) throws Exception {
    SampleSource source = sourceOf(List.of(series));
    if (source instanceof AutoCloseable closeable) {
      open.add(closeable);
    }
    return source;
  }

  private static Feed feed(String metric) {
    return Feed.of(metric).orElseThrow();
  }

  @Test
  void theSamplesOfTheLastMinutesComeBackWithTheirTimes() throws Exception {
    SampleSource source = source(every15s(UTIL, card("GPU-1", "web-a"), 40, 30));

    List<UsageSeries> read = source.read(feed(UTIL), AT).series();

    assertThat(read)
        .singleElement()
        .satisfies(one -> {
          Samples samples = one.samples();
          assertThat(samples.size()).isEqualTo(24);
          assertThat(samples.millis(0)).isEqualTo(UNTIL - 23 * 15_000);
          assertThat(samples.millis(23)).isEqualTo(UNTIL);
        });
  }

  @Test
  void everyLabelCanBeChosenBy() throws Exception {
    Map<String, String> labels = new HashMap<>(card("GPU-1", "web-a"));
    labels.put("DCGM_FI_DRIVER_VERSION", "550.1");
    labels.put("odd", "\"quoted\" \\ \n\uD83D\uDE80");

    List<UsageSeries> read = source(every15s(UTIL, labels, 40, 4)).read(feed(UTIL), AT).series();

    assertThat(read)
        .singleElement()
        .satisfies(one -> {
          assertThat(labelOf(one, "DCGM_FI_DRIVER_VERSION")).isEqualTo("550.1");
          assertThat(labelOf(one, "odd")).isEqualTo(labels.get("odd"));
          assertThat(labelOf(one, "exported_pod")).isEqualTo("web-a");
        });
  }

  @Test
  void aFeedGathersWhatIsPublishedUnderOldAndNewNames() throws Exception {
    SampleSource source =
        source(
            every15s(UTIL, card("GPU-1", "web-a"), 40, 4),
            every15s("dcgm_gpu_utilization", card("GPU-2", "web-b"), 60, 4),
            every15s(UTIL + "_X", card("GPU-3", "web-b"), 60, 4));

    assertThat(source.read(feed(UTIL), AT).series())
        .extracting(one -> one.labels().family().name())
        .containsExactlyInAnyOrder(UTIL, "dcgm_gpu_utilization");
  }

  @Test
  void aFamilyThatShowsNoUseIsThereWhenItIsFirstAskedFor() throws Exception {
    SampleSource source =
        source(
            every15s(UTIL, card("GPU-1", "web-a"), 40, 4),
            every15s(TEMP, card("GPU-1", "web-a"), 66, 4));

    Readings.Seen seen = source.read(feed(TEMP), AT);

    assertThat(seen.series())
        .singleElement()
        .satisfies(one -> {
          Samples samples = one.samples();
          assertThat(samples.millis(samples.size() - 1)).isBetween(UNTIL, seen.at().toEpochMilli());
          assertThat(samples.value(samples.size() - 1)).isEqualTo(66f);
        });
  }

  @Test
  void aFamilyThatNobodyPublishesIsEmptyAndNoFailure() throws Exception {
    SampleSource source = source(every15s(UTIL, card("GPU-1", "web-a"), 40, 4));

    assertThat(source.read(feed("vllm:num_requests_waiting"), AT).series()).isEmpty();
  }

  @Test
  void theNamesAreThoseThatSomebodyPublishes() throws Exception {
    SampleSource source =
        source(
            every15s(UTIL, card("GPU-1", "web-a"), 40, 4),
            every15s(TEMP, card("GPU-1", "web-a"), 66, 4),
            every15s("go_goroutines", Map.of("instance", "x"), 9, 4));

    assertThat(source.names(AT)).containsExactlyInAnyOrder(UTIL, TEMP);
  }

  @Test
  void theSameFleetGivesTheSameNumbers() throws Exception {
    SampleSource source =
        source(
            every15s(UTIL, card("GPU-1", "web-a"), 40, 30),
            every15s(UTIL, card("GPU-2", "web-a"), 80, 30),
            every15s(UTIL, card("GPU-3", "web-b"), 4294967295.0, 30),
            every15s("DCGM_FI_DEV_FB_USED", card("GPU-1", "web-a"), 30, 30),
            every15s("DCGM_FI_DEV_FB_FREE", card("GPU-1", "web-a"), 10, 30),
            every15s("DCGM_FI_DEV_FB_USED", card("GPU-2", "web-a"), 10, 30),
            every15s("DCGM_FI_DEV_FB_FREE", card("GPU-2", "web-a"), 30, 30),
            every15s(TEMP, card("GPU-3", "web-b"), 66, 30));

    assertThat(numbers(source, "gpu_utilization")).isEqualTo(Map.of("web-a", 60.0));
    assertThat(numbers(source, "gpu_utilization_max")).isEqualTo(Map.of("web-a", 80.0));
    assertThat(numbers(source, "gpu_utilization_avg_2m")).isEqualTo(Map.of("web-a", 60.0));
    assertThat(numbers(source, "gpu_memory_used_percent")).isEqualTo(Map.of("web-a", 50.0));
    assertThat(numbers(source, TEMP)).isEqualTo(Map.of("web-b", 66.0));
  }

  private static Map<String, Double> numbers(SampleSource source, String metric) {
    Map<Feed, Readings.Seen> seen = new HashMap<>();
    Question.of(metric, Selector.ANY)
        .forEach(
            question -> question.feeds().forEach(feed -> seen.put(feed, source.read(feed, AT))));
    Readings readings = new Readings(AT, cluster(), Surroundings.NONE, seen);
    Answer<OfObject> answer =
        new ReadBook(new Numbers(readings, Optional.empty()), source.names(AT))
            .ofObjects(
                Resource.PODS, new Which.Labelled("ml", Selector.ANY), metric, Selector.ANY, AT);
    Map<String, Double> values = new TreeMap<>();
    if (answer instanceof Answer.Found<OfObject>(List<OfObject> found)) {
      found.forEach(one -> values.put(one.object().name(), one.value()));
    }
    return values;
  }

  private static ClusterState cluster() {
    return ClusterState.of(List.of(pod("web-a", "2"), pod("web-b", "1")));
  }

  private static ObjectTree pod(String name, String gpus) {
    Map<String, Object> container =
        Map.of("name", "main", "resources", Map.of("limits", Map.of("nvidia.com/gpu", gpus)));
    Map<String, Object> ready =
        Map.of("type", "Ready", "status", "True", "lastTransitionTime", "2026-11-02T09:00:00Z");
    return new ObjectTree(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Pod",
            "metadata",
            Map.of("name", name, "namespace", "ml", "uid", "u-" + name),
            "spec",
            Map.of("nodeName", "node-a", "containers", List.of(container)),
            "status",
            Map.of("phase", "Running", "conditions", List.of(ready))));
  }

  private static Map<String, String> card(String uuid, String pod) {
    return Map.of(
        "UUID", uuid,
        "Hostname", "node-a",
        "modelName", "NVIDIA H100",
        "exported_pod", pod,
        "exported_namespace", "ml",
        "pod", "exporter-x",
        "namespace", "gpu-operator");
  }

  private static PublishedSeries every15s(
      String metric, Map<String, String> labels, double value, int count) {
    List<PublishedSeries.Sample> samples = new ArrayList<>();
    for (int i = count - 1; i >= 0; i--) {
      samples.add(new PublishedSeries.Sample(UNTIL - 15_000L * i, value));
    }
    return new PublishedSeries(metric, labels, List.copyOf(samples));
  }
}
