package dev.fallow.adapters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSeries;
import dev.fallow.core.idle.UsageSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What every source of samples promises, wherever it has them from. An implementation publishes the
 * given series in its own way, as an exporter or a Prometheus would have them, and reads them back.
 */
public abstract class UsageSourceContract {

  protected static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");
  protected static final Duration WINDOW = Duration.ofMinutes(30);

  private static final long UNTIL = AT.toEpochMilli();
  private static final long AFTER = UNTIL - WINDOW.toMillis();
  private static final String UTIL = "DCGM_FI_DEV_GPU_UTIL";
  private static final String ENGINE = "DCGM_FI_PROF_GR_ENGINE_ACTIVE";
  private static final String TENSOR = "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE";

  private final List<AutoCloseable> open = new ArrayList<>();

  /** A source that has these series. They hold no sample twice, and at most one later than at. */
  protected abstract UsageSource sourceOf(List<PublishedSeries> series, Instant at, Duration window)
      throws Exception;

  /** What the source should say of a series; one that adds labels of its own says so here. */
  protected SeriesLabels labelsOf(PublishedSeries series) {
    return SeriesLabels.of(series.metric(), series.labels()).orElseThrow();
  }

  @AfterEach
  void closeSources() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  @Test
  void samplesOfTheWindowComeBackWithTheirLabels() throws Exception {
    PublishedSeries util = every30Seconds(UTIL, gpu("GPU-1"), AFTER, UNTIL);
    PublishedSeries engine = every30Seconds(ENGINE, gpu("GPU-1"), AFTER, UNTIL);
    PublishedSeries tensor = every30Seconds(TENSOR, gpu("GPU-2"), AFTER, UNTIL);

    assertSame(read(util, engine, tensor), AFTER, util, engine, tensor);
  }

  @Test
  void theHourBeforeTheWindowComesForSignalsThatCanProveIdleness() throws Exception {
    long hourBefore = AFTER - UsageSource.LOOKBACK.toMillis();
    PublishedSeries util = every30Seconds(UTIL, gpu("GPU-1"), hourBefore, UNTIL);
    PublishedSeries engine = every30Seconds(ENGINE, gpu("GPU-1"), hourBefore, UNTIL);
    PublishedSeries amd =
        every30Seconds("gpu_gfx_activity", Map.of("gpu_id", "0"), hourBefore, UNTIL);

    assertSame(read(util, engine, amd), hourBefore, util, engine, amd);
  }

  @Test
  void aSampleAtTheVeryMomentIsRead() throws Exception {
    PublishedSeries series =
        PublishedSeries.of(UTIL, gpu("GPU-1")).with(UNTIL - 30_000, 1).with(UNTIL, 2);

    assertSame(read(series), AFTER, series);
  }

  @Test
  void samplesLaterThanTheMomentDoNotExist() throws Exception {
    PublishedSeries series =
        PublishedSeries.of(UTIL, gpu("GPU-1")).with(UNTIL - 30_000, 1).with(UNTIL + 1, 99);

    Usage usage = read(series);

    assertThat(usage.series())
        .singleElement()
        .satisfies(one -> {
          assertThat(one.samples().size()).isEqualTo(1);
          assertThat(one.samples().millis(0)).isEqualTo(UNTIL - 30_000);
        });
  }

  @Test
  void timesKeepTheirMilliseconds() throws Exception {
    PublishedSeries series =
        PublishedSeries.of(UTIL, gpu("GPU-1"))
            .with(UNTIL - 90_001, 1)
            .with(UNTIL - 59_990, 2)
            .with(UNTIL - 29_877, 3);

    assertSame(read(series), AFTER, series);
  }

  @Test
  void impossibleValuesStayImpossible() throws Exception {
    double[] values = {
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      -1,
      101,
      4294967295.0,
      9223372036854775794.0,
      1e308
    };
    PublishedSeries series = PublishedSeries.of(UTIL, gpu("GPU-1"));
    for (int i = 0; i < values.length; i++) {
      series = series.with(AFTER + 30_000L * (i + 1), values[i]);
    }

    Usage usage = read(series);

    assertThat(usage.series())
        .singleElement()
        .satisfies(one -> {
          Samples samples = one.samples();
          assertThat(samples.size()).isEqualTo(values.length);
          for (int i = 0; i < samples.size(); i++) {
            assertThat(Signal.GPU_UTIL.possible(samples.value(i))).as("value %s", i).isFalse();
          }
        });
  }

