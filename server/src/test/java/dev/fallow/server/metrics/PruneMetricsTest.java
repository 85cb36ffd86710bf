package dev.fallow.server.metrics;

import static dev.fallow.server.metrics.Decisions.AT;
import static dev.fallow.server.metrics.Decisions.busy;
import static dev.fallow.server.metrics.Decisions.deployment;
import static dev.fallow.server.metrics.Decisions.paused;
import static dev.fallow.server.metrics.Decisions.refused;
import static dev.fallow.server.metrics.Decisions.sharing;
import static dev.fallow.server.metrics.Decisions.unknown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fallow.core.exposition.ExpositionParser;
import dev.fallow.core.exposition.ExpositionParser.Timestamps;
import dev.fallow.core.exposition.MalformedText;
import dev.fallow.core.exposition.SeriesText;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.RefusalReason;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Router;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each figure against decisions that were made by hand, read back as Prometheus reads it. */
class PruneMetricsTest {

  private final PruneMetrics metrics = new PruneMetrics(PriceBook.standard());

  @Test
  void beforeAnythingHappensTheFiguresAreThereAndZero() {
    Map<String, Double> series = scrape();
    assertThat(series)
        .containsEntry("gpu_pruner_idle_gpus{}", 0.0)
        .containsEntry("gpu_pruner_pods_checked_total{}", 0.0)
        .containsEntry("gpu_pruner_query_successes_total{}", 0.0)
        .containsEntry("gpu_pruner_query_failures_total{}", 0.0)
        .containsEntry("gpu_pruner_query_candidates_total{}", 0.0)
        .containsEntry("gpu_pruner_acknowledged_workloads{}", 0.0)
        .containsEntry("gpu_pruner_acknowledgments_total{}", 0.0)
        .containsEntry("gpu_pruner_scaledowns_prevented_total{}", 0.0)
        .containsEntry("gpu_pruner_slack_notifications_sent_total{}", 0.0)
        .containsEntry("gpu_pruner_slack_notification_failures_total{}", 0.0)
        .containsEntry("fallow_saved_gpu_hours_total{}", 0.0)
        .containsEntry("fallow_cycle_seconds_count{}", 0.0)
        .containsEntry("fallow_gpus{state=paused}", 0.0);
  }

  @Test
  void whoeverStandsByShowsNoFleet() {
    cycle(paused("train", 8), busy("serve", 4));
    metrics.standingBy(AT);
    Map<String, Double> series = scrape();
    assertThat(series)
        .containsEntry("gpu_pruner_idle_gpus{}", 0.0)
        .containsEntry("fallow_gpus{state=idle}", 0.0)
        .containsEntry("fallow_gpus{state=busy}", 0.0)
        .containsEntry("gpu_pruner_query_candidates_total{}", 1.0);
    assertThat(series.keySet()).noneMatch(name -> name.startsWith("fallow_workload_"));
  }

  @Test
  void aRefusalAtTheWriteIsCounted() {
    metrics.refused(RefusalReason.CHANGED_MEANWHILE);
    assertThat(scrape()).containsEntry("fallow_refusals_total{reason=CHANGED_MEANWHILE}", 1.0);
  }

