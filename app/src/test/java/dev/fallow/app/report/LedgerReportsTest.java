package dev.fallow.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Span;
import dev.fallow.core.report.Day;
import dev.fallow.core.report.Report;
import dev.fallow.core.savings.PriceBook;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerReportsTest {

  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");

  @TempDir Path folder;

  private Ledger ledger;

  @BeforeEach
  void open() {
    ledger = SqlLedger.at(folder.resolve("ledger.db").toString());
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  private Report read(Optional<Instant> from, Optional<Instant> to) {
    return new LedgerReports(Optional.of(ledger), PriceBook.standard()).read(from, to, any -> true);
  }

  /** An hour of one GPU, each hour up to noon. */
  private void hours(int count) {
    for (int i = count; i > 0; i--) {
      Instant hour = NOON.minus(Duration.ofHours(i));
      ledger.add(
          new Span(hour, hour.plus(Duration.ofHours(1))),
          List.of(new GpuTime(hour, "w", "n", "T4", GpuState.IDLE, GpuTime.CARD_HOUR)));
    }
  }

  @Test
  void bothPeriodsAreEquallyLongWholeHoursAndNeverMeet() {
    hours(30);
    Report report =
        read(
            Optional.of(NOON.minus(Duration.ofHours(10)).plusSeconds(99)),
            Optional.of(NOON.plus(Duration.ofDays(9))));
    assertThat(report.period()).isEqualTo(new Span(NOON.minus(Duration.ofHours(10)), NOON));
    assertThat(report.total().hours(GpuState.IDLE)).isEqualTo(10);
    assertThat(report.before().hours(GpuState.IDLE)).isEqualTo(10);
  }

  @Test
  void aDayIsAPartAndALongTimeHasFewParts() {
    hours(50);
    assertThat(read(Optional.of(NOON.minus(Duration.ofHours(50))), Optional.empty()).days())
        .extracting(Day::from)
        .containsExactly(
            NOON.minus(Duration.ofHours(50)),
            NOON.minus(Duration.ofHours(26)),
            NOON.minus(Duration.ofHours(2)));
    Report all = read(Optional.of(Instant.EPOCH), Optional.empty());
    assertThat(all.total().hours(GpuState.IDLE)).isEqualTo(50);
    assertThat(all.days()).hasSizeLessThanOrEqualTo(31);
  }

  @Test
  void absurdPeriodsAreAnsweredToo() {
    hours(3);
    assertThat(read(Optional.of(Instant.MIN), Optional.of(Instant.MAX)).total().heldHours())
        .isEqualTo(3);
    assertThat(read(Optional.of(Instant.MAX), Optional.of(Instant.MAX)).total().isZero()).isTrue();
    assertThat(read(Optional.empty(), Optional.of(Instant.MIN)).total().isZero()).isTrue();
  }

  @Test
  void aNewLedgerHasAnEmptyReport() {
    assertThat(read(Optional.empty(), Optional.empty()).total().isZero()).isTrue();
  }
}
