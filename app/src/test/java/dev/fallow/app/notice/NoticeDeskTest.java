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
import dev.fallow.core.notice.RetrySchedule;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.RefusalReason;
import dev.fallow.core.savings.PriceBook;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Owners are told before anything is paused: on the simulated cluster, whose time can be set. */
class NoticeDeskTest {

  private static final Duration PERIOD = Duration.ofMinutes(5);
  private static final String WORKLOAD = "Deployment/nlp/summarizer";

  private final SimWorkshop workshop = new SimWorkshop(7);
  private final List<Message> sent = new CopyOnWriteArrayList<>();
  private final AtomicInteger under = new AtomicInteger();
  private BiFunction<Address, Message, Delivery> answer =
      (to, message) -> new Delivery.Confirmed(workshop.now(), "ok");

  private NoticeDesk desk() {
    return desk(namespace -> List.of());
  }

  private NoticeDesk desk(Function<String, List<Address>> owners) {
    return desk(owners, PERIOD);
  }

  private NoticeDesk desk(Function<String, List<Address>> owners, Duration period) {
    Channel channel =
        (to, message) -> {
          under.incrementAndGet();
          try {
            sent.add(message);
            return answer.apply(to, message);
          } finally {
            under.decrementAndGet();
          }
        };
    return new NoticeDesk(
        channel,
        NoticeBook.onTheWorkloads(workshop.actuator()),
        new NoticeDesk.Office(
            List.of(new Address(Address.SLACK, "#gpus")),
            owners,
            "test",
            "https://fallow.example.com/",
            false,
            period,
            new RetrySchedule(Duration.ofSeconds(10), Duration.ofMinutes(15)),
            PriceBook.standard()),
        workshop::now,
        NoticeSigns.NONE);
  }

  private void settle() {
    await().until(() -> under.get() == 0);
  }

  /** One cycle, and whatever it sends on its way. */
  private Pruner.Report cycle(Pruner pruner, NoticeDesk desk) {
    Pruner.Report report = pruner.cycle();
    await().until(desk::isQuiet);
    settle();
    return report;
  }

  private static Optional<RefusalReason> reason(Pruner.Report report) {
    return report.inspection().decisions().stream()
        .filter(one -> one.assessment().workload().root().toString().equals(WORKLOAD))
        .findFirst()
        .flatMap(Decision::refusal)
        .map(refusal -> refusal.reason());
  }

  private static boolean paused(Pruner.Report report) {
    return report.deeds().stream()
        .anyMatch(deed ->
            deed.verb() == Deed.Verb.PAUSE
                && deed.done()
                && deed.workload().toString().equals(WORKLOAD));
  }

  @Test
  void whoseANamespaceIsIsToldWhereNobodyIsNamed() {
    List<Address> told = new CopyOnWriteArrayList<>();
    answer =
        (to, message) -> {
          told.add(to);
          return new Delivery.Confirmed(workshop.now(), "ok");
        };
    Address alice = new Address(Address.MAIL, "alice@example.com");
    try (NoticeDesk desk =
        desk(namespace -> namespace.equals("nlp") ? List.of(alice) : List.of())) {
      cycle(workshop.pruner().telling(desk), desk);
      assertThat(told).contains(alice);
    }
  }

  @Test
  void theOwnerIsToldAndThenGivenTime() {
    try (NoticeDesk desk = desk()) {
      Pruner pruner = workshop.pruner().telling(desk);
      assertThat(reason(cycle(pruner, desk))).contains(RefusalReason.NOTICE_UNDELIVERED);
      Instant told = workshop.now();
      workshop.pass(Duration.ofMinutes(1));
      assertThat(reason(cycle(pruner, desk))).contains(RefusalReason.NOTICE_RUNNING);
      workshop.pass(PERIOD);
      cycle(pruner, desk);
      workshop.pass(Duration.ofMinutes(1));
      assertThat(paused(cycle(pruner, desk))).isTrue();
      assertThat(sent)
          .filteredOn(message -> message.workload().equals(WORKLOAD))
          .hasSize(1)
          .allSatisfy(message -> {
            assertThat(message.kind()).isEqualTo(Message.Kind.IDLE);
            assertThat(message.pausesAt()).contains(told.plus(PERIOD));
            assertThat(message.link().orElseThrow().url())
                .isEqualTo("https://fallow.example.com/workloads/nlp/Deployment/summarizer");
          });
    }
  }