  @Test
  void aCycleIsCountedByGpusAndStates() {
    cycle(
        paused("train", 8),
        refused("kept", 2, RefusalReason.ACKNOWLEDGED),
        refused("exempt", 3, RefusalReason.EXEMPT),
        refused("zero", 5, RefusalReason.PAUSED_ALREADY),
        busy("serve", 4),
        unknown("new", 1));
    Map<String, Double> series = scrape();
    assertThat(series)
        .containsEntry("gpu_pruner_idle_gpus{}", 18.0)
        .containsEntry("gpu_pruner_query_candidates_total{}", 4.0)
        .containsEntry("gpu_pruner_acknowledged_workloads{}", 1.0)
        .containsEntry("gpu_pruner_pods_checked_total{}", 6.0)
        .containsEntry("gpu_pruner_query_successes_total{}", 1.0)
        .containsEntry("gpu_pruner_query_failures_total{}", 0.0)
        .containsEntry("fallow_gpus{state=idle}", 11.0)
        .containsEntry("fallow_gpus{state=kept}", 2.0)
        .containsEntry("fallow_gpus{state=paused}", 5.0)
        .containsEntry("fallow_gpus{state=busy}", 4.0)
        .containsEntry("fallow_gpus{state=unknown}", 1.0)
        .containsEntry("fallow_refusals_total{reason=ACKNOWLEDGED}", 1.0)
        .containsEntry("fallow_refusals_total{reason=EXEMPT}", 1.0)
        .containsEntry("fallow_cycle_seconds_count{}", 1.0)
        .containsEntry("fallow_cycle_seconds_sum{}", 1.5)
        .containsEntry("fallow_cycle_seconds_bucket{le=1.0}", 0.0)
        .containsEntry("fallow_cycle_seconds_bucket{le=2.5}", 1.0)
        .containsEntry(of("fallow_workload_gpus", "train"), 8.0)
        .containsEntry(of("fallow_workload_gpus", "new"), 1.0)
        .containsEntry(of("fallow_workload_idle_seconds", "train"), 3600.0)
        .containsEntry(of("fallow_workload_wasted_dollars_per_hour", "serve"), 0.0)
        .containsEntry(
            "fallow_workload_verdict{kind=Deployment, name=new, namespace=ml, verdict=UNKNOWN}",
            1.0)
        .doesNotContainKey(of("fallow_workload_idle_seconds", "serve"));
    assertThat(series.get(of("fallow_workload_wasted_dollars_per_hour", "train")))
        .isCloseTo(8 * 3.4, within(1e-9));
  }

  @Test
  void aCardThatIsSharedIsOneGpu() {
    cycle(sharing("a", "card"), sharing("b", "card"), sharing("c", "card"));
    assertThat(scrape()).containsEntry("gpu_pruner_idle_gpus{}", 1.0);
  }

  @Test
  void aSourceThatFailsIsCountedAsSuch() {
    metrics.cycle(new CycleSeen(AT, 0.2, List.of(unknown("a", 1)), false, 1));
    assertThat(scrape())
        .containsEntry("gpu_pruner_query_failures_total{}", 1.0)
        .containsEntry("gpu_pruner_query_successes_total{}", 0.0);
  }

  @Test
  void whatHasNotFailedYetIsThereAndZero() {
    assertThat(scrape())
        .containsEntry("gpu_pruner_scale_failures_total{kind=Deployment, reason=WRITE_FAILED}", 0.0)
        .containsEntry("fallow_errors_total{reason=METRICS_UNAVAILABLE, source=prometheus}", 0.0);
  }

  @Test
  void aPauseIsCountedByKindAndOutcome() {
    cycle(paused("train", 8));
    metrics.deed(deployment("train"), "pause", false, "CHANGED_MEANWHILE");
    assertThat(scrape())
        .containsEntry(
            "gpu_pruner_scale_failures_total{kind=Deployment, reason=CHANGED_MEANWHILE}", 1.0)
        .containsEntry("gpu_pruner_scale_successes_total{kind=Deployment}", 0.0)
        .doesNotContainKey(of("gpu_pruner_scales_total", "train"));
    metrics.deed(deployment("train"), "pause", true, "");
    assertThat(scrape())
        .containsEntry("gpu_pruner_scale_successes_total{kind=Deployment}", 1.0)
        .containsEntry(of("gpu_pruner_scales_total", "train"), 1.0)
        .containsEntry("fallow_deeds_total{kind=Deployment, outcome=failure, verb=pause}", 1.0)
        .containsEntry("fallow_deeds_total{kind=Deployment, outcome=success, verb=pause}", 1.0);
  }

