package dev.fallow.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.app.notice.NoticeSigns;
import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Span;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import dev.fallow.core.report.Extract;
import dev.fallow.core.report.Report;
import dev.fallow.core.report.WeeklyHour;
import dev.fallow.core.report.WeeklyLetter;
import dev.fallow.core.savings.PriceBook;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WeeklyReportTest {

  private static final Instant MONDAY = Instant.parse("2026-11-09T08:00:00Z");
  private static final Address GPUS = new Address(Address.SLACK, "#gpus");
  private static final Address BOSS = new Address(Address.MAIL, "boss@example.com");
  private static final Executor AT_ONCE = Runnable::run;

  @TempDir Path folder;

  private Ledger ledger;
  private final Map<String, Integer> arrived = new HashMap<>();
  private final List<Span> periods = new ArrayList<>();
  private Random dice = new Random(0);
  private double failing;
  private double refusing;
  private long hours = 10;

  @BeforeEach
  void open() {
    ledger = SqlLedger.at(folder.resolve("ledger.db").toString());
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  private Delivery deliver(Address to, Message message) {
    if (dice.nextDouble() < failing) {
      return new Delivery.Failed("busy", Optional.empty());
    }
    if (dice.nextDouble() < refusing) {
      return new Delivery.Refused("no such channel");
    }
    arrived.merge(message.id() + " " + to.text(), 1, Integer::sum);
    return new Delivery.Confirmed(MONDAY, "ok");
  }

  /** As after a start of the program. */
  private WeeklyReport started(Executor aside) {
    return new WeeklyReport(
        new WeeklyReport.Order(
            new WeeklyHour(DayOfWeek.MONDAY, 8),
            List.of(GPUS, BOSS),
            new WeeklyLetter("", Optional.empty())),
        ledger,
        (from, to, sees) -> {
          Span period = new Span(from.orElseThrow(), to.orElseThrow());
          periods.add(period);
          return Report.of(
              new Extract(
                  period,
                  List.of(
                      new GpuTime(
                          period.from(), "w", "n", "T4", GpuState.IDLE, hours * GpuTime.CARD_HOUR)),
                  List.of(),
                  List.of()),
              PriceBook.standard());
        },
        this::deliver,
        NoticeSigns.NONE,
        aside);
  }

  @Test
  void eachWeekArrivesOnceAtEachAddressWhateverRestartsAndLeadersThereAre() {
    for (int seed = 0; seed < 40; seed++) {
      dice = new Random(seed);
      failing = dice.nextDouble() * 0.7;
      arrived.clear();
      // A year of its own for each seed, so that the claims of one are not those of another.
      Instant begin = MONDAY.plus(Duration.ofDays(7L * 60 * seed)).minus(Duration.ofHours(3));
      WeeklyReport one = started(AT_ONCE);
      WeeklyReport other = started(AT_ONCE);
      for (Instant now = begin;
          now.isBefore(begin.plus(Duration.ofDays(15)));
          now = now.plus(Duration.ofMinutes(1 + dice.nextInt(20)))) {
        if (dice.nextInt(10) == 0) {
          one = started(AT_ONCE);
        }
        (dice.nextBoolean() ? one : other).at(now);
      }
      assertThat(arrived.values()).as("seed %d", seed).containsOnly(1);
      assertThat(arrived).as("seed %d", seed).hasSize(6);
    }
  }

  @Test
  void theWeekThatEndedThenIsToldAndNothingBeforeItsHour() {
    WeeklyReport report = started(AT_ONCE);
    ledger.claim("report-2026-11-02 slack:#gpus", MONDAY);
    report.at(MONDAY.minusSeconds(1));
    assertThat(arrived).isEmpty();
    report.at(MONDAY);
    report.at(MONDAY.plusSeconds(180));
    assertThat(arrived)
        .containsOnly(
            Map.entry("report-2026-11-09 slack:#gpus", 1),
            Map.entry("report-2026-11-09 mail:boss@example.com", 1));
    assertThat(periods).containsExactly(new Span(MONDAY.minus(Duration.ofDays(7)), MONDAY));
  }

  @Test
  void aReportThatIsADayLateIsNotSentAnyMore() {
    started(AT_ONCE).at(MONDAY.plus(Duration.ofDays(1)).plusSeconds(1));
    assertThat(arrived).isEmpty();
    started(AT_ONCE).at(MONDAY.plus(Duration.ofDays(1)));
    assertThat(arrived).hasSize(2);
  }

  @Test
  void aRefusalIsFinalAndAnEmptyLedgerTellsNothing() {
    refusing = 1;
    WeeklyReport report = started(AT_ONCE);
    report.at(MONDAY);
    refusing = 0;
    started(AT_ONCE).at(MONDAY.plusSeconds(600));
    assertThat(arrived).isEmpty();

    hours = 0;
    started(AT_ONCE).at(MONDAY.plus(Duration.ofDays(7)));
    assertThat(arrived).isEmpty();
  }

  @Test
  void whoDiesWhileSendingIsNotRepeated() {
    assertThat(ledger.claim("report-2026-11-09 slack:#gpus", MONDAY)).isTrue();
    started(AT_ONCE).at(MONDAY.plusSeconds(60));
    assertThat(arrived).containsOnlyKeys("report-2026-11-09 mail:boss@example.com");
  }

  @Test
  void nobodyWaitsForItAndItIsNotBegunTwice() {
    List<Runnable> waiting = new ArrayList<>();
    WeeklyReport report = started(waiting::add);
    report.at(MONDAY);
    report.at(MONDAY.plusSeconds(180));
    assertThat(waiting).hasSize(1);
    assertThat(arrived).isEmpty();
    waiting.getFirst().run();
    assertThat(arrived).hasSize(2);
  }

  @Test
  void aLedgerThatIsAwayDoesNoHarm() {
    ledger.close();
    started(AT_ONCE).at(MONDAY);
    assertThat(arrived).isEmpty();
    open();
    started(AT_ONCE).at(MONDAY.plusSeconds(60));
    assertThat(arrived).hasSize(2);
  }
}
