package dev.fallow.adapters.ledger;

import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.Ledger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.sqlite.ProgressHandler;

/**
 * The ledger in a file. A returned write is on the disk ({@code synchronous=FULL}); other processes
 * may read meanwhile (write-ahead log).
 */
public final class SqliteLedger {

  private static final Duration BUSY = Duration.ofSeconds(5);
  private static final Duration AGAIN = Duration.ofMillis(20);
  private static final int LOCKED = 5;
  private static final int INTERRUPTED = 9;

  /** Steps of SQLite's machine, of which there are many millions a second. */
  private static final int STEPS_BETWEEN = 100_000;

  private SqliteLedger() {}

  /** The folder has to be there and writable, for the file and the two that SQLite puts beside. */
  public static Ledger at(Path file) {
    return new SqlLedger(database(file, BUSY));
  }

  static Database database(Path file, Duration busy) {
    Path absolute = file.toAbsolutePath();
    if (absolute.toString().contains("?")) {
      throw new IllegalArgumentException("the path of a ledger cannot have a question mark");
    }
    return new SqliteFile(absolute, busy);
  }

  private record SqliteFile(Path file, Duration busy) implements Database {

    /** SQLite waits for locks, but not for the one by which the first who comes sets up the log. */
    @Override
    public Connection open() throws SQLException {
      long until = System.nanoTime() + busy.toNanos();
      while (true) {
        try {
          return connect();
        } catch (SQLException failure) {
          if ((failure.getErrorCode() & 0xff) != LOCKED || System.nanoTime() > until) {
            throw failure;
          }
          LockSupport.parkNanos(AGAIN.toNanos());
        }
      }
    }

    private Connection connect() throws SQLException {
      Properties pragmas = new Properties();
      pragmas.setProperty("journal_mode", "WAL");
      pragmas.setProperty("synchronous", "FULL");
      pragmas.setProperty("busy_timeout", Long.toString(busy.toMillis()));
      // A transaction that begins by reading cannot wait for a lock when it comes to write.
      pragmas.setProperty("transaction_mode", "IMMEDIATE");
      return DriverManager.getConnection("jdbc:sqlite:" + file, pragmas);
    }

    /** SQLite keeps no time itself; it asks now and then whether to go on. */
    @Override
    public void onlyReads(Connection connection, Duration longest, BooleanSupplier overdue)
        throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA query_only = ON");
      }
      ProgressHandler.setHandler(
          connection,
          STEPS_BETWEEN,
          new ProgressHandler() {
            @Override
            protected int progress() {
              return overdue.getAsBoolean() ? 1 : 0;
            }
          });
    }

    /** Every transaction is the only one that writes. */
    @Override
    public void lockSchema(Connection inTransaction) {}

    @Override
    public boolean connectionLost(SQLException failure) {
      return false;
    }

    @Override
    public Unavailable unavailable(SQLException failure) {
      // The codes of sqlite3.h; the upper bytes say more than is needed here.
      int code = failure.getErrorCode() & 0xff;
      String what =
          switch (code) {
            case LOCKED, 6 -> "is locked by another process; several replicas need PostgreSQL";
            case INTERRUPTED -> "did not answer in the time that reading may take; ask for less";
            case 8 -> "cannot be written to; check its owner and mode, and those of its folder";
            case 10, 13 -> "cannot be written to: the disk is full or failing";
            case 11, 26 -> "is not a ledger or is damaged; move it away to begin a new one";
            case 14 -> "cannot be opened; check that its folder exists and is writable";
            default -> "failed";
          };
      boolean retryable =
          code == LOCKED || code == 6 || code == INTERRUPTED || code == 10 || code == 13;
      return new Unavailable(
          "ledger",
          "the ledger in %s %s (%s)".formatted(file, what, failure.getMessage()),
          retryable,
          failure);
    }

    @Override
    public String place() {
      return file.toString();
    }
  }
}