  @Test
  void whatIsPausedIsCountedUntilItComesBack() {
    cycle(paused("train", 8), busy("serve", 4));
    metrics.deed(deployment("train"), "pause", true, "");
    cycle(busy("serve", 4));
    assertThat(scrape())
        .containsEntry("fallow_gpus{state=paused}", 8.0)
        .containsEntry("fallow_gpus{state=idle}", 0.0)
        .containsEntry(of("gpu_pruner_scales_total", "train"), 1.0)
        .doesNotContainKey(of("fallow_workload_gpus", "train"));
    metrics.deed(deployment("train"), "resume", true, "");
    cycle(busy("serve", 4), busy("train", 8));
    assertThat(scrape())
        .containsEntry("fallow_gpus{state=paused}", 0.0)
        .containsEntry("fallow_gpus{state=busy}", 12.0)
        .containsEntry(of("gpu_pruner_scales_total", "train"), 1.0);
  }

  @Test
  void aSeriesEndsWhenItsWorkloadDoes() {
    cycle(paused("train", 8), busy("serve", 4));
    metrics.deed(deployment("train"), "pause", true, "");
    metrics.paused(Map.of());
    cycle(busy("serve", 4));
    assertThat(scrape().keySet())
        .noneMatch(series -> series.contains("train"))
        .anyMatch(series -> series.contains("serve"));
    cycle();
    assertThat(scrape().keySet()).noneMatch(series -> series.contains("serve"));
  }

  @Test
  void aKeepPreventsOnePauseHoweverOftenItIsSeen() {
    Decision kept = refused("kept", 2, RefusalReason.ACKNOWLEDGED);
    cycle(kept);
    cycle(kept);
    assertThat(scrape()).containsEntry("gpu_pruner_scaledowns_prevented_total{}", 1.0);
    cycle(busy("kept", 2));
    cycle(kept);
    assertThat(scrape()).containsEntry("gpu_pruner_scaledowns_prevented_total{}", 2.0);
    metrics.acknowledged(deployment("kept"));
    assertThat(scrape()).containsEntry("gpu_pruner_acknowledgments_total{}", 1.0);
  }

  @Test
  void messagesHoursAndErrorsAreCounted() {
    metrics.slack(true);
    metrics.slack(false);
    metrics.saved(0.5);
    metrics.saved(0.25);
    metrics.error("prometheus", "TIMEOUT");
    assertThat(scrape())
        .containsEntry("gpu_pruner_slack_notifications_sent_total{}", 1.0)
        .containsEntry("gpu_pruner_slack_notification_failures_total{}", 1.0)
        .containsEntry("fallow_saved_gpu_hours_total{}", 0.75)
        .containsEntry("fallow_errors_total{reason=TIMEOUT, source=prometheus}", 1.0);
  }

  @Test
  void tooManyWorkloadsShareTheSeriesOfTheOthers() {
    PruneMetrics small = new PruneMetrics(PriceBook.standard(), 10);
    List<Decision> decisions = IntStream.range(0, 25).mapToObj(i -> paused("w" + i, 2)).toList();
    small.cycle(new CycleSeen(AT, 1, decisions, true, 25));
    for (int i = 0; i < 25; i++) {
      small.deed(deployment("w" + i), "pause", true, "");
    }
    Map<String, Double> series = scrape(small);
    String other = "{kind=_other, name=_other, namespace=_other";
    assertThat(series)
        .containsEntry("fallow_workload_gpus" + other + "}", 30.0)
        .containsEntry("fallow_workload_verdict" + other + ", verdict=IDLE}", 15.0)
        .containsEntry("gpu_pruner_scales_total" + other + "}", 15.0)
        .containsEntry("gpu_pruner_idle_gpus{}", 50.0)
        .containsEntry(of("fallow_workload_gpus", "w9"), 2.0)
        .doesNotContainKey(of("fallow_workload_gpus", "w10"));
    assertThat(series.keySet()).filteredOn(s -> s.startsWith("fallow_workload_gpus")).hasSize(11);
  }