  @Test
  void smallValuesKeepTheirSinglePrecision() throws Exception {
    PublishedSeries series =
        PublishedSeries.of(ENGINE, gpu("GPU-1"))
            .with(UNTIL - 60_000, 1e-05)
            .with(UNTIL - 30_000, 0.009999999)
            .with(UNTIL, 0.01);

    assertSame(read(series), AFTER, series);
  }

  @Test
  void aSeriesPublishedTwiceShowsTheSamplesOfBoth() throws Exception {
    PublishedSeries first = PublishedSeries.of(UTIL, gpu("GPU-1")).with(UNTIL - 60_000, 1);
    PublishedSeries second = PublishedSeries.of(UTIL, gpu("GPU-1")).with(UNTIL - 30_000, 2);

    assertSame(read(first, second), AFTER, first, second);
  }

  @Test
  void seriesThatDifferInAnyLabelLoseNoSample() throws Exception {
    Map<String, String> one = with(gpu("GPU-1"), "vgpu", "0", "container", "a");
    Map<String, String> other = with(gpu("GPU-1"), "vgpu", "1", "container", "b");
    PublishedSeries still = every30Seconds(UTIL, one, AFTER, UNTIL);
    PublishedSeries busy = PublishedSeries.of(UTIL, other);
    for (PublishedSeries.Sample sample : still.samples()) {
      busy = busy.with(sample.millis(), 77);
    }

    Usage usage = read(still, busy);

    int seen = usage.series().stream().mapToInt(series -> series.samples().size()).sum();
    assertThat(seen).isEqualTo(2 * still.samples().size());
  }

  @Test
  void otherMetricsAreLeftOut() throws Exception {
    PublishedSeries known = every30Seconds(UTIL, gpu("GPU-1"), AFTER, UNTIL);
    PublishedSeries unknown = every30Seconds("DCGM_FI_DEV_GPU_TEMP", gpu("GPU-1"), AFTER, UNTIL);
    PublishedSeries longer = every30Seconds(UTIL + "_MAX", gpu("GPU-1"), AFTER, UNTIL);

    assertSame(read(known, unknown, longer), AFTER, known);
  }

  @Test
  void samplesComeInTheOrderOfTheirTimes() throws Exception {
    PublishedSeries series =
        PublishedSeries.of(UTIL, gpu("GPU-1"))
            .with(UNTIL - 30_000, 3)
            .with(UNTIL - 90_000, 1)
            .with(UNTIL - 60_000, 2);

    Usage usage = read(series);

    assertSame(usage, AFTER, series);
    Samples samples = usage.series().getFirst().samples();
    assertThat(samples.millis(0)).isLessThan(samples.millis(1));
    assertThat(samples.millis(1)).isLessThan(samples.millis(2));
  }

  @Test
  void aFleetWithoutSeriesIsACompleteAnswer() throws Exception {
    Usage usage = read();

    assertThat(usage)
        .isInstanceOfSatisfying(
            Usage.Complete.class,
            all -> {
              assertThat(all.series()).isEmpty();
              assertThat(all.reach()).isGreaterThanOrEqualTo(WINDOW);
            });
  }

  @Test
  void hostileLabelValuesSurvive() throws Exception {
    List<String> values =
        List.of(
            "\"quoted\"",
            "two\nlines",
            "back\\slash\\",
            "a\\nb",
            "{}[],=",
            "\uD83D\uDE80 emoji",
            "\u202Eright to left",
            "z\u0301combined",
            "\ttab",
            " ",
            "x".repeat(10 * 1024));
    List<PublishedSeries> published = new ArrayList<>();
    for (String value : values) {
      Map<String, String> labels = with(gpu("GPU-1"), "modelName", value, "exported_pod", value);
      published.add(every30Seconds(UTIL, labels, AFTER, UNTIL));
    }

    assertSame(read(published), AFTER, published.toArray(PublishedSeries[]::new));
  }

