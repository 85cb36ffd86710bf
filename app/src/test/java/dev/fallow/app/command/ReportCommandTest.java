package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.app.RecordedConsole;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Outcome;
import dev.fallow.core.ledger.Span;
import dev.fallow.core.ledger.Verb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger of two weeks, ending now: commands know no other time. */
class ReportCommandTest {

  private static final String EVIL = "<script>alert(1)</script>";

  @TempDir Path folder;
  private final Instant now = Instant.now().truncatedTo(ChronoUnit.HOURS);

  @BeforeEach
  void fill() {
    List<GpuTime> times = new ArrayList<>();
    for (int day = 1; day <= 14; day++) {
      // Some hours from the ends of the weeks, so that it does not matter when the hour turns.
      Instant hour = now.minus(Duration.ofDays(day)).plus(Duration.ofHours(6));
      long hours = day <= 7 ? 2 : 4;
      times.add(time(hour, "Deployment/ml/t", "ml", "vision", false, GpuState.IDLE, hours));
      times.add(time(hour, "Deployment/ml/t", "ml", "vision", true, GpuState.BUSY, 10));
      times.add(time(hour, "Job/ops/x", EVIL, "", false, GpuState.SAVED, 1));
    }
    ObjectId trainer = new ObjectId("apps", "Deployment", "ml", "t", "u1");
    Instant paused = now.minus(Duration.ofDays(1));
    try (Ledger ledger = SqlLedger.at(ledger())) {
      ledger.add(new Span(now.minus(Duration.ofDays(15)), now), times);
      ledger.record(action("a", paused, Verb.PAUSE, trainer, "fallow"));
      ledger.record(action("b", paused.plusSeconds(60), Verb.RESUME, trainer, "alice"));
    }
  }

  @Test
  void aHistoryOfWhichThereIsMoreSaysSo() {
    RecordedConsole cut =
        RecordedConsole.run("history", "--ledger", ledger().toString(), "--limit", "1");
    assertThat(cut.exitCode()).isZero();
    assertThat(cut.out().lines()).hasSize(2);
    assertThat(cut.err()).contains("--limit");
    RecordedConsole whole = RecordedConsole.run("history", "--ledger", ledger().toString());
    assertThat(whole.out().lines()).hasSize(3);
    assertThat(whole.err()).isEmpty();
  }

  private static ActionRecord action(String id, Instant at, Verb verb, ObjectId of, String by) {
    return new ActionRecord(id, at, verb, Outcome.DONE, of, 8, 1, "R", "s", by);
  }

  private static GpuTime time(
      Instant hour,
      String workload,
      String namespace,
      String team,
      boolean spot,
      GpuState state,
      long hours) {
    return new GpuTime(
        hour, workload, namespace, team, "Tesla T4", spot, state, hours * GpuTime.CARD_HOUR);
  }

  private String ledger() {
    return folder.resolve("ledger.db").toString();
  }

  private RecordedConsole report(String... more) {
    List<String> words = new ArrayList<>(List.of("report", "--ledger", ledger()));
    words.addAll(List.of(more));
    RecordedConsole console = RecordedConsole.run(words);
    assertThat(console.exitCode()).as(console.err()).isZero();
    return console;
  }

  @Test
  void teamsHaveTheirLinesAndTheTimeBeforeAndRegretsTheirWords() {
    RecordedConsole console = report("--by", "team");
    assertThat(console.out().lines().map(line -> line.replaceAll(" +", " ").strip()))
        .containsExactly(
            "TEAM BUSY H IDLE H KEPT H UNKNOWN H SAVED H COST WASTED SAVED",
            "vision 70.0 14.0 0.0 0.0 0.0 $21.00 $7.00 $0.00",
            "unknown 0.0 0.0 0.0 0.0 7.0 $0.00 $0.00 $3.50",
            "all 70.0 14.0 0.0 0.0 7.0 $21.00 $7.00 $3.50");
    assertThat(console.err())
        .contains("wasted -50 %")
        .contains("1 of 1 pauses were taken back by a person within 60 minutes");
  }

  @Test
  void oneNamespaceIsReportedAlone() {
    assertThat(report("-n", "ml", "-o", "csv").out().lines().skip(1))
        .containsExactly("ml,70.0,14.0,0.0,0.0,0.0,21.0,7.0,0.0");
    assertThat(report("-n", "ops", "-o", "json").out()).contains("\"items\":[]", "\"pauses\":0");
    assertThat(report("-n", "ml", "-o", "html").out())
        .contains("Deployment/ml/t")
        .doesNotContain("Job/ops/x");
  }

  @Test
  void wideNamesTheWorstAndTheRegretted() {
    assertThat(report("-o", "wide").out())
        .containsPattern("Deployment/ml/t +vision +14.0 +\\$7.00")
        .containsPattern("Deployment/ml/t +8 .*alice");
  }

  @Test
  void programsGetTheOldFieldsAndTheNewOnes() {
    assertThat(report("-o", "json").out())
        .contains("\"by\":\"namespace\",\"currency\":\"USD\",\"items\":[{\"key\":\"ml\"")
        .contains("\"change\":{\"cost\":-0.25,\"wasted\":-0.5,\"saved\":0.0}")
        .contains("\"regrets\":{\"pauses\":1,\"regretted\":1,\"share\":1.0");
    assertThat(report("-o", "csv", "--by", "day").out().lines()).hasSize(8);
    assertThat(report("-o", "yaml", "--by", "model").out()).contains("key: \"Tesla T4\"");
  }

  @Test
  void thePageStandsAlone() {
    String page = report("-o", "html").out();
    assertThat(page)
        .startsWith("<!DOCTYPE html>")
        .endsWith("</html>\n")
        .contains("&lt;script&gt;")
        .contains("<svg")
        .doesNotContain("<script", "http:", "https:");
  }

  @Test
  void ownPricesCount() throws IOException {
    Path prices =
        Files.writeString(
            folder.resolve("prices.yaml"),
            "currency: EUR\nmodels: {T4: {onDemand: 10, spot: 1}}\n");
    assertThat(report("--prices", prices.toString(), "--by", "model").out())
        .contains("€210.00", "€140.00", "€70.00");
  }

  @Test
  void whereTheLedgerDoesNotReachBackThereIsNothingToCompareWith() {
    assertThat(report("--since", "12d").err()).contains("does not reach back far enough");
    assertThat(report("--since", "12d", "-o", "json").out()).contains("\"change\":{}");
  }

  @Test
  void anUnknownKeyIsWrongUse() {
    RecordedConsole console = RecordedConsole.run("report", "--by", "squad", "--ledger", ledger());
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains("namespace, team, workload, model, day, hour");
  }

  @Test
  void whatIsYetToComeCannotBeReported() {
    RecordedConsole console =
        RecordedConsole.run(
            "report", "--ledger", ledger(), "--since", now.plus(Duration.ofDays(2)).toString());
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains("--since").contains("is yet to come");
  }

  @Test
  void whoOnlyReadsMakesNoLedger() {
    Path absent = folder.resolve("absent.db");
    for (String place : List.of(absent.toString(), "jdbc:sqlite:" + absent)) {
      for (String command : List.of("report", "history")) {
        RecordedConsole console = RecordedConsole.run(command, "--ledger", place);
        assertThat(console.exitCode()).isEqualTo(3);
        assertThat(console.err()).contains("there is no ledger at " + place);
        assertThat(console.out()).isEmpty();
      }
    }
    assertThat(absent).doesNotExist();
  }
}
