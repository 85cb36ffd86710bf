package dev.fallow.adapters.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.SeriesLabels.PodName;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSeries;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScrapeUsageSourceTest {

  private static final Instant START = Instant.parse("2026-11-02T12:00:00Z");
  private static final Duration WINDOW = Duration.ofMinutes(30);
  private static final Duration STEP = Duration.ofSeconds(15);
  private static final String LINE =
      "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\",Hostname=\"node-a\",pod=\"train-0\","
          + "namespace=\"ml\",container=\"main\"} 7\n";

  private final SettableClock clock = new SettableClock(START);
  private final StubExporter one = new StubExporter();
  private final StubExporter other = new StubExporter();
  private final List<ScrapeTarget> targets = new ArrayList<>();
  private ScrapeUsageSource source = sourceWith(settings(Duration.ofSeconds(5)));

  private ScrapeUsageSource sourceWith(ScrapeSettings settings) {
    return new ScrapeUsageSource(() -> List.copyOf(targets), settings, clock);
  }

  private static ScrapeSettings settings(Duration timeout) {
    return new ScrapeSettings(
        STEP, Duration.ZERO, Duration.ofSeconds(2), timeout, WINDOW, ScrapeLimits.DEFAULT);
  }

  @AfterEach
  void close() {
    source.close();
    one.close();
    other.close();
  }

  @Test
  void nothingIsKnownBeforeTheFirstLook() {
    assertThat(read()).isInstanceOf(Usage.Missing.class);
  }

  @Test
  void theExportersOwnLabelsMoveAsideForThoseOfTheTarget() {
    targets.add(new ScrapeTarget(one.url(), "gpu-operator", "dcgm-x", "node-a"));
    one.answers(
        LINE + "dcgm_gpu_utilization{uuid=\"GPU-2\",pod_name=\"old\",pod_namespace=\"o\"} 1\n");
    source.scrapeOnce();

    assertThat(read().series()).hasSize(2);
    SeriesLabels labels = labelsOf("GPU-1");
    assertThat(labels.claimed()).isEqualTo(new PodName("ml", "train-0"));
    assertThat(labels.plain()).isEqualTo(new PodName("gpu-operator", "dcgm-x"));
    assertThat(labels.node()).isEqualTo("node-a");
    assertThat(labels.job()).isEqualTo("fallow-scrape");
    assertThat(labelsOf("GPU-2").claimed()).isEqualTo(new PodName("o", "old"));
  }

  @Test
  void aFreeCardIsLabelledWithTheExporterAsPrometheusDoes() {
    targets.add(new ScrapeTarget(one.url(), "gpu-operator", "dcgm-x", "node-a"));
    one.answers("gpu_gfx_activity{gpu_id=\"0\",pod=\"\",namespace=\"\"} 0\n");
    source.scrapeOnce();

    SeriesLabels labels = read().series().getFirst().labels();
    assertThat(labels.claimed().isNone()).isTrue();
    assertThat(labels.plain()).isEqualTo(new PodName("gpu-operator", "dcgm-x"));
  }

  @Test
  void timesOfTheExporterAreTakenAndRepetitionsLeftOut() {
    targets.add(one.byHand());
    long measured = START.minusSeconds(3).toEpochMilli();
    one.answers("gpu_gfx_activity{gpu_id=\"0\"} 5 " + measured + "\n");
    source.scrapeOnce();
    clock.pass(STEP);
    source.scrapeOnce();

    UsageSeries series = read().series().getFirst();
    assertThat(series.samples().size()).isEqualTo(1);
    assertThat(series.samples().millis(0)).isEqualTo(measured);
  }

  @Test
  void seriesOfAVanishedExporterEndAfterTheWindow() {
    targets.add(one.byHand());
    targets.add(other.byHand());
    one.answers(LINE);
    other.answers("");
    source.scrapeOnce();
    targets.remove(one.byHand());
    clock.pass(WINDOW);
    source.scrapeOnce();
    assertThat(read().series()).as("in the hour before the window").hasSize(1);

    clock.pass(Duration.ofHours(1));
    source.scrapeOnce();

    assertThat(read().series()).isEmpty();
    assertThat(source.sampleBytes()).isZero();
  }

  /** Of what shows activity only the window was kept: it may have been at work before that. */
  @Test
  void aWindowThatIsWidenedReachesNoFurtherThanWhatWasKept() {
    targets.add(one.byHand());
    one.answers(LINE);
    source.scrapeOnce();
    clock.pass(Duration.ofHours(3));
    source.scrapeOnce();
    assertThat(reach(WINDOW)).isEqualTo(WINDOW);

    Duration longer = Duration.ofMinutes(90);
    assertThat(reach(longer)).isEqualTo(WINDOW);
    assertThat(reach(WINDOW)).isEqualTo(WINDOW);
    clock.pass(Duration.ofMinutes(20));
    source.scrapeOnce();
    assertThat(reach(longer)).isEqualTo(Duration.ofMinutes(50));
    clock.pass(Duration.ofMinutes(40));
    source.scrapeOnce();
    assertThat(reach(longer)).isEqualTo(longer);
  }

  private Duration reach(Duration asked) {
    return ((Usage.Complete) source.read(clock.instant(), asked)).reach();
  }

  @Test
  void aClockThatIsSetBackMakesItForget() {
    targets.add(one.byHand());
    one.answers(LINE);
    source.scrapeOnce();
    clock.pass(Duration.ofHours(-2));
    source.scrapeOnce();

    UsageSeries series = read().series().getFirst();
    assertThat(series.samples().size()).isEqualTo(1);
    assertThat(series.samples().millis(0)).isEqualTo(clock.millis());
  }

  @Test
  void aClockThatStepsBackALittleLosesNoActivity() {
    targets.add(one.byHand());
    one.answers(LINE.replace("} 7", "} 0"));
    source.scrapeOnce();
    clock.pass(Duration.ofSeconds(-3));
    one.answers(LINE);
    source.scrapeOnce();

    UsageSeries series = source.read(START.plusSeconds(1), WINDOW).series().getFirst();
    assertThat(series.samples().size()).isEqualTo(2);
    assertThat(series.samples().value(1)).isEqualTo(7);
  }

  @Test
  void itLooksAgainAndAgainOnceStarted() {
    source.close();
    targets.add(one.byHand());
    one.answers(LINE);
    source =
        new ScrapeUsageSource(
            () -> List.copyOf(targets),
            new ScrapeSettings(
                Duration.ofMillis(20),
                Duration.ofMinutes(1),
                Duration.ofSeconds(2),
                Duration.ofSeconds(2),
                WINDOW,
                ScrapeLimits.DEFAULT),
            InstantSource.system());
    source.start();

    await()
        .until(() ->
            source.read(Instant.now(), WINDOW).series().stream()
                .anyMatch(series -> series.samples().size() >= 3));
  }

  @Test
  void aGpuWithSevenSignalsTakesAboutElevenKilobytesOfSamples() {
    int gpus = 8;
    targets.add(one.byHand());
    one.answers(cards(gpus));
    for (int i = 0; i <= 90 * 60 / 15 + 20; i++) {
      source.scrapeOnce();
      clock.pass(STEP);
    }

    assertThat(source.sampleBytes()).isEqualTo(gpus * 8L * (2 * 361 + 5 * 121));
    assertThat(source.read(clock.instant(), WINDOW).series()).hasSize(gpus * 7);
  }

  private static String cards(int gpus) {
    List<String> metrics =
        List.of(
            "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
            "DCGM_FI_DEV_GPU_UTIL",
            "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
            "DCGM_FI_PROF_DRAM_ACTIVE",
            "DCGM_FI_DEV_MEM_COPY_UTIL",
            "DCGM_FI_DEV_ENC_UTIL",
            "DCGM_FI_DEV_DEC_UTIL");
    StringBuilder text = new StringBuilder();
    for (int gpu = 0; gpu < gpus; gpu++) {
      for (String metric : metrics) {
        text.append(metric).append("{gpu=\"").append(gpu).append("\"} 0\n");
      }
    }
    return text.toString();
  }

  private Usage read() {
    return source.read(clock.instant(), WINDOW);
  }

  private SeriesLabels labelsOf(String card) {
    return read().series().stream()
        .map(UsageSeries::labels)
        .filter(labels -> labels.card().equals(card))
        .findFirst()
        .orElseThrow();
  }
}
