package dev.fallow.adapters.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.Cursor;
import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Outcome;
import dev.fallow.core.ledger.Span;
import dev.fallow.core.ledger.TimeQuery;
import dev.fallow.core.ledger.TimeQuery.Detail;
import dev.fallow.core.ledger.Verb;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every ledger promises, whatever it is kept in. */
abstract class LedgerContract {

  static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final ObjectId TRAINER =
      new ObjectId("apps", "Deployment", "ml", "trainer", "uid-1");
  private static final ObjectId CLUSTER =
      new ObjectId("ray.io", "RayCluster", "science", "ray", "uid-2");

  Ledger ledger;

  /** The same ledger each time within a test, and a new one for each test. */
  abstract Ledger open();

  /** A connection of somebody else to the same database. */
  abstract Connection sideDoor() throws SQLException;

  @BeforeEach
  void openIt() {
    ledger = open();
  }

  @AfterEach
  void closeIt() {
    ledger.close();
  }

  static ActionRecord action(String id, Instant at) {
    return action(id, at, Verb.PAUSE, TRAINER);
  }

  private static ActionRecord action(String id, Instant at, Verb verb, ObjectId workload) {
    return new ActionRecord(
        id, at, verb, Outcome.DONE, workload, 8, 21.6, "ALL_GPUS_IDLE", "idle for 3 h", "fallow");
  }

  @Test
  void aNewLedgerIsEmpty() {
    assertThat(ledger.actions(ActionQuery.latest(10))).isEmpty();
    assertThat(ledger.countedUntil()).isEmpty();
    assertThat(ledger.gpuTime(all(Detail.STATE))).isEmpty();
    assertThat(ledger.forget(NOON)).isZero();
  }

  @Test
  void anActionComesBackAsItWasRecordedAlsoAfterReopening() {
    ActionRecord action = action("a1", NOON.plusNanos(123_456_789));
    ledger.record(action);
    assertThat(ledger.actions(ActionQuery.latest(10))).containsExactly(action);

    ledger.close();
    ledger = open();

    assertThat(ledger.actions(ActionQuery.latest(10))).containsExactly(action);
  }

  @Test
  void theSameActionRecordedTwiceIsOneAndTheFirstWins() {
    ActionRecord first = action("a1", NOON);
    ledger.record(first);
    ledger.record(action("a1", NOON.plusSeconds(5)));
    assertThat(ledger.actions(ActionQuery.latest(10))).containsExactly(first);

    ActionRecord resumed = action("a1", NOON.plusSeconds(9), Verb.RESUME, TRAINER);
    ledger.record(resumed);
    assertThat(ledger.actions(ActionQuery.latest(10))).containsExactly(resumed, first);
  }

  @Test
  void pagesShowEveryActionOnceNewestFirstThoughNewOnesArrive() {
    // Many at one moment: the order among them has to be the same on every page.
    List<ActionRecord> recorded = new ArrayList<>();
    for (int i = 0; i < 57; i++) {
      ActionRecord action = action("a" + i, NOON.plusSeconds(i / 20));
      recorded.add(action);
      ledger.record(action);
    }
    List<ActionRecord> seen = new ArrayList<>();
    ActionQuery query = ActionQuery.latest(10);
    List<ActionRecord> page = ledger.actions(query);
    while (!page.isEmpty()) {
      seen.addAll(page);
      ledger.record(action("new" + seen.size(), NOON.plusSeconds(100)));
      Cursor cursor = Cursor.after(page.getLast());
      assertThat(Cursor.parse(cursor.toString())).contains(cursor);
      page = ledger.actions(query.after(cursor));
    }

    assertThat(seen).containsExactlyInAnyOrderElementsOf(recorded);
    assertThat(seen).extracting(ActionRecord::at).isSortedAccordingTo((a, b) -> b.compareTo(a));
  }

  @Test
  void theBeginningOfAnActionIsShownOnlyToWhoAsksForIt() {
    ActionRecord done = action("a1", NOON);
    ActionRecord begun =
        new ActionRecord(
            "a1", NOON, Verb.PAUSE, Outcome.BEGUN, TRAINER, 8, 21.6, "", "idle", "fallow");
    ledger.record(begun);
    ledger.record(done);
    assertThat(ledger.actions(ActionQuery.latest(10))).containsExactly(done);
    assertThat(ledger.actions(ActionQuery.latest(10).withBeginnings()))
        .containsExactlyInAnyOrder(begun, done);
  }