  @Test
  void everyFormOfLabelsIsReadAsTheFleetUnderstandsIt() throws Exception {
    List<PublishedSeries> forms = new ArrayList<>();
    forms.add(every30Seconds(UTIL, honoured(), AFTER, UNTIL));
    forms.add(every30Seconds(UTIL, movedAside(), AFTER, UNTIL));
    forms.add(every30Seconds(UTIL, with(gpu("GPU-3"), "hostname", "node-b"), AFTER, UNTIL));
    forms.add(
        every30Seconds(
            "dcgm_gpu_utilization",
            Map.of("uuid", "GPU-4", "pod_name", "old", "pod_namespace", "ml"),
            AFTER,
            UNTIL));
    forms.add(
        every30Seconds(
            ENGINE, with(gpu("GPU-5"), "GPU_I_ID", "7", "GPU_I_PROFILE", "1g.10gb"), AFTER, UNTIL));
    forms.add(
        every30Seconds(
            "amd_gpu_gfx_activity",
            Map.of("serial_number", "692X", "gpu_id", "1", "pod", "rocm", "namespace", "ml"),
            AFTER,
            UNTIL));

    assertSame(read(forms), AFTER, forms.toArray(PublishedSeries[]::new));
  }

  private static Map<String, String> honoured() {
    return with(gpu("GPU-1"), "pod", "train-0", "namespace", "ml", "container", "main");
  }

  private static Map<String, String> movedAside() {
    return with(
        gpu("GPU-2"),
        "exported_pod",
        "train-1",
        "exported_namespace",
        "ml",
        "pod",
        "exporter-x",
        "namespace",
        "gpu-operator");
  }

  protected static Map<String, String> gpu(String uuid) {
    return Map.of(
        "gpu", "0", "UUID", uuid, "modelName", "NVIDIA H100", "Hostname", "node-a", "job", "dcgm");
  }

  private static Map<String, String> with(Map<String, String> labels, String... more) {
    Map<String, String> all = new HashMap<>(labels);
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return Map.copyOf(all);
  }

  protected static PublishedSeries every30Seconds(
      String metric, Map<String, String> labels, long after, long until) {
    List<PublishedSeries.Sample> samples = new ArrayList<>();
    for (long millis = after + 30_000; millis <= until; millis += 30_000) {
      samples.add(new PublishedSeries.Sample(millis, millis / 30_000 % 2));
    }
    return new PublishedSeries(metric, labels, List.copyOf(samples));
  }

  private Usage read(PublishedSeries... series) throws Exception {
    return read(List.of(series));
  }

  private Usage read(List<PublishedSeries> series) throws Exception {
    UsageSource source = sourceOf(series, AT, WINDOW);
    if (source instanceof AutoCloseable closeable) {
      open.add(closeable);
    }
    return source.read(AT, WINDOW);
  }

  private void assertSame(Usage usage, long after, PublishedSeries... published) {
    assertThat(usage).isInstanceOf(Usage.Complete.class);
    Map<SeriesLabels, NavigableMap<Long, Float>> expected = new HashMap<>();
    for (PublishedSeries series : published) {
      NavigableMap<Long, Float> samples =
          expected.computeIfAbsent(labelsOf(series), labels -> new TreeMap<>());
      series.samples().forEach(sample -> samples.put(sample.millis(), (float) sample.value()));
    }
    Map<SeriesLabels, NavigableMap<Long, Float>> seen = new HashMap<>();
    for (UsageSeries series : usage.series()) {
      NavigableMap<Long, Float> samples =
          seen.computeIfAbsent(series.labels(), labels -> new TreeMap<>());
      for (int i = series.samples().firstAfter(after); i < series.samples().size(); i++) {
        samples.put(series.samples().millis(i), series.samples().value(i));
      }
    }
    assertThat(seen).isEqualTo(expected);
  }
}
