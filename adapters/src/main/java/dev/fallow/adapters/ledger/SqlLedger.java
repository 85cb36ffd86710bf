package dev.fallow.adapters.ledger;

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
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * A ledger in a database. All writing, and the short reading that decisions wait for, is done on
 * one thread with one connection: one writer never has to wait for another of the same process.
 * What people read, such as reports over months, has a thread and a connection of its own that
 * cannot write, so that nothing waits for it. The database is reached on first use, and again after
 * it was lost, so that a program can start and go on without it.
 */
public final class SqlLedger implements Ledger {

  private static final String SQLITE = "jdbc:sqlite:";
  private static final Pattern CONNECTION_WORD =
      Pattern.compile("\\b(host|user|password|dbname)\\s*=", Pattern.CASE_INSENSITIVE);

  /**
   * @param patience longer than any timeout of the databases, so that the reason for a failure is
   *     known
   * @param reading how long one question of people may take
   * @param nanos a clock that only measures
   */
  record Limits(Duration patience, Duration reading, LongSupplier nanos) {

    static final Limits USUAL =
        new Limits(Duration.ofSeconds(60), Duration.ofSeconds(20), System::nanoTime);

    Limits patience(Duration other) {
      return new Limits(other, reading, nanos);
    }

    Limits reading(Duration other) {
      return new Limits(patience, other, nanos);
    }

    Limits nanos(LongSupplier other) {
      return new Limits(patience, reading, other);
    }
  }

  private final LedgerLane books;
  private final LedgerLane readers;

  SqlLedger(Database database, Limits limits) {
    this.books =
        new LedgerLane("ledger", database, Writing.INSTANCE, limits.patience(), limits.nanos());
    this.readers =
        new LedgerLane(
            "ledger reader",
            database,
            new Reading(database, limits),
            limits.patience(),
            limits.nanos());
  }

  SqlLedger(Database database) {
    this(database, Limits.USUAL);
  }

  private enum Writing implements LedgerLane.Use {
    INSTANCE;

    @Override
    public void prepare(Connection connection) {}

    @Override
    public void begins() {}
  }

  private static final class Reading implements LedgerLane.Use {
    private final Database database;
    private final Limits limits;
    private volatile long begun;

    Reading(Database database, Limits limits) {
      this.database = database;
      this.limits = limits;
    }

    @Override
    public void prepare(Connection connection) throws SQLException {
      database.onlyReads(
          connection,
          limits.reading(),
          () -> limits.nanos().getAsLong() - begun > limits.reading().toNanos());
    }

    @Override
    public void begins() {
      begun = limits.nanos().getAsLong();
    }
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
    return SqliteLedger.at(
        file(place)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "a ledger is the path of a file or an address such as"
                        + " postgresql://host:5432/fallow")));
  }

  /** The file that a place names, if it names one; what looks like a connection is none. */
  public static Optional<Path> file(String place) {
    String file = place.startsWith(SQLITE) ? place.substring(SQLITE.length()) : place;
    boolean none =
        file.isBlank()
            || file.startsWith("jdbc:")
            || file.contains("://")
            || CONNECTION_WORD.matcher(file).find();
    return none ? Optional.empty() : Optional.of(Path.of(file));
  }

  /** The same for whoever reads at length and decides nothing: no decision waits for it. */
  public static Ledger forReaders(Ledger ledger) {
    return ledger instanceof SqlLedger sql ? sql.new ForReaders() : ledger;
  }

  private final class ForReaders implements Ledger {
    @Override
    public List<ActionRecord> actions(ActionQuery query) {
      return readers.call(connection -> ActionTable.select(connection, query));
    }

    @Override
    public void record(ActionRecord action) {
      SqlLedger.this.record(action);
    }

    @Override
    public boolean add(Span span, List<GpuTime> times) {
      return SqlLedger.this.add(span, times);
    }

    @Override
    public Optional<Instant> countedUntil() {
      return readers.call(TimeTable::countedUntil);
    }

    @Override
    public List<GpuTime> gpuTime(TimeQuery query) {
      return SqlLedger.this.gpuTime(query);
    }

    @Override
    public boolean claim(String what, Instant at) {
      return SqlLedger.this.claim(what, at);
    }

    @Override
    public Optional<Instant> claimedAt(String what) {
      return SqlLedger.this.claimedAt(what);
    }

    @Override
    public void release(String what) {
      SqlLedger.this.release(what);
    }

    @Override
    public int forget(Instant before) {
      return SqlLedger.this.forget(before);
    }

    @Override
    public void close() {
      SqlLedger.this.close();
    }
  }

  @Override
  public void record(ActionRecord action) {
    books.call(connection -> {
      ActionTable.insert(connection, action);
      return true;
    });
  }

  @Override
  public List<ActionRecord> actions(ActionQuery query) {
    return books.call(connection -> ActionTable.select(connection, query));
  }

  @Override
  public boolean add(Span span, List<GpuTime> times) {
    return books.call(inTransaction(connection -> TimeTable.add(connection, span, times)));
  }

  @Override
  public Optional<Instant> countedUntil() {
    return books.call(TimeTable::countedUntil);
  }

  @Override
  public List<GpuTime> gpuTime(TimeQuery query) {
    return readers.call(connection -> TimeTable.select(connection, query));
  }

  @Override
  public boolean claim(String what, Instant at) {
    return books.call(connection -> ClaimTable.insert(connection, what, at));
  }

  @Override
  public Optional<Instant> claimedAt(String what) {
    return books.call(connection -> ClaimTable.select(connection, what));
  }

  @Override
  public void release(String what) {
    books.call(connection -> ClaimTable.delete(connection, what));
  }

  @Override
  public int forget(Instant before) {
    return books.call(
        inTransaction(connection ->
            TimeTable.deleteBefore(connection, before)
                + ActionTable.deleteBefore(connection, before)
                + ClaimTable.deleteBefore(connection, before)));
  }

  private static <T> LedgerLane.Work<T> inTransaction(LedgerLane.Work<T> work) {
    return connection -> {
      connection.setAutoCommit(false);
      T result = work.on(connection);
      connection.commit();
      connection.setAutoCommit(true);
      return result;
    };
  }

  @Override
  public void close() {
    readers.close();
    books.close();
  }
}
