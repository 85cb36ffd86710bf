package dev.fallow.adapters.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.rig.RigPostgres;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rig")
class PostgresLedgerRigTest extends LedgerContract {

  private static RigPostgres postgres;

  @BeforeAll
  static void startServer() {
    postgres = RigPostgres.start();
  }

  @AfterAll
  static void stopServer() {
    postgres.close();
  }

  @BeforeEach
  void emptyIt() throws SQLException {
    sql("DROP SCHEMA public CASCADE");
    sql("CREATE SCHEMA public");
  }

  @Override
  Ledger open() {
    return SqlLedger.at(postgres.address());
  }

  @Override
  Connection sideDoor() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(postgres.process().port()),
        postgres.user(),
        postgres.password());
  }

  @Test
  void aServerThatWasKilledAndStartedAgainIsFoundAgainWithAllItAcknowledged() {
    ledger.record(action("a1", NOON));
    postgres.process().kill();
    assertThatThrownBy(() -> ledger.record(action("a2", NOON)))
        .isInstanceOfSatisfying(
            Unavailable.class, failure -> assertThat(failure.retryable()).isTrue());
    postgres.process().start();

    ledger.record(action("a3", NOON));

    assertThat(ledger.actions(ActionQuery.latest(10)))
        .containsExactlyInAnyOrder(action("a1", NOON), action("a3", NOON));
  }

  @Test
  void aConnectionThatTheServerClosedIsReplacedUnnoticed() throws SQLException {
    ledger.record(action("a1", NOON));
    sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE application_name = 'fallow'");

    ledger.record(action("a2", NOON));

    assertThat(ledger.actions(ActionQuery.latest(10))).hasSize(2);
  }

  @Test
  void whileAReaderWaitsWhatDecisionsNeedIsDone() throws Exception {
    ledger.record(action("a1", NOON));
    try (Connection other = sideDoor();
        Statement statement = other.createStatement();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE gpu_time IN ACCESS EXCLUSIVE MODE");
      var read = threads.submit(() -> ledger.gpuTime(everything()));
      await().until(() -> waiting() == 1);

      ledger.record(action("a2", NOON));
      assertThat(ledger.actions(ActionQuery.latest(10))).hasSize(2);
      assertThat(read.isDone()).isFalse();
      other.rollback();
      assertThat(read.get()).isEmpty();
    }
  }

  private int waiting() throws SQLException {
    try (Connection connection = sideDoor();
        Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'fallow'"
                    + " AND wait_event_type = 'Lock'")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void aWrongPasswordIsSaidAndNotRepeated() {
    try (Ledger stranger = SqlLedger.at(postgres.addressWith("hunter2"))) {
      assertThatThrownBy(() -> stranger.countedUntil())
          .isInstanceOfSatisfying(
              Unavailable.class,
              failure -> {
                assertThat(failure.retryable()).isFalse();
                StringWriter trace = new StringWriter();
                failure.printStackTrace(new PrintWriter(trace));
                assertThat(trace.toString())
                    .contains("password authentication failed")
                    .doesNotContain("hunter2");
              });
    }
  }

  @Test
  void replicasThatMeetAnEmptyDatabaseTogetherMakeTheTablesOnce() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first =
          threads.invokeAll(
              IntStream.range(0, 8)
                  .<Callable<Boolean>>mapToObj(i ->
                      () -> {
                        try (Ledger replica = open()) {
                          return replica.countedUntil().isEmpty();
                        }
                      })
                  .toList());
      for (var result : first) {
        assertThat(result.get()).isTrue();
      }
    }
    try (Connection connection = sideDoor();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT COUNT(*) FROM fallow_schema")) {
      rows.next();
      assertThat(rows.getInt(1)).isEqualTo(Schema.KNOWN);
    }
  }
}
