package dev.fallow.adapters.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteLedgerTest extends LedgerContract {

  private static final Duration BUSY = Duration.ofMillis(100);

  @TempDir Path folder;

  @Override
  Ledger open() {
    return SqlLedger.at(file().toString());
  }

  private Path file() {
    return folder.resolve("ledger.db");
  }

  @Override
  Connection sideDoor() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file());
  }

  @Test
  void aFullDiskIsSaidAndLosesNothingThatWasAcknowledged() throws SQLException {
    int acknowledged = 0;
    try (Ledger cramped = new SqlLedger(new Cramped(file()))) {
      Unavailable failure = null;
      while (failure == null && acknowledged < 10_000) {
        try {
          cramped.record(action("a" + acknowledged, NOON));
          acknowledged++;
        } catch (Unavailable full) {
          failure = full;
        }
      }
      assertThat(failure).hasMessageContaining("the disk is full");
      assertThat(failure.retryable()).isTrue();
    }

    assertThat(acknowledged).isPositive();
    assertThat(ledger.actions(ActionQuery.latest(10_000))).hasSize(acknowledged);
    ledger.record(action("after", NOON));
    assertThat(ledger.actions(ActionQuery.latest(10_000))).hasSize(acknowledged + 1);
  }

  @Test
  void aLockedFileIsSaidAndWritableAgainOnceItIsFree() throws SQLException {
    try (Ledger impatient = new SqlLedger(SqliteLedger.database(file(), BUSY))) {
      impatient.record(action("a1", NOON));
      try (Connection other = sideDoor();
          Statement statement = other.createStatement()) {
        statement.execute("BEGIN IMMEDIATE");
        assertThatThrownBy(() -> impatient.record(action("a2", NOON)))
            .isInstanceOfSatisfying(
                Unavailable.class, locked -> assertThat(locked.retryable()).isTrue())
            .hasMessageContaining("locked by another process");
        assertThat(impatient.actions(ActionQuery.latest(10))).hasSize(1);
        statement.execute("ROLLBACK");
      }

      impatient.record(action("a2", NOON));
      assertThat(impatient.actions(ActionQuery.latest(10))).hasSize(2);
    }
  }

  @Test
  void whileTheFileIsLockedOtherVirtualThreadsGoOn() throws Exception {
    int writers = 64;
    CountDownLatch underWay = new CountDownLatch(writers);
    ledger.record(action("a1", NOON));
    try (Connection other = sideDoor();
        Statement statement = other.createStatement();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      statement.execute("BEGIN IMMEDIATE");
      List<Future<?>> written = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        String id = "b" + i;
        written.add(
            threads.submit(() -> {
              underWay.countDown();
              ledger.record(action(id, NOON));
            }));
      }
      // Were a write to hold its carrier, the first few would keep the others from starting.
      boolean allStarted = underWay.await(4, TimeUnit.SECONDS);
      statement.execute("ROLLBACK");
      assertThat(allStarted).isTrue();
      for (Future<?> write : written) {
        write.get();
      }
    }
    assertThat(ledger.actions(ActionQuery.latest(100))).hasSize(writers + 1);
  }

  @Test
  void aStoreThatDoesNotAnswerIsNotWaitedForForEver() throws SQLException {
    try (Connection other = sideDoor();
        Statement statement = other.createStatement();
        Ledger hurried =
            new SqlLedger(
                SqliteLedger.database(file(), Duration.ofSeconds(5)),
                SqlLedger.Limits.USUAL.patience(BUSY))) {
      ledger.record(action("a1", NOON));
      statement.execute("BEGIN IMMEDIATE");

      assertThatThrownBy(() -> hurried.record(action("a2", NOON)))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("did not answer");
      statement.execute("ROLLBACK");
    }
  }

  @Test
  void aQuestionThatTakesTooLongIsGivenUpAndTheNextIsAnswered() throws SQLException {
    try (Ledger hurried =
        new SqlLedger(SqliteLedger.database(file(), BUSY), SqlLedger.Limits.USUAL.reading(BUSY))) {
      hurried.record(action("a1", NOON));
      sql("ALTER TABLE gpu_time RENAME TO kept");
      sql(
          "CREATE VIEW gpu_time AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
              + " SELECT i AS hour, 'x' AS series, 1 AS amount FROM n");

      assertThatThrownBy(() -> hurried.gpuTime(everything()))
          .isInstanceOfSatisfying(
              Unavailable.class, failure -> assertThat(failure.retryable()).isTrue())
          .hasMessageContaining("ask for less");

      sql("DROP VIEW gpu_time");
      sql("ALTER TABLE kept RENAME TO gpu_time");
      assertThat(hurried.gpuTime(everything())).isEmpty();
    }
  }

  @Test
  void whatIsNoDatabaseIsLeftAlone() throws IOException {
    Files.writeString(file(), "this is somebody's letter, and long enough to be read ".repeat(99));

    assertThatThrownBy(() -> ledger.record(action("a1", NOON)))
        .isInstanceOfSatisfying(
            Unavailable.class, failure -> assertThat(failure.retryable()).isFalse())
        .hasMessageContaining("is not a ledger");
    assertThat(file()).content().startsWith("this is somebody's letter");
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    Path nowhere = folder.resolve("no/such/folder/ledger.db");
    try (Ledger lost = SqliteLedger.at(nowhere)) {
      assertThatThrownBy(() -> lost.record(action("a1", NOON)))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining(nowhere.toString());
    }
  }

  /** A file that cannot grow beyond a few pages, as on a disk that is full. */
  private record Cramped(Database real) implements Database {

    Cramped(Path file) {
      this(SqliteLedger.database(file, BUSY));
    }

    @Override
    public Connection open() throws SQLException {
      Connection connection = real.open();
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA max_page_count = 20");
      }
      return connection;
    }

    @Override
    public void onlyReads(Connection connection, Duration longest, BooleanSupplier overdue)
        throws SQLException {
      real.onlyReads(connection, longest, overdue);
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
}
