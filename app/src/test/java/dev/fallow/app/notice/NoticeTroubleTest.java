package dev.fallow.app.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.app.demo.SimWorkshop;
import dev.fallow.app.prune.Deed;
import dev.fallow.app.prune.Pruner;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Channel;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import dev.fallow.core.notice.Notice;
import dev.fallow.core.notice.RetrySchedule;
import dev.fallow.core.prune.RefusalReason;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.sim.SimulatedFleet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Telling goes on, within bounds, though writing fails, looks lag behind or channels break. */
class NoticeTroubleTest {

  private static final Duration PERIOD = Duration.ofMinutes(5);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String WORKLOAD = "Deployment/nlp/summarizer";

  private SimWorkshop workshop = new SimWorkshop(7);
  private final List<Message> sent = new CopyOnWriteArrayList<>();
  private final List<ObjectId> writes = new CopyOnWriteArrayList<>();
  private BiPredicate<ObjectId, Optional<Notice>> forbidden = (workload, notice) -> false;
  private Channel channel = (to, message) -> new Delivery.Confirmed(workshop.now(), "ok");
  private Optional<NoticeDesk> desk = Optional.empty();

  /** On the workloads, where that is not forbidden. */
  private final class Shaky implements NoticeBook {
    @Override
    public boolean write(ObjectId workload, Optional<Notice> notice) {
      writes.add(workload);
      return !forbidden.test(workload, notice)
          && NoticeBook.onTheWorkloads(workshop.actuator()).write(workload, notice);
    }

    @Override
    public Optional<Notice> of(ObjectId workload) {
      return Optional.empty();
    }
  }

  @AfterEach
  void close() {
    desk.ifPresent(NoticeDesk::close);
  }

  private NoticeDesk desk(NoticeBook book) {
    NoticeDesk made =
        new NoticeDesk(
            (to, message) -> {
              sent.add(message);
              return channel.deliver(to, message);
            },
            book,
            new NoticeDesk.Office(
                List.of(new Address(Address.SLACK, "#gpus")),
                namespace -> List.of(),
                "",
                "",
                false,
                PERIOD,
                new RetrySchedule(Duration.ofSeconds(10), Duration.ofMinutes(15)),
                PriceBook.standard()),
            workshop::now,
            NoticeSigns.NONE);
    desk = Optional.of(made);
    return made;
  }

  private Pruner.Report cycle(Pruner pruner) {
    Pruner.Report report = pruner.cycle();
    // A messenger may fall over, where a test wants that.
    await().dontCatchUncaughtExceptions().until(desk.orElseThrow()::isQuiet);
    workshop.pass(MINUTE);
    return report;
  }

  private List<Message> mine() {
    return sent.stream()
        .filter(one -> one.workload().equals(WORKLOAD) && one.kind() == Message.Kind.IDLE)
        .toList();
  }

  private Optional<Notice> standing() {
    return workshop.annotation(WORKLOAD, Annotations.NOTICE).flatMap(Notice::parse);
  }

  private static Optional<RefusalReason> reason(Pruner.Report report) {
    return report.inspection().decisions().stream()
        .filter(one -> one.assessment().workload().root().toString().equals(WORKLOAD))
        .findFirst()
        .flatMap(one -> one.refusal())
        .map(refusal -> refusal.reason());
  }

  private void mark(String key, Optional<String> value) {
    workshop.actuator().note(workshop.id(WORKLOAD), Map.of(key, value));
  }

  @Test
  void aKindThatMayNotBeWrittenCostsThreeWritesALookAndHoldsUpNoOther() {
    workshop = new SimWorkshop(SimulatedFleet.sized(3, 300));
    forbidden = (workload, notice) -> workload.kind().equals("Deployment");
    Pruner pruner = workshop.pruner().telling(desk(new Shaky()));
    Set<String> tried = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      writes.clear();
      cycle(pruner);
      Set<String> failed = new HashSet<>();
      writes.stream()
          .filter(one -> one.kind().equals("Deployment"))
          .forEach(one -> failed.add(one.uid()));
      assertThat(failed.size()).as("look %d", i).isEqualTo(3);
      tried.addAll(failed);
    }
    assertThat(tried.size()).as("those never tried come first").isEqualTo(9);
    assertThat(sent)
        .as("what can be written")
        .isNotEmpty()
        .allSatisfy(message -> assertThat(message.workload()).startsWith("StatefulSet/"));

