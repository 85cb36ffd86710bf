package dev.fallow.app.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.notice.Notice;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A dry run remembers whom it told, also for whoever goes on after it. */
class RehearsedNoticesTest {

  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
  private static final ObjectId TRAINER =
      new ObjectId("apps", "Deployment", "ml", "trainer", "u-1");
  private static final Notice BEGUN = new Notice("n-1", NOON, Optional.empty());
  private static final Notice TOLD = BEGUN.delivered(NOON.plusSeconds(5));

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

  private NoticeBook instance() {
    return NoticeBook.inTheLedger(ledger, () -> NOON.plusSeconds(600));
  }

  @Test
  void whoWasToldIsNotToldAgainAfterARestart() {
    NoticeBook first = instance();
    assertThat(first.write(TRAINER, Optional.of(BEGUN))).isTrue();
    assertThat(instance().of(TRAINER)).as("nobody has been told yet").isEmpty();
    first.write(TRAINER, Optional.of(TOLD));
    assertThat(instance().of(TRAINER).flatMap(Notice::delivered)).isEqualTo(TOLD.delivered());
  }

  @Test
  void whatWasTakenBackIsToldAnew() {
    instance().write(TRAINER, Optional.of(TOLD));
    instance().write(TRAINER, Optional.empty());
    assertThat(instance().of(TRAINER)).isEmpty();
    Notice later = new Notice("n-2", NOON.plusSeconds(900), Optional.of(NOON.plusSeconds(901)));
    instance().write(TRAINER, Optional.of(later));
    assertThat(instance().of(TRAINER).flatMap(Notice::delivered)).isEqualTo(later.delivered());
  }

  @Test
  void aLedgerThatIsAwayIsDoneWithout() {
    ledger.close();
    NoticeBook book = instance();
    assertThat(book.write(TRAINER, Optional.of(TOLD))).isTrue();
    assertThat(book.of(TRAINER)).contains(TOLD);
  }
}
