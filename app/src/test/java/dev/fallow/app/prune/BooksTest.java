package dev.fallow.app.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import dev.fallow.core.prune.Step;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BooksTest {
  private static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");
  private static final ObjectId TRAINER = new ObjectId("apps", "Deployment", "ml", "trainer", "u1");

  @TempDir Path folder;
  private Ledger ledger;
  private Books books;

  @BeforeEach
  void open() {
    ledger = SqlLedger.at(folder.resolve("ledger.db").toString());
    books = restarted();
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  /** The books of a new process: it remembers nothing. */
  private Books restarted() {
    return new Books(Optional.of(ledger), Books.Events.NONE, Step.Observer.NONE);
  }

  private static Deed pause(Outcome outcome) {
    return new Deed(
        Deed.Verb.PAUSE, "a1", AT, TRAINER, 8, 20, "idle for a day", Deed.OURSELVES, outcome);
  }

  private static Outcome done() {
    return new Outcome.Done("paused");
  }

  private List<String> history() {
    return ledger.actions(ActionQuery.latest(10)).stream()
        .map(action -> action.outcome().name())
        .toList();
  }

  @Test
  void aLedgerThatCannotBeReadSaysSoToTheBudget() {
    assertThat(restarted().pausesSince(AT.minusSeconds(60)).forgotten()).isEmpty();
    ledger.close();
    assertThat(restarted().pausesSince(AT.minusSeconds(60)).forgotten()).isPresent();
  }

  @Test
  void aPauseWhoseEndNobodyRecordedIsSaidToBeInDoubtOnce() {
    books.begin(pause(done()));
    assertThat(history()).isEmpty();

    Books next = restarted();
    next.settle(Set.of(), AT.plusSeconds(14));
    assertThat(history()).as("the write may still be on its way").isEmpty();
    next.settle(Set.of(), AT.plusSeconds(16));
    restarted().settle(Set.of(), AT.plusSeconds(300));

    assertThat(history()).containsExactly("UNKNOWN");
  }

  @Test
  void aPauseThatShowsOnItsObjectIsNotInDoubt() {
    books.begin(pause(done()));
    restarted().settle(Set.of("a1"), AT.plusSeconds(60));
    assertThat(history()).isEmpty();
  }

  @Test
  void aPauseThatEndedIsNotInDoubt() {
    books.begin(pause(done()));
    books.record(pause(done()));
    restarted().settle(Set.of(), AT.plusSeconds(60));
    assertThat(history()).containsExactly("DONE");
  }

  @Test
  void whatWasBegunAndRefusedIsWrittenDownSoAndWhatNeverBeganIsNot() {
    Outcome refused =
        new Outcome.Refused(new Refusal(RefusalReason.CHANGED_MEANWHILE, "scaled by alice"));
    books.record(pause(refused));
    assertThat(history()).isEmpty();

    books.begin(pause(done()));
    books.record(pause(refused));
    restarted().settle(Set.of(), AT.plusSeconds(60));
    assertThat(history()).containsExactly("REFUSED");
  }

  @Test
  void anAnswerThatWasLostLeavesAPauseInDoubtAndItsBudgetSpent() {
    books.begin(pause(done()));
    books.record(pause(new Outcome.Failed("no answer", true)));
    assertThat(history()).containsExactly("UNKNOWN");
    assertThat(restarted().pausesSince(AT.minusSeconds(60)).pauses()).hasSize(1);
  }

  @Test
  void whoHasUndoneAPauseIsWrittenDown() {
    books.record(
        new Deed(
            Deed.Verb.UNDONE,
            "a1",
            AT,
            TRAINER,
            8,
            0,
            "switched on again by Argo CD",
            "Argo CD",
            new Outcome.Done("noted")));
    assertThat(ledger.actions(ActionQuery.latest(10)))
        .singleElement()
        .satisfies(
            action -> assertThat(action.sentence()).isEqualTo("switched on again by Argo CD"));
  }

  @Test
  void whatSomebodyAskedForIsNotSaidToHaveBeenIdle() {
    books.record(pause(done()));
    books.record(
        new Deed(Deed.Verb.PAUSE, "a2", AT, TRAINER, 8, 20, "moving house", "alice", done()));
    assertThat(ledger.actions(ActionQuery.latest(10)))
        .extracting(action -> action.actionId() + " " + action.reason())
        .containsExactlyInAnyOrder("a1 ALL_GPUS_IDLE", "a2 BY_HAND");
  }

  /** Counts what is told on workloads. */
  private final List<String> told = new ArrayList<>();

  private Books telling() {
    return new Books(
        Optional.of(ledger),
        (about, reason, message, id, at) -> {
          told.add(message);
          return "";
        },
        Step.Observer.NONE);
  }

  private static OwnerObject paused(String id, String reason) {
    return new OwnerObject(
        TRAINER,
        List.of(),
        Map.of(
            "fallow.dev/action-id",
            id,
            "fallow.dev/paused-at",
            AT.toString(),
            "fallow.dev/paused-by",
            "the chief",
            "fallow.dev/pause-reason",
            reason),
        List.of(),
        OptionalLong.of(0),
        false,
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false,
        false,
        OptionalLong.empty());
  }

  private static final String ID = "0123456789abcdef";

  @Test
  void aPauseThatTheLastProcessMadeAndDidNotRecordIsMadeGoodOnce() {
    Deed deed =
        new Deed(Deed.Verb.PAUSE, ID, AT, TRAINER, 8, 20, "idle for a day", Deed.OURSELVES, done());
    books.begin(deed);
    OwnerObject object = paused(ID, "something else");
    telling().recover(object, AT.plusSeconds(5));
    telling().recover(object, AT.plusSeconds(9));

    assertThat(history()).containsExactly("DONE");
    assertThat(ledger.actions(ActionQuery.latest(1)).getFirst().sentence())
        .isEqualTo("idle for a day");
    assertThat(told).containsExactly("idle for a day");
  }

  /** Who may change an object may write a pause on it that never was. */
  @Test
  void whatAnObjectSaysOfAPauseIsNotRepeated() {
    telling().recover(paused(ID, "call this number"), AT.plusSeconds(5));
    ActionRecord found = ledger.actions(ActionQuery.latest(1)).getFirst();
    assertThat(found.reason()).isEqualTo("FOUND_PAUSED");
    assertThat(found.sentence() + found.by()).doesNotContain("number").doesNotContain("chief");
    assertThat(told).singleElement().asString().doesNotContain("number");
  }

  @Test
  void anIdThatIsNoneIsNotEntered() {
    telling().recover(paused("a b", ""), AT.plusSeconds(5));
    assertThat(history()).isEmpty();
  }
}