  @Test
  void filtersLeaveWhatTheySay() {
    ActionRecord paused = action("a1", NOON);
    ActionRecord resumed = action("a1", NOON.plus(HOUR), Verb.RESUME, TRAINER);
    ActionRecord other = action("a2", NOON.plus(HOUR), Verb.PAUSE, CLUSTER);
    List.of(paused, resumed, other).forEach(ledger::record);
    ActionQuery query = ActionQuery.latest(10);

    assertThat(ledger.actions(query.namespace("science"))).containsExactly(other);
    assertThat(ledger.actions(query.kind("RayCluster.ray.io"))).containsExactly(other);
    assertThat(ledger.actions(query.kind("RayCluster"))).isEmpty();
    assertThat(ledger.actions(query.kind("Deployment").verb(Verb.RESUME))).containsExactly(resumed);
    assertThat(ledger.actions(query.name("trainer"))).containsExactly(resumed, paused);
    assertThat(ledger.actions(query.name("Trainer"))).isEmpty();
    assertThat(ledger.actions(query.name("train%"))).isEmpty();
    assertThat(ledger.actions(query.between(NOON, NOON.plus(HOUR)))).containsExactly(paused);
    assertThat(ledger.actions(query.between(Instant.MIN, Instant.MAX))).hasSize(3);
  }

  @Test
  void hostileTextIsKeptAsTextAndWhatNoDatabaseHoldsIsReplaced() {
    String quotes = "'; DROP TABLE actions; -- \" \\ % _ ? $1 {x} \n\t \u202e ü 🦀";
    String long1 = randomName(10_240);
    ObjectId workload = new ObjectId("g'\"", quotes, long1, randomName(10_240), "\u0000");
    ActionRecord hostile =
        new ActionRecord(
            long1,
            NOON,
            Verb.PAUSE,
            Outcome.FAILED,
            workload,
            -1,
            0,
            quotes,
            "a\u0000b\ud83dc",
            "");
    ledger.record(hostile);

    ActionRecord back = ledger.actions(ActionQuery.latest(1).namespace(long1)).getFirst();

    assertThat(back.actionId()).isEqualTo(long1);
    assertThat(back.reason()).isEqualTo(quotes);
    assertThat(back.sentence()).isEqualTo("a\ufffdb\ufffdc");
    assertThat(back.workload().name()).isEqualTo(workload.name());
    assertThat(back.workload().uid()).isEqualTo("\ufffd");
    GpuTime time = new GpuTime(NOON, workload.toString(), long1, quotes, GpuState.IDLE, 7);
    ledger.add(new Span(NOON, NOON.plusSeconds(1)), List.of(time, time));
    assertThat(ledger.gpuTime(all(Detail.WORKLOAD)))
        .containsExactly(new GpuTime(NOON, workload.toString(), long1, quotes, GpuState.IDLE, 14));
  }

  @Test
  void gpuTimeAddsUp() {
    add(0, time(NOON, "a", GpuState.BUSY, 5), time(NOON, "b", GpuState.IDLE, 1L << 60));
    add(1, time(NOON, "a", GpuState.BUSY, 7), time(NOON.plus(HOUR), "a", GpuState.BUSY, 100));

    assertThat(ledger.gpuTime(new TimeQuery(NOON, NOON.plus(HOUR), Detail.WORKLOAD, false)))
        .containsExactly(
            time(NOON, "a", GpuState.BUSY, 12), time(NOON, "b", GpuState.IDLE, 1L << 60));
  }

