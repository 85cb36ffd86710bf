package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.app.RecordedConsole;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import dev.fallow.systemtests.faults.FallowProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * One bad day of metrics does not empty a cluster: the daemon as a process, looking every two
 * seconds.
 */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class BadDayTest {
  private static final Duration WINDOW = Duration.ofSeconds(20);
  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir private Path folder;
  private final List<AutoCloseable> open = new ArrayList<>();
  private Rig rig;
  private Path account;
  private LiveFleet fleet;
  private RigPrometheus prometheus;

  @BeforeEach
  void start() {
    rig = closing(Rig.builder().start());
    account = ShippedAccount.in(rig);
    fleet = new LiveFleet(rig);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private <T extends AutoCloseable> T closing(T one) {
    open.add(one);
    return one;
  }

  private void measured() {
    prometheus =
        closing(
            RigPrometheus.builder()
                .backfill(fleet.samples(folder, Duration.ofMinutes(5), Duration.ofSeconds(1)))
                .start());
  }

  private FallowProcess daemon() {
    return closing(
        FallowProcess.daemon(
            folder,
            "daemon",
            Map.of(),
            DaemonWords.of(
                account,
                prometheus,
                folder.resolve("ledger.db"),
                "-r",
                "scale-down",
                "-t",
                WINDOW.toSeconds() + "s",
                "--lease-namespace",
                ShippedAccount.NAMESPACE)));
  }

  @Test
  void aFleetOfWhichAllIsZeroAtOnceIsNotBelieved() {
    Instant fall = Instant.now().plusSeconds(30);
    for (int i = 0; i < 4; i++) {
      fleet.pod(fleet.deployment("ml", "app-" + i, 1), at -> at.isBefore(fall) ? 80 : 0);
    }
    measured();
    FallowProcess daemon = daemon().awaitUp().awaitCycles(1);

    Instant still = fall.plus(WINDOW);
    await()
        .atMost(LIMIT)
        .until(() ->
            Instant.now().isAfter(still)
                && refused(daemon, "FLEET_IMPLAUSIBLE") > 0
                && daemon.page("/readyz").contains("--max-idle-share"));
    daemon.awaitCycles(5);

    RecordedConsole once =
        RecordedConsole.run(
            "prune",
            "-r",
            "scale-down",
            "-t",
            WINDOW.toSeconds() + "s",
            "--ledger",
            folder.resolve("once.db").toString(),
            "--kubeconfig",
            account.toString(),
            "--prometheus-url",
            prometheus.url().toString());
    assertThat(once.out()).contains("FLEET_IMPLAUSIBLE");
    assertThat(once.exitCode()).as(once.err()).isZero();
    assertThat(once.err())
        .contains("nothing is paused, FLEET_IMPLAUSIBLE: ", "(--max-idle-share)")
        .contains("fallow.dev/stillness-accepted-until", "4 GPU workloads, 4 idle, 0 paused");
    assertThat(IntStream.range(0, 4).mapToLong(i -> replicas("app-" + i)))
        .containsOnly(1L)
        .hasSize(4);
  }

  @Test
  void withoutMetricsForTwentyCyclesNothingIsPausedAndThenAllGoesOn() {
    fleet.pod(fleet.deployment("ml", "idle", 1), LiveFleet::idle);
    fleet.pod(fleet.deployment("ml", "busy", 1), LiveFleet::busy);
    measured();
    prometheus.process().kill();
    FallowProcess daemon = daemon().awaitUp();

    await().atMost(LIMIT).until(() -> number(daemon, "gpu_pruner_query_failures_total") >= 20);
    assertThat(daemon.page("/readyz")).contains("prometheus");
    assertThat(replicas("idle")).isEqualTo(1);

    prometheus.process().start();
    await().atMost(LIMIT).until(() -> replicas("idle") == 0);
    assertThat(number(daemon, "gpu_pruner_query_successes_total"))
        .as(
            "cycles until all goes on: one that announces, one that pauses, one that may have"
                + " begun")
        .isLessThanOrEqualTo(3);
    await().atMost(LIMIT).until(() -> !daemon.page("/readyz").contains("prometheus"));
    assertThat(replicas("busy")).isEqualTo(1);
  }

  private long replicas(String name) {
    return rig.admin()
        .get("/apis/apps/v1/namespaces/ml/deployments/" + name)
        .orThrow()
        .json()
        .at("spec", "replicas")
        .number();
  }

  private static double refused(FallowProcess daemon, String reason) {
    return number(daemon, "fallow_refusals_total{reason=\"" + reason + "\"}");
  }

  private static double number(FallowProcess daemon, String series) {
    return daemon
        .page("/metrics")
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
