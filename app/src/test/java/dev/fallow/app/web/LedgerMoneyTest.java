package dev.fallow.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Span;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.server.fleet.PastSums;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerMoneyTest {

  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path folder;

  private Ledger ledger;
  private LedgerMoney money;

  @BeforeEach
  void open() {
    ledger = SqlLedger.at(folder.resolve("ledger.db").toString());
    money = new LedgerMoney(Optional.of(ledger), PriceBook.standard());
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  /** One GPU of ml and two of research, for a time that ends then. */
  private void counted(Instant from, Instant to) {
    long amount = GpuTime.CARD_HOUR * Duration.between(from, to).toMinutes() / 60;
    ledger.add(
        new Span(from, to),
        List.of(
            new GpuTime(from, "w", "ml", "NVIDIA A100-SXM4-80GB", GpuState.IDLE, amount),
            new GpuTime(
                from, "v", "research", "NVIDIA A100-SXM4-80GB", GpuState.IDLE, 2 * amount)));
  }

  private static double number(Map<String, Object> fields, String name) {
    return fields.get(name) instanceof Double number ? number : Double.NaN;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> trend(Map<String, Object> fields) {
    return (Map<String, Object>) fields.get("trend");
  }

  @Test
  void theSumsOfTheNamespacesMakeTheWhole() {
    counted(NOON.minus(HOUR), NOON);
    PastSums sums = money.upTo(NOON);
    Map<String, Object> all = sums.of(any -> true);
    Map<String, Object> ml = sums.of("ml"::equals);
    Map<String, Object> research = sums.of("research"::equals);
    assertThat(sums.namespaces()).containsExactlyInAnyOrder("ml", "research");
    assertThat(number(ml, "wastedToday")).isPositive();
    assertThat(number(research, "wastedToday"))
        .isCloseTo(number(all, "wastedToday") - number(ml, "wastedToday"), within(0.001));
    assertThat(trend(all)).containsEntry("idle", List.of(3.0));
    assertThat(trend(ml)).containsEntry("idle", List.of(1.0)).containsEntry("busy", List.of(0.0));
    assertThat(number(sums.of(any -> false), "wastedToday")).isZero();
  }

  @Test
  void theWeekIsReadAgainUntilItsLastHourHasBeenCounted() {
    counted(NOON.minus(HOUR), NOON.minus(HOUR.dividedBy(2)));
    assertThat(trend(money.upTo(NOON).of(any -> true))).containsEntry("idle", List.of(1.5));
    counted(NOON.minus(HOUR.dividedBy(2)), NOON);
    assertThat(trend(money.upTo(NOON.plusSeconds(60)).of(any -> true)))
        .containsEntry("idle", List.of(3.0));
    assertThat(trend(money.upTo(NOON.plus(HOUR)).of(any -> true)))
        .containsEntry("idle", List.of(3.0, 0.0));
  }

  @Test
  void withoutALedgerThereIsNoPast() {
    PastSums none = new LedgerMoney(Optional.empty(), PriceBook.standard()).upTo(NOON);
    assertThat(none.of(any -> true)).isEmpty();
    assertThat(none.namespaces()).isEmpty();
  }
}
