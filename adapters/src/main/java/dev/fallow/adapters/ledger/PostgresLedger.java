package dev.fallow.adapters.ledger;

import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.Ledger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The ledger in PostgreSQL, which several replicas can share. */
public final class PostgresLedger {

  /** Any number, as long as every replica has the same. */
  private static final long SCHEMA_LOCK = 0x666c77L;

  /** The classes of SQLSTATE that time can heal: connection, rollback, resources, shutdown. */
  private static final Set<String> PASSING = Set.of("08", "40", "53", "55", "57");

  private PostgresLedger() {}

  static boolean isAddress(String place) {
    return PostgresAddress.looksLikeOne(place);
  }

  /**
   * @throws IllegalArgumentException if it is no address; the message does not repeat it
   */
  public static Ledger at(String address) {
    return new SqlLedger(new Server(PostgresAddress.parse(address)));
  }

  private record Server(PostgresAddress address) implements Database {

    @Override
    public Connection open() throws SQLException {
      return DriverManager.getConnection(address.url(), address.properties());
    }

    @Override
    public void onlyReads(Connection connection, Duration longest, BooleanSupplier overdue)
        throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY");
        statement.execute("SET statement_timeout = " + longest.toMillis());
      }
    }

    @Override
    public void lockSchema(Connection inTransaction) throws SQLException {
      try (Statement statement = inTransaction.createStatement()) {
        statement.execute("SELECT pg_advisory_xact_lock(" + SCHEMA_LOCK + ")");
      }
    }

    @Override
    public boolean connectionLost(SQLException failure) {
      String state = stateOf(failure);
      return state.startsWith("08") || state.startsWith("57P");
    }

    @Override
    public Unavailable unavailable(SQLException failure) {
      String state = stateOf(failure);
      boolean passing = state.length() < 2 || PASSING.contains(state.substring(0, 2));
      String message =
          "the ledger at %s failed: %s"
              .formatted(place(), address.withoutSecrets(String.valueOf(failure.getMessage())));
      return new Unavailable(
          "ledger", message, passing, address.tellsSecrets(failure) ? null : failure);
    }

    private static String stateOf(SQLException failure) {
      String state = failure.getSQLState();
      return state == null ? "" : state;
    }

    @Override
    public String place() {
      return address.shown();
    }
  }
}
