package dev.fallow.adapters.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fallow.adapters.scrape.StubExporter.Answer;
import dev.fallow.core.Unavailable;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.SeriesLabels.PodName;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSeries;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  void withoutExportersTheAnswerIsMissingAndSaysWhatToDo() {
    source.scrapeOnce();

    assertThat(failure()).contains("no GPU exporter").contains("install dcgm-exporter");
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
  void aFailingExporterLeavesAGapAndIsNamed() {
    targets.add(one.byHand());
    targets.add(other.byHand());
    one.answers(LINE);
    other.answers(StubExporter.reply(500, "text/plain", new byte[0]));

    ScrapeRound round = source.scrapeOnce();

    assertThat(round.answered()).isEqualTo(1);
    assertThat(read()).isInstanceOf(Usage.Complete.class);
    assertThat(read().series()).hasSize(1);
    assertThat(source.problems()).containsExactly(other.url() + " answers with status 500");
  }

  @Test
  void ifAllExportersFailTheAnswerIsMissing() {
    targets.add(one.byHand());
    one.answers(LINE);
    source.scrapeOnce();
    one.close();
    clock.pass(STEP);
    source.scrapeOnce();

    assertThat(failure()).contains("none of the 1 exporters answers").contains("cannot be reached");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<html><body>log in</body></html>\n",
        "DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-9\"} banana\n",
        "DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-9\"\n",
        "DCGM_FI_DEV_GPU_UTIL{UUID} 1\n",
        "DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-9\"} 1\nDCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-9\"} 2\n",
        "DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-9\"} 1 1999999999999\n",
        "DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-9\"} 8"
      })
  void nothingOfABrokenAnswerIsTaken(String broken) {
    targets.add(one.byHand());
    targets.add(other.byHand());
    other.answers("");
    one.answers(LINE + broken);
    source.scrapeOnce();

    assertThat(read().series()).isEmpty();
    assertThat(source.problems()).singleElement().asString().startsWith(one.url().toString());
  }

  @Test
  void redirectsAreNotFollowed() {
    targets.add(one.byHand());
    one.answers(exchange -> {
      exchange.getResponseHeaders().set("Location", other.url().toString());
      exchange.sendResponseHeaders(302, -1);
    });
    source.scrapeOnce();

    assertThat(other.asked()).isZero();
    assertThat(failure()).contains("sends elsewhere");
  }

  @Test
  void anEndlessAnswerIsCutOff() {
    targets.add(one.byHand());
    one.answers(endless("# HELP " + "x".repeat(8000) + "\n"));
    source.scrapeOnce();

    assertThat(failure()).contains("answers with more than 16777216 bytes");
  }

  @Test
  void anExporterThatDripsIsNotWaitedFor() {
    source.close();
    source = sourceWith(settings(Duration.ofMillis(500)));
    targets.add(one.byHand());
    CountDownLatch ended = new CountDownLatch(1);
    one.answers(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write('#');
      exchange.getResponseBody().flush();
      try {
        ended.await();
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
      }
    });
    source.scrapeOnce();
    ended.countDown();

    assertThat(failure()).contains("did not answer completely within 500 ms");
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
  void aDeadFleetDoesNotCostTheLivingTheirSamples() {
    source.close();
    ScrapeLimits two = new ScrapeLimits(2, 1 << 20, 100, 100, WINDOW);
    source =
        sourceWith(
            new ScrapeSettings(
                Duration.ofMillis(600),
                Duration.ZERO,
                Duration.ofMillis(100),
                Duration.ofMillis(200),
                WINDOW,
                two));
    CountDownLatch ended = new CountDownLatch(1);
    Answer silence =
        exchange -> {
          try {
            ended.await();
          } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
          }
        };
    other.answers(silence);
    one.answers(LINE);
    for (int i = 0; i < 20; i++) {
      targets.add(ScrapeTarget.byHand(URI.create(other.url() + "/" + i)));
    }
    targets.add(one.byHand());
    await().until(() -> source.scrapeOnce().answered() == 1);

    for (int i = 0; i < 3; i++) {
      clock.pass(STEP);
      assertThat(source.scrapeOnce().answered()).isEqualTo(1);
    }
    ended.countDown();
    assertThat(source.problems()).hasSizeLessThanOrEqualTo(21);
  }

  @Test
  void moreSeriesThanAreAllowedFailTheirExporter() {
    source.close();
    source =
        sourceWith(
            new ScrapeSettings(
                STEP,
                Duration.ZERO,
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                WINDOW,
                new ScrapeLimits(4, 1 << 20, 10, 15, WINDOW)));
    targets.add(one.byHand());
    targets.add(other.byHand());
    one.answers(cards(11, 1));
    other.answers(cards(10, 1));
    assertThat(source.scrapeOnce().problems())
        .containsExactly(
            one.url()
                + " answers with something else than metrics: line 11: there are more than 10"
                + " series");

    one.answers(cards(6, 1));
    assertThat(source.scrapeOnce().problems())
        .singleElement()
        .asString()
        .contains("more series than can be kept");
  }

  @Test
  void aDiscoveryThatFailsLeavesTheLastTargets() {
    source.close();
    List<RuntimeException> failures = new ArrayList<>();
    source =
        new ScrapeUsageSource(
            () -> {
              failures.forEach(failure -> {
                throw failure;
              });
              return List.of(one.byHand());
            },
            settings(Duration.ofSeconds(5)),
            clock);
    one.answers(LINE);
    source.scrapeOnce();
    failures.add(new Unavailable("kubernetes", "the API server is away", true));
    clock.pass(STEP);
    source.scrapeOnce();

    assertThat(read().series().getFirst().samples().size()).isEqualTo(2);
    assertThat(source.problems())
        .containsExactly("exporters cannot be looked for: the API server is away");
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

    await().until(() -> one.asked() >= 3);
    source.close();
    assertThat(source.read(Instant.now(), WINDOW).series()).hasSize(1);
  }

  @Test
  void passwordsInAddressesAreRefusedAndQueriesNotTold() {
    assertThatThrownBy(() -> ScrapeTarget.byHand(URI.create("http://u:secret@h:9400/metrics")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> ScrapeTarget.byHand(URI.create("file:///etc/passwd")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(ScrapeTarget.byHand(URI.create("https://h/metrics?token=secret")).address())
        .isEqualTo("https://h:443/metrics");
  }

  @Test
  void aGpuWithSevenSignalsTakesAboutElevenKilobytesOfSamples() {
    int gpus = 8;
    targets.add(one.byHand());
    one.answers(cards(gpus, 7));
    for (int i = 0; i <= 90 * 60 / 15 + 20; i++) {
      source.scrapeOnce();
      clock.pass(STEP);
    }

    assertThat(source.sampleBytes()).isEqualTo(gpus * 8L * (2 * 361 + 5 * 121));
    assertThat(source.read(clock.instant(), WINDOW).series()).hasSize(gpus * 7);
  }

  private static String cards(int gpus, int signals) {
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
      for (String metric : metrics.subList(0, signals)) {
        text.append(metric).append("{gpu=\"").append(gpu).append("\"} 0\n");
      }
    }
    return text.toString();
  }

  private static Answer endless(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    return exchange -> {
      exchange.sendResponseHeaders(200, 0);
      try (OutputStream body = exchange.getResponseBody()) {
        while (true) {
          body.write(bytes);
        }
      }
    };
  }

  private Usage read() {
    return source.read(clock.instant(), WINDOW);
  }

  private String failure() {
    return ((Usage.Missing) read()).failure();
  }

  private SeriesLabels labelsOf(String card) {
    return read().series().stream()
        .map(UsageSeries::labels)
        .filter(labels -> labels.card().equals(card))
        .findFirst()
        .orElseThrow();
  }
}
