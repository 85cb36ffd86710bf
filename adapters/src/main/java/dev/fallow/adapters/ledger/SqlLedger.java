package dev.fallow.adapters.ledger;

import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Span;
import dev.fallow.core.ledger.TimeQuery;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A ledger in a database. All work is done on one platform thread with one connection: SQLite's
 * calls are native and would pin the carriers of virtual threads, and one writer never has to wait
 * for another of the same process. The database is reached on first use, and again after it was
 * lost, so that a program can start and go on without it.
 */
public final class SqlLedger implements Ledger {

  /** Longer than any timeout of the databases, so that the reason for a failure is known. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Database database;
  private final Duration patience;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("ledger").factory());

  /** Seen by the one thread only. */
  private @Nullable Connection open;

  SqlLedger(Database database, Duration patience) {
    this.database = database;
    this.patience = patience;
  }

  SqlLedger(Database database) {
    this(database, PATIENCE);
  }

  /**
   * The ledger at a file's path, or at an address of PostgreSQL: {@code postgresql://…}, {@code
   * postgres://…} or {@code jdbc:postgresql:…}. Nothing is opened yet.
   *
   * @throws IllegalArgumentException if it is neither; the message does not repeat it
   */
  public static Ledger at(String place) {
    if (PostgresLedger.isAddress(place)) {
      return PostgresLedger.at(place);
    }
    String file = place.startsWith("jdbc:sqlite:") ? place.substring(12) : place;
    if (file.isBlank() || file.startsWith("jdbc:") || file.contains("://")) {
      throw new IllegalArgumentException(
          "a ledger is the path of a file or an address such as postgresql://host:5432/fallow");
    }
    return SqliteLedger.at(Path.of(file));
  }

  /** One piece of work on the connection. */
  private interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  @Override
  public void record(ActionRecord action) {
    call(connection -> {
      ActionTable.insert(connection, action);
      return true;
    });
  }

  @Override
  public List<ActionRecord> actions(ActionQuery query) {
    return call(connection -> ActionTable.select(connection, query));
  }

  @Override
  public boolean add(Span span, List<GpuTime> times) {
    return call(inTransaction(connection -> TimeTable.add(connection, span, times)));
  }

  @Override
  public Optional<Instant> countedUntil() {
    return call(TimeTable::countedUntil);
  }

  @Override
  public List<GpuTime> gpuTime(TimeQuery query) {
    return call(connection -> TimeTable.select(connection, query));
  }

  @Override
  public boolean claim(String what, Instant at) {
    return call(connection -> ClaimTable.insert(connection, what, at));
  }

  @Override
  public Optional<Instant> claimedAt(String what) {
    return call(connection -> ClaimTable.select(connection, what));
  }

  @Override
  public void release(String what) {
    call(connection -> ClaimTable.delete(connection, what));
  }

  @Override
  public int forget(Instant before) {
    return call(
        inTransaction(connection ->
            TimeTable.deleteBefore(connection, before)
                + ActionTable.deleteBefore(connection, before)
                + ClaimTable.deleteBefore(connection, before)));
  }

  private static <T> Work<T> inTransaction(Work<T> work) {
    return connection -> {
      connection.setAutoCommit(false);
      T result = work.on(connection);
      connection.commit();
      connection.setAutoCommit(true);
      return result;
    };
  }

  private <T> T call(Work<T> work) {
    Future<T> result;
    try {
      result = thread.submit(() -> perform(work));
    } catch (RejectedExecutionException e) {
      throw new Unavailable("ledger", "the ledger is closed", false, e);
    }
    try {
      return result.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      result.cancel(false);
      throw new Unavailable(
          "ledger",
          "the ledger in %s did not answer for %d s"
              .formatted(database.place(), patience.toSeconds()),
          true,
          e);
    } catch (InterruptedException e) {
      result.cancel(false);
      Thread.currentThread().interrupt();
      throw new Unavailable("ledger", "interrupted while waiting for the ledger", true, e);
    }
  }

  /** Everything here can be done twice, so a connection that died unnoticed is no failure yet. */
  private <T> T perform(Work<T> work) {
    boolean used = open != null;
    try {
      return attempt(work);
    } catch (SQLException first) {
      if (!used || !database.connectionLost(first)) {
        throw database.unavailable(first);
      }
    }
    try {
      return attempt(work);
    } catch (SQLException second) {
      throw database.unavailable(second);
    }
  }

  /** After a failure the connection is closed, which undoes what was not committed. */
  private <T> T attempt(Work<T> work) throws SQLException {
    boolean done = false;
    try {
      T result = work.on(connection());
      done = true;
      return result;
    } finally {
      if (!done) {
        disconnect();
      }
    }
  }

  private Connection connection() throws SQLException {
    Connection connection = open;
    if (connection == null) {
      connection = database.open();
      open = connection;
      Schema.migrate(connection, database);
    }
    return connection;
  }

  private void disconnect() {
    Connection connection = open;
    open = null;
    if (connection == null) {
      return;
    }
    try {
      connection.close();
    } catch (SQLException e) {
      // It is given up either way, and why is on its way to the caller already.
    }
  }

  /** Waits for what was asked for before, and for no longer than for any call. */
  @Override
  public void close() {
    if (thread.isShutdown()) {
      return;
    }
    Future<?> closed = thread.submit(this::disconnect);
    thread.shutdown();
    try {
      closed.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      thread.shutdownNow();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
