package dev.fallow.adapters.ledger;

import dev.fallow.core.Unavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** What tells one database from another; the SQL is the same. */
interface Database {

  /** A new connection, with auto-commit on. */
  Connection open() throws SQLException;

  /**
   * Lets a connection read only, and no statement longer than that.
   *
   * @param overdue whether what runs on it has run for that long
   */
  void onlyReads(Connection connection, Duration longest, BooleanSupplier overdue)
      throws SQLException;

  /** Makes replicas that find an old schema at the same moment wait for each other. */
  void lockSchema(Connection inTransaction) throws SQLException;

  /** Whether the connection is gone and a new one may work. */
  boolean connectionLost(SQLException failure);

  /** The failure for people: what failed and what to do about it, and never a password. */
  Unavailable unavailable(SQLException failure);

  /** For people: where it is. */
  String place();
}