  @Test
  void timeIsCountedOnceWhoeverCountsIt() {
    add(0, time(NOON, "a", GpuState.BUSY, 5));

    assertThat(ledger.countedUntil()).contains(NOON.plusSeconds(60));
    assertThat(
            ledger.add(
                new Span(NOON, NOON.plusSeconds(60)), List.of(time(NOON, "a", GpuState.BUSY, 5))))
        .isFalse();
    assertThat(ledger.add(new Span(NOON.plusSeconds(59), NOON.plusSeconds(90)), List.of()))
        .isFalse();
    assertThat(ledger.gpuTime(all(Detail.WORKLOAD)))
        .containsExactly(time(NOON, "a", GpuState.BUSY, 5));
    assertThat(ledger.add(new Span(NOON.plusSeconds(80), NOON.plusSeconds(90)), List.of()))
        .isTrue();
  }

  @Test
  void aSpanIsAddedWholeOrNotAtAll() {
    add(0, time(NOON, "a", GpuState.BUSY, Long.MAX_VALUE));
    Span next = new Span(NOON.plusSeconds(60), NOON.plusSeconds(120));

    // The second line cannot be added up in a long any more.
    assertThatThrownBy(() ->
            ledger.add(
                next,
                List.of(time(NOON, "b", GpuState.IDLE, 1), time(NOON, "a", GpuState.BUSY, 1))))
        .isInstanceOf(Unavailable.class);

    assertThat(ledger.countedUntil()).contains(NOON.plusSeconds(60));
    assertThat(ledger.gpuTime(all(Detail.WORKLOAD)))
        .containsExactly(time(NOON, "a", GpuState.BUSY, Long.MAX_VALUE));
  }

  @Test
  void gpuTimeIsSummedByWhatIsAskedFor() {
    GpuTime elsewhere = new GpuTime(NOON.plus(HOUR), "c", "x", "H100", GpuState.BUSY, 100);
    add(
        0,
        time(NOON, "a", GpuState.BUSY, 1),
        time(NOON, "b", GpuState.BUSY, 10),
        time(NOON.plus(HOUR), "b", GpuState.SAVED, 3),
        elsewhere);
    Instant end = NOON.plus(HOUR).plus(HOUR);

    assertThat(ledger.gpuTime(new TimeQuery(NOON.plusSeconds(9), end, Detail.NAMESPACE, false)))
        .containsExactly(
            new GpuTime(NOON, "", "ml", "T4", GpuState.BUSY, 11),
            new GpuTime(NOON, "", "ml", "T4", GpuState.SAVED, 3),
            new GpuTime(NOON, "", "x", "H100", GpuState.BUSY, 100));
    assertThat(ledger.gpuTime(new TimeQuery(NOON, end, Detail.STATE, true)))
        .containsExactly(
            new GpuTime(NOON, "", "", "T4", GpuState.BUSY, 11),
            new GpuTime(NOON.plus(HOUR), "", "", "H100", GpuState.BUSY, 100),
            new GpuTime(NOON.plus(HOUR), "", "", "T4", GpuState.SAVED, 3));
    assertThat(ledger.gpuTime(new TimeQuery(NOON.plus(HOUR), end, Detail.WORKLOAD, false)))
        .containsExactly(time(NOON.plus(HOUR), "b", GpuState.SAVED, 3), elsewhere);
  }

  @Test
  void teamsAndSpotAreToldApartAndSumUp() {
    GpuTime vision = new GpuTime(NOON, "a", "ml", "vision", "T4", false, GpuState.IDLE, 1);
    GpuTime spare = new GpuTime(NOON, "a", "ml", "vision", "T4", true, GpuState.IDLE, 10);
    GpuTime nobodys = time(NOON, "a", GpuState.IDLE, 100);
    GpuTime others = new GpuTime(NOON, "b", "ml", "vision", "T4", true, GpuState.IDLE, 1000);
    add(0, vision, spare, nobodys, others);
    add(1, vision, nobodys);

    assertThat(ledger.gpuTime(all(Detail.WORKLOAD)))
        .containsExactly(
            time(NOON, "a", GpuState.IDLE, 200),
            new GpuTime(NOON, "a", "ml", "vision", "T4", false, GpuState.IDLE, 2),
            spare,
            others);
    assertThat(ledger.gpuTime(all(Detail.NAMESPACE)))
        .containsExactly(
            new GpuTime(NOON, "", "ml", "T4", GpuState.IDLE, 200),
            new GpuTime(NOON, "", "ml", "vision", "T4", false, GpuState.IDLE, 2),
            new GpuTime(NOON, "", "ml", "vision", "T4", true, GpuState.IDLE, 1010));
    assertThat(ledger.gpuTime(all(Detail.STATE)))
        .containsExactly(
            new GpuTime(NOON, "", "", "T4", GpuState.IDLE, 202),
            new GpuTime(NOON, "", "", "", "T4", true, GpuState.IDLE, 1010));
  }