  @Test
  void aChannelThatFailsHoldsThePauseAndIsAskedAgainWithTheSameId() {
    answer = (to, message) -> new Delivery.Failed("500", Optional.empty());
    try (NoticeDesk desk = desk()) {
      Pruner pruner = workshop.pruner().telling(desk);
      for (int i = 0; i < 20; i++) {
        assertThat(paused(cycle(pruner, desk))).isFalse();
        workshop.pass(Duration.ofMinutes(2));
      }
    }
    List<Message> mine = sent.stream().filter(one -> one.workload().equals(WORKLOAD)).toList();
    assertThat(mine).hasSizeGreaterThan(2);
    assertThat(mine.stream().map(Message::id).distinct()).hasSize(1);
  }

  private List<String> ids(Message.Kind kind) {
    return sent.stream()
        .filter(one -> one.workload().equals(WORKLOAD) && one.kind() == kind)
        .map(Message::id)
        .distinct()
        .toList();
  }

  @Test
  void aPeriodLongerThanEvidenceReachesBackEndsInAPause() {
    boolean paused = false;
    try (NoticeDesk desk = desk(namespace -> List.of(), Duration.ofHours(4))) {
      Pruner pruner = workshop.pruner().telling(desk);
      for (int i = 0; i < 27; i++) {
        boolean now = paused(cycle(pruner, desk));
        assertThat(now && i < 24).as("paused after %d times 10 minutes", i).isFalse();
        paused |= now;
        workshop.pass(Duration.ofMinutes(10));
      }
    }
    assertThat(paused).isTrue();
    assertThat(ids(Message.Kind.IDLE)).hasSize(1);
    assertThat(ids(Message.Kind.REMINDER)).hasSize(1);
  }

  @Test
  void anOutageLongerThanEvidenceReachesBackRepeatsTheSameMessage() {
    answer = (to, message) -> new Delivery.Failed("500", Optional.empty());
    try (NoticeDesk desk = desk()) {
      Pruner pruner = workshop.pruner().telling(desk);
      for (int i = 0; i < 24; i++) {
        assertThat(paused(cycle(pruner, desk))).isFalse();
        workshop.pass(Duration.ofMinutes(10));
      }
    }
    assertThat(ids(Message.Kind.IDLE)).hasSize(1);
  }

  @Test
  void afterTimeThatNobodyHasSeenTheOwnerIsToldAnew() {
    try (NoticeDesk desk = desk()) {
      cycle(workshop.pruner().telling(desk), desk);
    }
    workshop.pass(Duration.ofHours(5));
    try (NoticeDesk desk = desk()) {
      Pruner pruner = workshop.pruner().telling(desk);
      assertThat(reason(cycle(pruner, desk))).contains(RefusalReason.NOTICE_UNDELIVERED);
      workshop.pass(Duration.ofMinutes(1));
      assertThat(reason(cycle(pruner, desk))).contains(RefusalReason.NOTICE_RUNNING);
    }
    assertThat(ids(Message.Kind.IDLE)).hasSize(2);
  }

  @Test
  void whatWasExemptMeanwhileIsToldAnew() {
    ObjectId workload = workshop.id(WORKLOAD);
    try (NoticeDesk desk = desk()) {
      Pruner pruner = workshop.pruner().telling(desk);
      cycle(pruner, desk);
      workshop.actuator().note(workload, Map.of(Annotations.EXEMPT, Optional.of("a demo")));
      workshop.pass(Duration.ofMinutes(1));
      assertThat(reason(cycle(pruner, desk))).contains(RefusalReason.EXEMPT);
      workshop.actuator().note(workload, Map.of(Annotations.EXEMPT, Optional.empty()));
      workshop.pass(PERIOD.multipliedBy(2));
      assertThat(reason(cycle(pruner, desk))).contains(RefusalReason.NOTICE_UNDELIVERED);
    }
    assertThat(ids(Message.Kind.IDLE)).hasSize(2);
  }

  @Test
  void anotherInstanceGoesOnWithTheSameMessage() {
    answer = (to, message) -> new Delivery.Failed("killed", Optional.empty());
    try (NoticeDesk first = desk()) {
      cycle(workshop.pruner().telling(first), first);
    }
    answer = (to, message) -> new Delivery.Confirmed(workshop.now(), "ok");
    workshop.pass(Duration.ofMinutes(1));
    try (NoticeDesk second = desk()) {
      cycle(workshop.pruner().telling(second), second);
    }
    assertThat(
            sent.stream()
                .filter(one -> one.workload().equals(WORKLOAD))
                .map(Message::id)
                .distinct())
        .hasSize(1);
    assertThat(workshop.annotation(WORKLOAD, Annotations.NOTICE))
        .hasValueSatisfying(text -> assertThat(text.split(" ")).hasSize(3));
  }
}
