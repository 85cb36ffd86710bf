package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.app.RecordedConsole;
import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Span;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import dev.fallow.systemtests.faults.FallowProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The daemon counts GPU time by team, and tells of the week once though it is started anew. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class WeeklyMessageTest {

  @TempDir Path folder;

  private final List<String> told = new CopyOnWriteArrayList<>();

  @Test
  void theWeekIsToldOnceAcrossStartsAndTeamsComeFromLabels() throws IOException {
    String ledger = folder.resolve("ledger.db").toString();
    fill(ledger);
    HttpServer slack = slack();
    try (Rig rig = Rig.builder().start()) {
      Path account = ShippedAccount.in(rig);
      LiveFleet fleet = new LiveFleet(rig);
      fleet.pod(fleet.deployment("ml", "trainer", 1), LiveFleet::idle);
      try (RigPrometheus prometheus =
          RigPrometheus.builder().backfill(fleet.samples(folder)).start()) {
        ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
        List<String> words =
            DaemonWords.of(
                account,
                prometheus,
                Path.of(ledger),
                "--report-day",
                now.getDayOfWeek().name(),
                "--report-hour",
                Integer.toString(now.getHour()));
        Map<String, String> environment =
            Map.of(
                "SLACK_WEBHOOK_URL", "http://127.0.0.1:" + slack.getAddress().getPort() + "/hook");
        for (int start = 0; start < 3; start++) {
          try (FallowProcess daemon =
              FallowProcess.daemon(folder, "d" + start, environment, words, "127.0.0.1")
                  .awaitUp()
                  .awaitCycles(3)) {
            await().atMost(Duration.ofSeconds(30)).until(() -> !reports().isEmpty());
            RecordedConsole report =
                RecordedConsole.run(
                    "report",
                    "--by",
                    "team",
                    "--server",
                    "http://127.0.0.1:" + daemon.port(),
                    "--kubeconfig",
                    rig.kubeconfig().toString());
            assertThat(report.exitCode()).as(report.err()).isZero();
            assertThat(report.out()).contains("red").contains("vision");
          }
        }
      }
    } finally {
      slack.stop(0);
    }
    assertThat(reports()).hasSize(1);
    assertThat(reports().getFirst()).contains("20 of 20 GPU hours were idle and cost $10.00");
  }

  private List<String> reports() {
    return told.stream().filter(text -> text.contains("GPU report")).toList();
  }

  private HttpServer slack() throws IOException {
    HttpServer slack = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    slack.createContext(
        "/hook",
        exchange -> {
          told.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("ok".getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
    slack.start();
    return slack;
  }

  /** Twenty hours of a T4, three days ago. */
  private static void fill(String place) {
    Instant then = Instant.now().minus(Duration.ofDays(3));
    try (Ledger ledger = SqlLedger.at(place)) {
      ledger.add(
          new Span(then, then.plus(Duration.ofHours(1))),
          List.of(
              new GpuTime(
                  then,
                  "Deployment/ml/old",
                  "ml",
                  "vision",
                  "Tesla T4",
                  false,
                  GpuState.IDLE,
                  20 * GpuTime.CARD_HOUR)));
    }
  }
}
