package dev.fallow.adapters.ledger;

import dev.fallow.core.Unavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One platform thread with one connection: SQLite's calls are native and would pin the carriers of
 * virtual threads. The database is reached on first use, and again after it was lost.
 */
final class LedgerLane {

  /**
   * An open that failed at once costs nothing and is tried again at the next call; one that took
   * its time is not, for a while.
   */
  private static final Duration SLOW = Duration.ofSeconds(2);

  private static final Duration REST = Duration.ofSeconds(5);

  private final Database database;
  private final Use use;
  private final Duration patience;
  private final LongSupplier nanos;
  private final ExecutorService thread;

  /** These are seen by the one thread only. */
  private @Nullable Connection open;

  private @Nullable SQLException unreachable;
  private long failedAt;

  /** What a new connection is made ready for. */
  interface Use {
    void prepare(Connection connection) throws SQLException;

    /** A piece of work begins. */
    void begins();
  }

  /** One piece of work on the connection. */
  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /**
   * @param patience how long anybody waits for an answer
   * @param nanos a clock that only measures
   */
  LedgerLane(String name, Database database, Use use, Duration patience, LongSupplier nanos) {
    this.database = database;
    this.use = use;
    this.patience = patience;
    this.nanos = nanos;
    this.thread =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name(name).factory());
  }

  <T> T call(Work<T> work) {
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
      Connection connection = connection();
      use.begins();
      T result = work.on(connection);
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
      connection = opened();
      open = connection;
      Schema.migrate(connection, database);
      use.prepare(connection);
    }
    return connection;
  }

  /** Where nobody answers, each of many calls would wait anew; so only one does, now and then. */
  private Connection opened() throws SQLException {
    long begun = nanos.getAsLong();
    SQLException before = unreachable;
    if (before != null && begun - failedAt < REST.toNanos()) {
      throw before;
    }
    unreachable = null;
    try {
      return database.open();
    } catch (SQLException failure) {
      failedAt = nanos.getAsLong();
      unreachable = failedAt - begun < SLOW.toNanos() ? null : failure;
      throw failure;
    }
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
  void close() {
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
