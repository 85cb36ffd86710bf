package dev.fallow.app.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Outcome;
import dev.fallow.core.ledger.Verb;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.savings.PriceBook;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeedNewsTest {
  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
  private static final ObjectId TRAINER = new ObjectId("apps", "Deployment", "ml", "trainer", "u1");
  private static final Delivery LOST = new Delivery.Failed("no answer", Optional.empty());

  @TempDir Path folder;
  private Ledger ledger;
  private final List<String> told = new ArrayList<>();
  private Supplier<Delivery> answer = () -> new Delivery.Confirmed(NOON, "ok");

  @BeforeEach
  void open() {
    ledger = SqlLedger.at(folder.resolve("ledger.db").toString());
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  /** That of a new process, which remembers nothing. */
  private DeedNews news() {
    return new DeedNews(
        ledger,
        new Letters("", "", false, PriceBook.standard()),
        workload -> List.of(new Address(Address.SLACK, "#ml")),
        (to, message) -> {
          Delivery delivery = answer.get();
          if (delivery instanceof Delivery.Confirmed) {
            told.add(message.id() + " " + to.text());
          }
          return delivery;
        },
        NoticeSigns.NONE,
        Runnable::run);
  }

  private void done(String id, Verb verb, Outcome outcome, Instant at) {
    ledger.record(new ActionRecord(id, at, verb, outcome, TRAINER, 8, 20, "", "idle", "fallow"));
  }

  @Test
  void whatWasDoneIsToldOnceWhateverRestartsThereAre() {
    done("a1", Verb.PAUSE, Outcome.DONE, NOON);
    DeedNews first = news();
    first.at(NOON.plusSeconds(10));
    first.at(NOON.plusSeconds(20));
    news().at(NOON.plusSeconds(30));
    done("a1", Verb.RESUME, Outcome.DONE, NOON.plusSeconds(40));
    news().at(NOON.plusSeconds(50));
    assertThat(told).containsExactly("a1-paused slack:#ml", "a1-resumed slack:#ml");
  }

  @Test
  void whatDidNotArriveIsToldAgainAlsoByTheNextProcess() {
    done("a1", Verb.PAUSE, Outcome.DONE, NOON);
    answer = () -> LOST;
    news().at(NOON.plusSeconds(10));
    assertThat(told).isEmpty();
    answer = () -> new Delivery.Confirmed(NOON, "ok");
    news().at(NOON.plusSeconds(20));
    assertThat(told).containsExactly("a1-paused slack:#ml");
  }

  @Test
  void whatWasNotDoneAndWhatIsOldIsNoNews() {
    done("a1", Verb.PAUSE, Outcome.FAILED, NOON);
    done("a2", Verb.PAUSE, Outcome.UNKNOWN, NOON);
    done("a3", Verb.PAUSE, Outcome.DONE, NOON.minus(Duration.ofMinutes(61)));
    done("a4", Verb.KEEP, Outcome.DONE, NOON);
    news().at(NOON);
    assertThat(told).isEmpty();
  }

  @Test
  void aChannelThatRefusesIsNotAskedAgain() {
    done("a1", Verb.PAUSE, Outcome.DONE, NOON);
    answer = () -> new Delivery.Refused("no such channel");
    news().at(NOON);
    answer = () -> new Delivery.Confirmed(NOON, "ok");
    news().at(NOON.plusSeconds(10));
    assertThat(told).isEmpty();
  }

  @Test
  void twoLeadersRestartsAndAChannelThatFailsHalfTheTimeTellEverythingOnce() {
    for (int seed = 0; seed < 20; seed++) {
      SplittableRandom dice = new SplittableRandom(seed);
      told.clear();
      answer = () -> dice.nextBoolean() ? LOST : new Delivery.Confirmed(NOON, "ok");
      List<String> expected = new ArrayList<>();
      DeedNews[] leaders = {news(), news()};
      Instant at = NOON.plus(Duration.ofDays(seed));
      for (int i = 0; i < 60; i++) {
        at = at.plusSeconds(20);
        if (i < 20 && dice.nextBoolean()) {
          String id = "s" + seed + "-" + i;
          done(id, Verb.PAUSE, Outcome.DONE, at);
          expected.add(id + "-paused slack:#ml");
        }
        if (dice.nextInt(5) == 0) {
          leaders[dice.nextInt(2)] = news();
        }
        leaders[dice.nextInt(2)].at(at);
      }
      assertThat(told).as("seed " + seed).containsExactlyInAnyOrderElementsOf(expected);
    }
  }
}
