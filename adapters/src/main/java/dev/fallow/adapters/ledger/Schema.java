package dev.fallow.adapters.ledger;

import dev.fallow.core.Unavailable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables, in numbered steps. A step that was released is never changed; what is new comes as a
 * step of its own. Keys are hashes, because an index entry of PostgreSQL holds no long text.
 * Amounts have an upper bound, because SQLite goes on in floating point where a long ends.
 */
final class Schema {

  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              """
              CREATE TABLE actions (
                id TEXT PRIMARY KEY,
                at BIGINT NOT NULL,
                action_id TEXT NOT NULL,
                verb TEXT NOT NULL,
                outcome TEXT NOT NULL,
                api_group TEXT NOT NULL,
                kind TEXT NOT NULL,
                qualified_kind TEXT NOT NULL,
                namespace TEXT NOT NULL,
                name TEXT NOT NULL,
                uid TEXT NOT NULL,
                gpus INTEGER NOT NULL,
                dollars_per_hour DOUBLE PRECISION NOT NULL,
                reason TEXT NOT NULL,
                sentence TEXT NOT NULL,
                done_by TEXT NOT NULL)
              """,
              "CREATE INDEX actions_by_time ON actions (at, id)",
              """
              CREATE TABLE gpu_series (
                id TEXT PRIMARY KEY,
                workload TEXT NOT NULL,
                namespace TEXT NOT NULL,
                model TEXT NOT NULL,
                state TEXT NOT NULL,
                last_hour BIGINT NOT NULL)
              """,
              """
              CREATE TABLE gpu_time (
                hour BIGINT NOT NULL,
                series TEXT NOT NULL,
                amount BIGINT NOT NULL CHECK (amount BETWEEN 0 AND 9223372036854775807),
                PRIMARY KEY (hour, series))
              """,
              "CREATE TABLE counted (id INTEGER PRIMARY KEY, until_time BIGINT)",
              "INSERT INTO counted (id, until_time) VALUES (1, NULL)"),
          List.of(
              "ALTER TABLE gpu_series ADD COLUMN team TEXT NOT NULL DEFAULT ''",
              "ALTER TABLE gpu_series ADD COLUMN spot INTEGER NOT NULL DEFAULT 0",
              "CREATE TABLE claims (id TEXT PRIMARY KEY, at BIGINT NOT NULL)"));

  static final int KNOWN = STEPS.size();

  private Schema() {}

  /** Brings the tables to what this program knows; refuses those of a newer one. */
  static void migrate(Connection connection, Database database) throws SQLException {
    if (stepsSeen(connection) == KNOWN) {
      return;
    }
    connection.setAutoCommit(false);
    database.lockSchema(connection);
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS fallow_schema (step INTEGER PRIMARY KEY)");
    }
    int done = steps(connection);
    if (done > KNOWN) {
      throw new Unavailable(
          "ledger",
          "the ledger in %s was written by a newer Fallow (its schema is %d, this one knows %d): "
                  .formatted(database.place(), done, KNOWN)
              + "run the newer Fallow, or name another ledger",
          false);
    }
    for (int step = done + 1; step <= KNOWN; step++) {
      apply(connection, step);
    }
    connection.commit();
    connection.setAutoCommit(true);
  }

  private static void apply(Connection connection, int step) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : STEPS.get(step - 1)) {
        statement.execute(sql);
      }
    }
    try (PreparedStatement done =
        connection.prepareStatement("INSERT INTO fallow_schema (step) VALUES (?)")) {
      done.setInt(1, step);
      done.executeUpdate();
    }
  }

  /** In a new database there is no table to ask; any other trouble shows up again right after. */
  private static int stepsSeen(Connection connection) {
    try {
      return steps(connection);
    } catch (SQLException e) {
      return 0;
    }
  }

  private static int steps(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT COALESCE(MAX(step), 0) FROM fallow_schema")) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