  @Test
  void whoHasASeriesKeepsIt() {
    PruneMetrics small = new PruneMetrics(PriceBook.standard(), 1);
    small.cycle(new CycleSeen(AT, 1, List.of(paused("z", 1)), true, 1));
    small.cycle(new CycleSeen(AT, 1, List.of(paused("a", 1), paused("z", 1)), true, 2));
    assertThat(scrape(small)).containsKey(of("fallow_workload_gpus", "z"));
  }

  @Test
  void inventedReasonsDoNotFillAPrometheus() {
    for (int i = 0; i < 10_000; i++) {
      metrics.error("source" + i, "reason" + i);
      metrics.deed(
          new ObjectId("g" + i, "Kind" + i, "ml", "x", "u"), "pause" + i, false, "reason" + i);
    }
    assertThat(scrape()).hasSizeLessThan(1000);
  }

  @Test
  void hostileNamesDoNotBreakTheFormat() {
    List<String> names =
        List.of(
            "quote\"brace}",
            "back\\slash",
            "new\nline 1",
            "return\rfallow_fake 1",
            "\u2028",
            "\0nul",
            "name=\"x\",name=\"y\"",
            "# HELP a b",
            "ä😀",
            "lone\ud800",
            "",
            "x".repeat(5000));
    List<Decision> decisions = new ArrayList<>();
    names.forEach(name -> decisions.add(paused(name, 1)));
    metrics.cycle(new CycleSeen(AT, 1, decisions, true, decisions.size()));
    for (String accept : List.of("", "application/openmetrics-text; version=1.0.0")) {
      Map<String, Double> series = parse(metrics.expose(accept).text());
      assertThat(series.keySet())
          .filteredOn(s -> s.startsWith("fallow_workload_gpus"))
          .hasSize(names.size())
          .contains(
              "fallow_workload_gpus{kind=Deployment, name=quote\"brace}, namespace=ml}",
              "fallow_workload_gpus{kind=Deployment, name=back\\slash, namespace=ml}",
              "fallow_workload_gpus{kind=Deployment, name=ä😀, namespace=ml}");
      assertThat(series).doesNotContainKey("fallow_fake{}");
    }
  }

  @Test
  void theAskerGetsTheFormatItTakes() {
    Router router = new Router(MetricsRoutes.of(metrics));
    Reply usual = router.answer(Request.get("/metrics"));
    assertThat(usual.headers().get("content-type")).startsWith("text/plain; version=0.0.4");
    assertThat(usual.bodyText()).contains("# TYPE gpu_pruner_idle_gpus gauge");
    Scraped open = metrics.expose("application/openmetrics-text; version=1.0.0");
    assertThat(open.contentType()).startsWith("application/openmetrics-text");
    assertThat(open.text()).endsWith("# EOF\n");
  }

  private void cycle(Decision... decisions) {
    metrics.cycle(new CycleSeen(AT, 1.5, List.of(decisions), true, decisions.length));
  }

  private static String of(String metric, String name) {
    return metric + "{kind=Deployment, name=" + name + ", namespace=ml}";
  }

  private Map<String, Double> scrape() {
    return scrape(metrics);
  }

  private static Map<String, Double> scrape(PruneMetrics metrics) {
    return parse(metrics.expose("").text());
  }

  /** By metric and labels, the labels in the order of their names. */
  private static Map<String, Double> parse(String text) {
    Map<String, Double> values = new LinkedHashMap<>();
    ExpositionParser parser =
        new ExpositionParser(
            Timestamps.MILLISECONDS,
            (series, value, millis) -> {
              SeriesText parsed = SeriesText.parse(series);
              String name = parsed.metric() + new TreeMap<>(parsed.labels());
              assertThat(values.put(name, value)).as(name + " is there once").isNull();
            });
    try {
      parser.parse(new StringReader(text));
    } catch (IOException | MalformedText malformed) {
      throw new AssertionError(text, malformed);
    }
    return values;
  }
}
