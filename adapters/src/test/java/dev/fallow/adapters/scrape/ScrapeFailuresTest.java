package dev.fallow.adapters.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fallow.adapters.scrape.StubExporter.Answer;
import dev.fallow.core.Unavailable;
import dev.fallow.core.idle.Usage;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What bad exporters cost: their own devices a verdict, and nobody else anything. */
class ScrapeFailuresTest {

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
  void withoutExportersTheAnswerIsMissingAndSaysWhatToDo() {
    source.scrapeOnce();

    assertThat(failure()).contains("no GPU exporter").contains("install dcgm-exporter");
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
    one.answers(cards(11));
    other.answers(cards(10));
    assertThat(source.scrapeOnce().problems())
        .containsExactly(
            one.url()
                + " answers with something else than metrics: line 11: there are more than 10"
                + " series");

    one.answers(cards(6));
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
  void passwordsInAddressesAreRefusedAndQueriesNotTold() {
    assertThatThrownBy(() -> ScrapeTarget.byHand(URI.create("http://u:secret@h:9400/metrics")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> ScrapeTarget.byHand(URI.create("file:///etc/passwd")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(ScrapeTarget.byHand(URI.create("https://h/metrics?token=secret")).address())
        .isEqualTo("https://h:443/metrics");
  }

  private static String cards(int gpus) {
    StringBuilder text = new StringBuilder();
    for (int gpu = 0; gpu < gpus; gpu++) {
      text.append("DCGM_FI_DEV_GPU_UTIL{gpu=\"").append(gpu).append("\"} 0\n");
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
}
