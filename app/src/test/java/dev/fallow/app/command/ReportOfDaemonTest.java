package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.app.RecordedConsole;
import dev.fallow.app.report.LedgerReports;
import dev.fallow.app.web.LedgerSavings;
import dev.fallow.app.web.OpenDoor;
import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Span;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Route;
import dev.fallow.server.Router;
import dev.fallow.server.report.ReportRoutes;
import dev.fallow.server.savings.SavingsRoutes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of a daemon that goes by another clock than ours, as the demo does. */
class ReportOfDaemonTest {

  private static final Instant END = Instant.parse("2020-03-09T12:00:00Z");

  @TempDir Path folder;
  private Ledger ledger;
  private HttpFront front;

  @BeforeEach
  void serve() {
    ledger = SqlLedger.at(folder.resolve("ledger.db").toString());
    OpenDoor door = new OpenDoor("visitor");
    List<Route> routes =
        new ArrayList<>(
            SavingsRoutes.of(new LedgerSavings(Optional.of(ledger), PriceBook.standard()), door));
    routes.addAll(
        ReportRoutes.of(new LedgerReports(Optional.of(ledger), PriceBook.standard()), door));
    front =
        HttpFront.start(
            "127.0.0.1",
            0,
            new Router(routes),
            defect -> {
              throw new AssertionError(defect);
            });
  }

  @AfterEach
  void end() {
    front.stop(Duration.ZERO);
    ledger.close();
  }

  /** An idle hour of each namespace on each of the last 14 days. */
  private void fill(String... namespaces) {
    List<GpuTime> times = new ArrayList<>();
    for (String namespace : namespaces) {
      for (int day = 1; day <= 14; day++) {
        times.add(
            new GpuTime(
                END.minus(Duration.ofDays(day)).plus(Duration.ofHours(6)),
                "Deployment/" + namespace + "/t",
                namespace,
                "",
                "Tesla T4",
                false,
                GpuState.IDLE,
                GpuTime.CARD_HOUR));
      }
    }
    ledger.add(new Span(END.minus(Duration.ofDays(15)), END), times);
  }

  private RecordedConsole report(String... more) {
    List<String> words =
        new ArrayList<>(List.of("report", "--server", "http://127.0.0.1:" + front.port()));
    words.addAll(List.of(more));
    // No kubeconfig, and so no token to send.
    return RecordedConsole.run(Map.of("HOME", folder.toString()), words.toArray(String[]::new));
  }

  @Test
  void theDaemonSaysWhichWeekIsTheLast() {
    fill("ml");

    RecordedConsole console = report("-o", "json");

    assertThat(console.exitCode()).as(console.err()).isZero();
    assertThat(console.out())
        .startsWith("{\"from\":\"2020-03-02T12:00:00Z\",\"to\":\"2020-03-09T12:00:00Z\"")
        .contains("\"idle\":7.0", "\"key\":\"ml\"");
  }

  @Test
  void whatTheDaemonHasNotCountedYetIsRefused() {
    fill("ml");

    for (String format : List.of("table", "html")) {
      RecordedConsole console = report("--since", "7d", "-o", format);

      assertThat(console.exitCode()).isEqualTo(2);
      assertThat(console.err()).contains("--since").contains("2020-03-09T12:00:00Z");
      assertThat(console.out()).isEmpty();
    }
    assertThat(report("--since", "2020-03-08T12:00:00Z", "-o", "json").out())
        .contains("\"idle\":1.0");
  }

  @Test
  void oneNamespaceIsAskedForAlone() {
    fill("ml", "ops");

    assertThat(report("-n", "ml", "-o", "json").out())
        .contains("\"idle\":7.0", "Deployment/ml/t")
        .doesNotContain("ops");
    assertThat(report("-n", "ml", "-o", "html").out())
        .contains("Deployment/ml/t")
        .doesNotContain("Deployment/ops/t");
    assertThat(report("-o", "json").out()).contains("\"idle\":14.0");
  }

  @Test
  void aDaemonThatHasCountedNothingSaysSo() {
    RecordedConsole console = report("--since", "7d");

    assertThat(console.exitCode()).as(console.err()).isZero();
    assertThat(console.out().lines()).hasSize(2);
  }
}
