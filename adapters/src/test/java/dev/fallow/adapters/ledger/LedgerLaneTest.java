package dev.fallow.adapters.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.Ledger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who waits for whom, with a database that can be lost or slow. */
class LedgerLaneTest {

  @TempDir Path folder;

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger opens = new AtomicInteger();
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch free = new CountDownLatch(1);
  private volatile Duration lostFor = Duration.ZERO;
  private volatile boolean slowToRead;

  private Ledger ledger() {
    return new SqlLedger(
        new Moody(SqliteLedger.database(folder.resolve("ledger.db"), Duration.ofSeconds(5))),
        SqlLedger.Limits.USUAL.nanos(nanos::get));
  }

  private final class Moody implements Database {
    private final Database real;

    Moody(Database real) {
      this.real = real;
    }

    @Override
    public Connection open() throws SQLException {
      opens.incrementAndGet();
      if (lostFor.isPositive()) {
        nanos.addAndGet(lostFor.toNanos());
        throw new SQLException("nobody answers");
      }
      return real.open();
    }

    @Override
    public void onlyReads(Connection connection, Duration longest, BooleanSupplier overdue)
        throws SQLException {
      real.onlyReads(connection, longest, overdue);
      if (slowToRead) {
        reached.countDown();
        try {
          free.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void lockSchema(Connection inTransaction) throws SQLException {
      real.lockSchema(inTransaction);
    }

    @Override
    public boolean connectionLost(SQLException failure) {
      return real.connectionLost(failure);
    }

    @Override
    public Unavailable unavailable(SQLException failure) {
      return real.unavailable(failure);
    }

    @Override
    public String place() {
      return real.place();
    }
  }

  @Test
  void whereNobodyAnswersOneCallWaitsAndTheOthersDoNot() {
    lostFor = Duration.ofSeconds(10);
    try (Ledger ledger = ledger()) {
      for (int i = 0; i < 1000; i++) {
        assertThatThrownBy(() -> ledger.claimedAt("a notice"))
            .isInstanceOf(Unavailable.class)
            .hasMessageContaining("nobody answers");
      }
      assertThat(opens).hasValue(1);

      nanos.addAndGet(Duration.ofSeconds(5).toNanos());
      assertThatThrownBy(() -> ledger.claimedAt("a notice")).isInstanceOf(Unavailable.class);
      assertThat(opens).hasValue(2);

      lostFor = Duration.ZERO;
      nanos.addAndGet(Duration.ofSeconds(5).toNanos());
      assertThat(ledger.claimedAt("a notice")).isEmpty();
    }
  }

  @Test
  void whatIsRefusedAtOnceIsAskedForAgainAtOnce() {
    lostFor = Duration.ofMillis(3);
    try (Ledger ledger = ledger()) {
      assertThatThrownBy(() -> ledger.claimedAt("a notice")).isInstanceOf(Unavailable.class);
      lostFor = Duration.ZERO;
      assertThat(ledger.claimedAt("a notice")).isEmpty();
    }
  }

  @Test
  @Timeout(60)
  void whileSomebodyReadsAtLengthWhatDecisionsNeedIsDone() throws Exception {
    slowToRead = true;
    try (Ledger ledger = ledger();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> report = threads.submit(() -> ledger.gpuTime(LedgerContract.everything()));
      Future<?> history =
          threads.submit(() -> SqlLedger.forReaders(ledger).actions(ActionQuery.latest(10)));
      reached.await();

      ledger.record(LedgerContract.action("a1", LedgerContract.NOON));
      assertThat(ledger.actions(ActionQuery.latest(10))).hasSize(1);
      assertThat(report.isDone() || history.isDone()).isFalse();
      free.countDown();
      report.get();
      history.get();
    }
  }
}
