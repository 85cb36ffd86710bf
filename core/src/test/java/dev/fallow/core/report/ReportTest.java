package dev.fallow.core.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Outcome;
import dev.fallow.core.ledger.Span;
import dev.fallow.core.ledger.Verb;
import dev.fallow.core.notice.Fact;
import dev.fallow.core.notice.Message;
import dev.fallow.core.savings.PriceBook;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportTest {

  private static final Instant MONDAY = Instant.parse("2026-11-09T08:00:00Z");
  private static final Span WEEK = new Span(MONDAY.minus(Duration.ofDays(7)), MONDAY);
  private static final PriceBook PRICES = PriceBook.standard();
  private static final String T4 = "Tesla T4";
  private static final ObjectId TRAINER = new ObjectId("apps", "Deployment", "ml", "t", "u1");

  private static GpuTime hours(
      String workload, String team, String model, boolean spot, GpuState state, long hours) {
    return new GpuTime(
        WEEK.from(), workload, "ml", team, model, spot, state, hours * GpuTime.CARD_HOUR);
  }

  private static Report report(List<GpuTime> now, List<GpuTime> before, ActionRecord... actions) {
    return Report.of(new Extract(WEEK, now, before, List.of(actions)), PRICES);
  }

  private static ActionRecord action(
      String id, Instant at, Verb verb, Outcome outcome, ObjectId workload, String by) {
    return new ActionRecord(id, at, verb, outcome, workload, 8, 1, "R", "s", by);
  }

  private static ActionRecord pause(String id, Instant at) {
    return action(id, at, Verb.PAUSE, Outcome.DONE, TRAINER, "fallow");
  }

  private static ActionRecord resume(Instant at, String by) {
    return action("r" + at, at, Verb.RESUME, Outcome.DONE, TRAINER, by);
  }

  @Test
  void spotTimeCostsWhatSpotCosts() {
    Report report =
        report(
            List.of(
                hours("w", "", T4, false, GpuState.IDLE, 10),
                hours("w", "", T4, true, GpuState.BUSY, 10),
                hours("w", "", "nobody's", false, GpuState.BUSY, 10),
                hours("w", "", T4, false, GpuState.SAVED, 4)),
            List.of());

    assertThat(report.total().money(GpuState.IDLE)).isEqualTo(5);
    assertThat(report.total().cost()).isEqualTo(7);
    assertThat(report.total().money(GpuState.SAVED)).isEqualTo(2);
    assertThat(report.total().heldHours()).isEqualTo(30);
  }

  @Test
  void theRowsOfEachKindAddUpToTheTotalsOfBothPeriods() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Report report =
          Report.of(new Extract(WEEK, randomTimes(random), randomTimes(random), List.of()), PRICES);
      for (List<Row> rows : List.of(report.namespaces(), report.teams(), report.models())) {
        assertThat(rows.stream().map(Row::sum).reduce(Sum.ZERO, Sum::plus))
            .as("seed %d", seed)
            .isEqualTo(report.total());
        assertThat(rows.stream().map(Row::before).reduce(Sum.ZERO, Sum::plus))
            .as("seed %d", seed)
            .isEqualTo(report.before());
      }
      assertThat(report.days().stream().map(Day::sum).reduce(Sum.ZERO, Sum::plus))
          .as("seed %d", seed)
          .isEqualTo(report.total());
      double states = 0;
      for (GpuState state : GpuState.values()) {
        states += state == GpuState.SAVED ? 0 : report.total().money(state);
      }
      assertThat(report.total().cost()).isCloseTo(states, within(1e-6));
    }
  }

  private static List<GpuTime> randomTimes(Random random) {
    List<GpuTime> times = new ArrayList<>();
    for (int i = random.nextInt(60); i > 0; i--) {
      times.add(
          new GpuTime(
              WEEK.from().plus(Duration.ofDays(random.nextInt(7))),
              "w" + random.nextInt(9),
              "n" + random.nextInt(4),
              random.nextBoolean() ? "" : "t" + random.nextInt(3),
              List.of(T4, "NVIDIA H100", "").get(random.nextInt(3)),
              random.nextBoolean(),
              GpuState.values()[random.nextInt(5)],
              random.nextLong(200 * GpuTime.CARD_HOUR)));
    }
    return times;
  }

  @Test
  void theWorstAreRankedByMoneyAndThoseWithoutIdleTimeAreNone() {
    Report report =
        report(
            List.of(
                hours("cheap", "", T4, false, GpuState.IDLE, 20),
                hours("dear", "vision", "NVIDIA H100", false, GpuState.IDLE, 2),
                hours("priceless", "", "", false, GpuState.IDLE, 99),
                hours("diligent", "", "NVIDIA H100", false, GpuState.BUSY, 99)),
            List.of());

    assertThat(report.worst())
        .extracting(Offender::workload)
        .containsExactly("dear", "cheap", "priceless");
    assertThat(report.worst().getFirst().team()).isEqualTo("vision");
  }

  @Test
  void aPauseThatAPersonTookBackWithinTheHourIsARegret() {
    Instant noon = MONDAY.minus(Duration.ofDays(1));
    Report report =
        report(
            List.of(),
            List.of(),
            pause("a", noon),
            resume(noon.plusSeconds(3600), "alice"),
            pause("b", noon.plus(Duration.ofHours(2))),
            resume(noon.plus(Duration.ofHours(3)).plusSeconds(1), "alice"),
            pause("c", noon.plus(Duration.ofHours(5))),
            action(
                "c",
                noon.plus(Duration.ofHours(5)).plusSeconds(60),
                Verb.PAUSE,
                Outcome.UNDONE,
                TRAINER,
                "kubectl-scale"));

    assertThat(report.regrets().pauses()).isEqualTo(3);
    assertThat(report.regrets().share()).isCloseTo(2 / 3.0, within(1e-9));
    assertThat(report.regrets().items())
        .containsExactly(
            new Regret(
                TRAINER,
                8,
                noon.plus(Duration.ofHours(5)),
                noon.plus(Duration.ofHours(5)).plusSeconds(60),
                "kubectl-scale"),
            new Regret(TRAINER, 8, noon, noon.plusSeconds(3600), "alice"));
  }

  @Test
  void neitherAControllerNorOurselvesNorOthersWorkloadsOrPausesMakeARegret() {
    Instant noon = MONDAY.minus(Duration.ofDays(1));
    ObjectId other = new ObjectId("apps", "Deployment", "ml", "other", "u2");
    Report report =
        report(
            List.of(),
            List.of(),
            pause("a", noon),
            action(
                "a",
                noon.plusSeconds(9),
                Verb.PAUSE,
                Outcome.UNDONE,
                TRAINER,
                "Argo CD (argocd-controller)"),
            resume(noon.plusSeconds(10), "fallow"),
            action("x", noon.plusSeconds(11), Verb.RESUME, Outcome.DONE, other, "alice"),
            action("y", noon.plusSeconds(12), Verb.RESUME, Outcome.FAILED, TRAINER, "alice"),
            action("z", noon, Verb.PAUSE, Outcome.DONE, other, "bob"),
            action("f", noon, Verb.PAUSE, Outcome.FAILED, other, "fallow"),
            pause("before", WEEK.from().minusSeconds(60)),
            resume(WEEK.from(), "alice"));

    assertThat(report.regrets().pauses()).isEqualTo(1);
    assertThat(report.regrets().items()).isEmpty();
  }

  @Test
  void aResumeJustAfterThePeriodStillTellsOfAPauseInIt() {
    Report report =
        report(
            List.of(),
            List.of(),
            pause("a", MONDAY.minusSeconds(60)),
            resume(MONDAY.plusSeconds(60), "alice"),
            pause("next", MONDAY));

    assertThat(report.regrets().pauses()).isEqualTo(1);
    assertThat(report.regrets().items()).hasSize(1);
  }

  @Test
  void changeIsAShareOfBeforeAndNothingWhereNothingWas() {
    Report report =
        report(
            List.of(hours("w", "", T4, false, GpuState.IDLE, 15)),
            List.of(hours("w", "", T4, false, GpuState.IDLE, 10)));

    assertThat(report.change(sum -> sum.hours(GpuState.IDLE)).orElseThrow())
        .isCloseTo(0.5, within(1e-9));
    assertThat(report.change(sum -> sum.hours(GpuState.SAVED))).isEmpty();
  }

  @Test
  void theWeeksMessageSaysWhatMattersInAFewLines() {
    Report report =
        report(
            List.of(
                hours("Deployment/ml/t", "vision", T4, false, GpuState.IDLE, 20),
                hours("Deployment/ml/t", "vision", T4, false, GpuState.BUSY, 60),
                hours("Deployment/ml/t", "vision", T4, false, GpuState.SAVED, 8)),
            List.of(hours("Deployment/ml/t", "vision", T4, false, GpuState.IDLE, 40)),
            pause("a", MONDAY.minusSeconds(600)),
            resume(MONDAY.minusSeconds(60), "alice"));

    Message message = new WeeklyLetter("prod", Optional.empty()).of(report);

    assertThat(message.id()).isEqualTo("report-2026-11-09");
    assertThat(message.headline()).isEqualTo("GPU report of prod: 2 Nov 2026 to 9 Nov 2026");
    assertThat(message.sentence())
        .isEqualTo(
            "20 of 80 GPU hours were idle and cost $10.00, 50 % less than in the week before."
                + " Pauses saved 8.0 GPU hours, worth $4.00.");
    assertThat(message.facts())
        .contains(
            new Fact("GPU hours", "busy 60, idle 20, kept 0.0, unknown 0.0, saved 8.0"),
            new Fact("idle most, by team", "vision $10.00 (20 h)"),
            new Fact("worst", "Deployment/ml/t $10.00 (20 h)"),
            new Fact("regrets", "1 of 1 pauses were taken back within 60 min"));
    assertThat(message.facts()).hasSizeLessThanOrEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-09T08:00:00Z,2026-11-09T08:00:00Z",
    "2026-11-09T07:59:59Z,2026-11-02T08:00:00Z",
    "2026-11-15T23:00:00Z,2026-11-09T08:00:00Z",
    "2027-01-01T00:00:00Z,2026-12-28T08:00:00Z"
  })
  void theHourOfTheWeekThatCameLast(Instant now, Instant latest) {
    assertThat(new WeeklyHour(DayOfWeek.MONDAY, 8).latest(now)).isEqualTo(latest);
  }

  @Test
  void moneyIsWrittenWithItsSign() {
    assertThat(Money.text(12.5, "USD")).isEqualTo("$12.50");
    assertThat(Money.text(1234.5, "EUR")).isEqualTo("€1,235");
    assertThat(Money.text(3, "CHF")).isEqualTo("CHF 3.00");
  }
}
