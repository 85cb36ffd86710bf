package dev.fallow.server.metrics;

import static dev.fallow.server.metrics.Decisions.AT;
import static dev.fallow.server.metrics.Decisions.busy;
import static dev.fallow.server.metrics.Decisions.deployment;
import static dev.fallow.server.metrics.Decisions.paused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.core.prune.Decision;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.rig.Json;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Router;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a real Prometheus makes of our metrics. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class ScrapedByPrometheusTest {

  private static final String HOSTILE = "tr\"a\\in\r\n{x=\"y\"} 1";

  private final PruneMetrics metrics = new PruneMetrics(PriceBook.standard());
  private final List<Throwable> defects = new CopyOnWriteArrayList<>();

  @Test
  void aSeriesIsReadWithItsLabelsAndEndsWithItsWorkload() {
    HttpFront front =
        HttpFront.start("127.0.0.1", 0, new Router(MetricsRoutes.of(metrics)), defects::add);
    String config =
        """
        - job_name: fallow
          honor_labels: true
          scrape_interval: 200ms
          scrape_timeout: 200ms
          static_configs: [{targets: ["127.0.0.1:%d"], labels: {namespace: fallow-system}}]
        """
            .formatted(front.port());
    try (RigPrometheus prometheus = RigPrometheus.builder().scrapeConfig(config).start()) {
      cycle(paused(HOSTILE, 8), busy("serve", 4));
      metrics.deed(deployment("serve"), "pause", true, "");

      awaitValue(prometheus, "gpu_pruner_idle_gpus", "8");
      awaitValue(prometheus, "fallow_gpus{state=\"busy\"}", "4");
      awaitValue(prometheus, "gpu_pruner_scales_total{namespace=\"ml\",name=\"serve\"}", "1");
      awaitValue(prometheus, "count(fallow_workload_gpus{namespace=\"ml\"})", "2");
      awaitValue(prometheus, "up{job=\"fallow\"}", "1");

      cycle(busy("serve", 4));

      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() ->
              assertThat(prometheus.query("fallow_workload_gpus", Instant.now()))
                  .extracting(sample -> sample.at("metric", "name").text())
                  .containsExactly("serve"));
      assertThat(defects).isEmpty();
    } finally {
      front.stop(Duration.ofSeconds(5));
    }
  }

  private void cycle(Decision... decisions) {
    metrics.cycle(new CycleSeen(AT, 1, List.of(decisions), true, decisions.length));
  }

  private static void awaitValue(RigPrometheus prometheus, String query, String value) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() ->
            assertThat(prometheus.query(query, Instant.now()))
                .extracting(ScrapedByPrometheusTest::valueOf)
                .as(query)
                .containsExactly(value));
  }

  private static String valueOf(Json sample) {
    return sample.at("value").items().get(1).text();
  }
}