  @Test
  void aLedgerFromBeforeThereWereTeamsKeepsItsRowsAndGoesOn() throws SQLException {
    ledger.record(action("a1", NOON));
    add(0, time(NOON, "a", GpuState.BUSY, 5));
    ledger.close();
    // As the first schema left it.
    sql("ALTER TABLE gpu_series DROP COLUMN team");
    sql("ALTER TABLE gpu_series DROP COLUMN spot");
    sql("DROP TABLE claims");
    sql("DELETE FROM fallow_schema WHERE step > 1");
    ledger = open();

    add(1, time(NOON, "a", GpuState.BUSY, 7));

    assertThat(ledger.gpuTime(all(Detail.WORKLOAD)))
        .containsExactly(time(NOON, "a", GpuState.BUSY, 12));
    assertThat(ledger.actions(ActionQuery.latest(10))).containsExactly(action("a1", NOON));
    assertThat(ledger.claimedAt("report")).isEmpty();
    assertThat(ledger.claim("report", NOON)).isTrue();
    assertThat(ledger.claimedAt("report")).contains(NOON);
  }

  @Test
  void aThingIsClaimedOnceUntilItIsGivenBackOrForgotten() throws Exception {
    List<Callable<Boolean>> calls = new ArrayList<>();
    try (Ledger replica = open();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 40; i++) {
        Ledger one = i % 2 == 0 ? ledger : replica;
        calls.add(() -> one.claim("report", NOON));
      }
      int claimed = 0;
      for (Future<Boolean> result : threads.invokeAll(calls)) {
        claimed += result.get() ? 1 : 0;
      }
      assertThat(claimed).isEqualTo(1);
    }
    assertThat(ledger.claim("another", NOON)).isTrue();

    ledger.close();
    ledger = open();
    assertThat(ledger.claim("report", NOON)).isFalse();
    ledger.release("report");
    ledger.release("report");
    assertThat(ledger.claim("report", NOON.plus(HOUR))).isTrue();

