package dev.fallow.adapters.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.idle.Judge;
import dev.fallow.core.idle.Reason;
import dev.fallow.core.idle.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What core makes of exporters that were looked at directly. */
class ScrapedVerdictTest {

  private static final Instant START = Instant.parse("2026-11-02T12:00:00Z");
  private static final String STILL =
      "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\",Hostname=\"gpu-1\",pod=\"train-0\","
          + "namespace=\"ml\",container=\"main\"} 0\n";

  private final SettableClock clock = new SettableClock(START);
  private final StubExporter exporter = new StubExporter().answers(STILL);
  private final StubExporter another = new StubExporter();
  private final ScrapeUsageSource source =
      new ScrapeUsageSource(
          () ->
              List.of(
                  new ScrapeTarget(exporter.url(), "gpu-operator", "dcgm-x", "gpu-1"),
                  new ScrapeTarget(another.url(), "gpu-operator", "dcgm-y", "gpu-2")),
          ScrapeSettings.remembering(IdleRule.DEFAULT.window()),
          clock);

  @AfterEach
  void close() {
    source.close();
    exporter.close();
    another.close();
  }

  @Test
  void stillnessIsProvenOnceAWholeWindowWasWatched() {
    watch(Duration.ofMinutes(20));
    assertThat(verdict().reason()).isEqualTo(Reason.COVERAGE_TOO_LOW);

    watch(Duration.ofMinutes(11));
    assertThat(verdict()).isInstanceOf(Verdict.Idle.class);
  }

  @Test
  void anExporterThatFailsForAWhileTakesTheProofAway() {
    watch(Duration.ofMinutes(20));
    exporter.answers(StubExporter.reply(503, StubExporter.TEXT, new byte[0]));
    watch(Duration.ofMinutes(2));
    exporter.answers(STILL);
    watch(Duration.ofMinutes(10));

    assertThat(verdict().reason()).isEqualTo(Reason.COVERAGE_TOO_LOW);
  }

  @Test
  void oneLookAtActivityKeepsTheWorkload() {
    watch(Duration.ofMinutes(20));
    exporter.answers(STILL.replace("} 0", "} 80"));
    source.scrapeOnce();
    exporter.answers(STILL);
    watch(Duration.ofMinutes(25));

    assertThat(verdict()).isInstanceOf(Verdict.Busy.class);
  }

  private void watch(Duration time) {
    for (long left = time.toSeconds(); left > 0; left -= 15) {
      clock.pass(Duration.ofSeconds(15));
      source.scrapeOnce();
    }
  }

  private Verdict verdict() {
    List<Assessment> assessments =
        Judge.judge(
            ClusterState.of(List.of(pod())),
            source.read(clock.instant(), IdleRule.DEFAULT.window()),
            clock.instant(),
            IdleRule.DEFAULT,
            Optional.empty());
    assertThat(assessments).hasSize(1);
    return assessments.getFirst().verdict();
  }

  private static ObjectTree pod() {
    String started = START.minus(Duration.ofDays(1)).toString();
    Map<String, Object> limits = Map.of("limits", Map.of("nvidia.com/gpu", "1"));
    return new ObjectTree(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Pod",
            "metadata",
            Map.of("name", "train-0", "namespace", "ml", "uid", "u1", "creationTimestamp", started),
            "spec",
            Map.of(
                "nodeName",
                "gpu-1",
                "containers",
                List.of(Map.of("name", "main", "resources", limits))),
            "status",
            Map.of(
                "phase",
                "Running",
                "containerStatuses",
                List.of(
                    Map.of(
                        "name",
                        "main",
                        "state",
                        Map.of("running", Map.of("startedAt", started)))))));
  }
}