    forbidden = (workload, notice) -> false;
    cycle(pruner);
    assertThat(
            sent.stream().filter(message -> message.workload().startsWith("Deployment/")).count())
        .as("told once it can be written")
        .isGreaterThan(9);
  }

  @Test
  void noLookTakesBackMoreThanAHundredNotices() {
    workshop = new SimWorkshop(SimulatedFleet.sized(3, 600));
    Instant before = workshop.now().minus(Duration.ofHours(9));
    Set<String> takenBack = new HashSet<>();
    NoticeBook everywhere =
        new NoticeBook() {
          @Override
          public boolean write(ObjectId workload, Optional<Notice> notice) {
            if (notice.isEmpty()) {
              takenBack.add(workload.uid());
            }
            return true;
          }

          @Override
          public Optional<Notice> of(ObjectId workload) {
            return Optional.of(new Notice("n-" + workload.uid(), before, Optional.of(before)));
          }
        };
    Pruner pruner = workshop.pruner().telling(desk(everywhere));
    cycle(pruner);
    assertThat(takenBack.size()).isEqualTo(100);
    cycle(pruner);
    assertThat(takenBack.size()).as("the others at the next look").isGreaterThan(100);
  }

  @Test
  void aMessengerThatFallsOverTriesAgain() {
    List<Integer> falls = new ArrayList<>(List.of(1, 2));
    channel =
        (to, message) -> {
          if (message.workload().equals(WORKLOAD) && !falls.isEmpty()) {
            falls.removeFirst();
            throw new IllegalStateException("a defect, wanted by this test");
          }
          return new Delivery.Confirmed(workshop.now(), "ok");
        };
    Pruner pruner = workshop.pruner().telling(desk(new Shaky()));
    for (int i = 0; i < 4; i++) {
      cycle(pruner);
    }
    assertThat(mine()).hasSize(3);
    assertThat(standing().flatMap(Notice::delivered)).isPresent();
  }

  @Test
  void whatArrivedIsNotSentAgainThoughItCouldNotBeWrittenDown() {
    forbidden = (workload, notice) -> notice.flatMap(Notice::delivered).isPresent();
    Pruner pruner = workshop.pruner().telling(desk(new Shaky()));
    Instant told = workshop.now();
    cycle(pruner);
    for (int i = 0; i < 3; i++) {
      workshop.pass(Duration.ofMinutes(15));
      assertThat(reason(cycle(pruner))).contains(RefusalReason.NOTICE_UNDELIVERED);
    }
    assertThat(mine()).hasSize(1);

    forbidden = (workload, notice) -> false;
    cycle(pruner);
    assertThat(standing().flatMap(Notice::delivered)).as("when it arrived").contains(told);
    assertThat(mine()).hasSize(1);
  }

  @Test
  void aLookThatLagsBehindMakesNoSecondNotice() {
    List<Runnable> late = new ArrayList<>();
    NoticeBook lagging =
        new NoticeBook() {
          @Override
          public synchronized boolean write(ObjectId workload, Optional<Notice> notice) {
            late.add(() -> new Shaky().write(workload, notice));
            return true;
          }

          @Override
          public Optional<Notice> of(ObjectId workload) {
            return Optional.empty();
          }
        };
    Pruner pruner = workshop.pruner().telling(desk(lagging));
    for (int i = 0; i < 3; i++) {
      assertThat(reason(cycle(pruner))).contains(RefusalReason.NOTICE_UNDELIVERED);
    }
    assertThat(mine()).hasSize(1);
    late.forEach(Runnable::run);
    late.clear();
    assertThat(reason(cycle(pruner))).contains(RefusalReason.NOTICE_RUNNING);

    mark(Annotations.EXEMPT, Optional.of("a demo"));
    cycle(pruner);
    int withdrawn = late.size();
    cycle(pruner);
    assertThat(late).as("taken back once").hasSize(withdrawn);
  }

  @Test
  void aConfirmationThatComesAfterTheNoticeWasTakenBackCountsForNothing() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    channel =
        (to, message) -> {
          if (message.workload().equals(WORKLOAD)) {
            try {
              answered.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            done.countDown();
          }
          return new Delivery.Confirmed(workshop.now(), "ok");
        };
    Pruner pruner = workshop.pruner().telling(desk(new Shaky()));
    pruner.cycle();
    await().until(() -> mine().size() == 1);
    mark(Annotations.EXEMPT, Optional.of("a demo"));
    workshop.pass(MINUTE);
    pruner.cycle();
    assertThat(standing()).isEmpty();
    mark(Annotations.EXEMPT, Optional.empty());
    answered.countDown();
    done.await();
    desk.orElseThrow().drain(Duration.ofSeconds(10));
    assertThat(standing()).isEmpty();
  }

  @Test
  void whatCouldNotBeTakenBackIsNotPausedOnTheOldNotice() {
    Pruner pruner = workshop.pruner().telling(desk(new Shaky()));
    cycle(pruner);
    forbidden = (workload, notice) -> notice.isEmpty();
    mark(Annotations.EXEMPT, Optional.of("a demo"));
    cycle(pruner);
    mark(Annotations.EXEMPT, Optional.empty());
    workshop.pass(PERIOD);
    for (int i = 0; i < 3; i++) {
      assertThat(cycle(pruner).deeds())
          .filteredOn(deed -> deed.workload().toString().equals(WORKLOAD))
          .as("told before it was exempt")
          .isEmpty();
    }
    forbidden = (workload, notice) -> false;
    cycle(pruner);
    cycle(pruner);
    cycle(pruner);
    assertThat(mine()).as("told anew").hasSize(2);
    workshop.pass(PERIOD);
    cycle(pruner);
    assertThat(cycle(pruner).deeds())
        .filteredOn(deed -> deed.verb() == Deed.Verb.PAUSE && deed.done())
        .extracting(deed -> deed.workload().toString())
        .contains(WORKLOAD);
  }

  @Test
  void whatIsKeptWhileTheMetricsAreAwayIsToldAnew() {
    Pruner pruner = workshop.pruner().telling(desk(new Shaky()));
    cycle(pruner);
    assertThat(standing()).isPresent();
    mark(Annotations.KEEP_UNTIL, Optional.of(workshop.now().plus(PERIOD).toString()));
    workshop.metricsAreAway(true);
    cycle(pruner);
    assertThat(standing()).isEmpty();
  }
}