    assertThat(ledger.forget(NOON.plusSeconds(1))).isEqualTo(1);
    assertThat(ledger.claim("report", NOON)).isFalse();
    assertThat(ledger.claim("another", NOON)).isTrue();
  }

  @Test
  void whatIsOldIsForgottenAndNothingElse() throws SQLException {
    ActionRecord old = action("a1", NOON.minusMillis(1));
    ActionRecord young = action("a2", NOON);
    List.of(old, young).forEach(ledger::record);
    add(
        0,
        time(NOON.minus(HOUR), "a", GpuState.BUSY, 1),
        time(NOON.minus(HOUR), "b", GpuState.BUSY, 1),
        time(NOON, "a", GpuState.BUSY, 2));

    assertThat(ledger.forget(NOON.minusSeconds(1))).isZero();
    assertThat(ledger.forget(NOON)).isEqualTo(3);

    assertThat(ledger.actions(ActionQuery.latest(10))).containsExactly(young);
    assertThat(ledger.gpuTime(all(Detail.WORKLOAD)))
        .containsExactly(time(NOON, "a", GpuState.BUSY, 2));
    assertThat(ledger.countedUntil()).isPresent();
    try (Connection connection = sideDoor();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT COUNT(*) FROM gpu_series")) {
      rows.next();
      assertThat(rows.getInt(1)).isEqualTo(1);
    }
  }

  @Test
  void manyVirtualThreadsWriteAtOnceAndNothingIsLostOrCountedTwice() throws Exception {
    Span span = new Span(NOON, NOON.plusSeconds(60));
    List<Callable<Boolean>> calls = new ArrayList<>();
    try (Ledger replica = open()) {
      for (int i = 0; i < 200; i++) {
        ActionRecord action = action("a" + i, NOON.plusMillis(i));
        Ledger one = i % 2 == 0 ? ledger : replica;
        calls.add(() -> {
          one.record(action);
          return false;
        });
        if (i % 4 < 2) {
          calls.add(() -> one.add(span, List.of(time(NOON, "a", GpuState.BUSY, 5))));
        }
      }
      long added = 0;
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (Future<Boolean> result : threads.invokeAll(calls)) {
          added += result.get() ? 1 : 0;
        }
      }
      assertThat(added).isEqualTo(1);
    }

    assertThat(ledger.actions(ActionQuery.latest(1000))).hasSize(200);
    assertThat(ledger.gpuTime(all(Detail.WORKLOAD)))
        .containsExactly(time(NOON, "a", GpuState.BUSY, 5));
  }

  @Test
  void aLedgerOfANewerFallowIsRefusedAndLeftAlone() throws SQLException {
    ledger.record(action("a1", NOON));
    ledger.close();
    sql("INSERT INTO fallow_schema (step) VALUES (99)");
    ledger = open();

    assertThatThrownBy(() -> ledger.record(action("a2", NOON)))
        .isInstanceOfSatisfying(
            Unavailable.class,
            failure -> {
              assertThat(failure.source()).isEqualTo("ledger");
              assertThat(failure.retryable()).isFalse();
              assertThat(failure).hasMessageContaining("newer Fallow (its schema is 99");
            });

    sql("DELETE FROM fallow_schema WHERE step = 99");
    assertThat(ledger.actions(ActionQuery.latest(10))).hasSize(1);
  }

  @Test
  void whatANewerReplicaWritesAndThisOneCannotReadIsLeftOut() throws SQLException {
    ledger.record(action("a1", NOON));
    ledger.record(action("a2", NOON));
    sql("UPDATE actions SET verb = 'RESIZE' WHERE action_id = 'a2'");

    assertThat(ledger.actions(ActionQuery.latest(10))).containsExactly(action("a1", NOON));
  }

  @Test
  void readersSeeWhatWasJustWrittenAndMayComeFirst() {
    Ledger reading = SqlLedger.forReaders(ledger);
    assertThat(reading.gpuTime(everything())).isEmpty();
    assertThat(reading.actions(ActionQuery.latest(10))).isEmpty();
    for (int i = 0; i < 20; i++) {
      ActionRecord action = action("a" + i, NOON.plusSeconds(i));
      ledger.record(action);
      add(i, time(NOON, "a", GpuState.BUSY, 1));

      assertThat(reading.actions(ActionQuery.latest(1))).containsExactly(action);
      assertThat(reading.gpuTime(everything()))
          .containsExactly(time(NOON, "a", GpuState.BUSY, i + 1));
      assertThat(reading.countedUntil()).isEqualTo(ledger.countedUntil());
    }
  }

  @Test
  void aClosedLedgerSaysSo() {
    ledger.close();

    assertThatThrownBy(() -> ledger.record(action("a1", NOON))).isInstanceOf(Unavailable.class);
  }

  void sql(String statement) throws SQLException {
    try (Connection connection = sideDoor();
        Statement side = connection.createStatement()) {
      side.execute(statement);
    }
  }

  private void add(int minute, GpuTime... times) {
    Instant from = NOON.plusSeconds(60L * minute);
    assertThat(ledger.add(new Span(from, from.plusSeconds(60)), List.of(times))).isTrue();
  }

  private static GpuTime time(Instant hour, String workload, GpuState state, long amount) {
    return new GpuTime(hour, workload, "ml", "T4", state, amount);
  }

  static TimeQuery everything() {
    return all(Detail.WORKLOAD);
  }

  private static TimeQuery all(Detail detail) {
    return new TimeQuery(NOON.minus(HOUR), NOON.plus(Duration.ofDays(1)), detail, true);
  }

  /** Text that no database can press into less. */
  private static String randomName(int length) {
    Random random = new Random(length);
    StringBuilder name = new StringBuilder();
    while (name.length() < length) {
      name.append((char) ('!' + random.nextInt(90)));
    }
    return name.toString();
  }
}
