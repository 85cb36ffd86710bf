package dev.fallow.app.notice;

import dev.fallow.app.Inspection;
import dev.fallow.app.prune.ActionId;
import dev.fallow.app.prune.Deed;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.Verdict;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Channel;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import dev.fallow.core.notice.Notice;
import dev.fallow.core.notice.RetrySchedule;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.NoticeFate;
import dev.fallow.core.prune.NoticeGiven;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import dev.fallow.core.savings.PriceBook;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Tells owners before their workloads are paused. That somebody is being told stands on the
 * workload before the first attempt; that it has arrived, after the first confirmed one. Telling
 * never holds up a cycle: each message is on a thread of its own.
 */
public final class NoticeDesk implements AutoCloseable {

  private static final int MOST_A_CYCLE = 100;
  private static final int MOST_AT_ONCE = 16;
  private static final Duration SHORTEST_FOR_REMINDER = Duration.ofMinutes(30);

  private final Channel channel;
  private final Recipients recipients;
  private final NoticeBook book;
  private final Letters letters;
  private final Duration period;
  private final InstantSource clock;
  private final RetrySchedule retries;
  private final NoticeSigns signs;
  private final Map<String, Attempt> attempts = new ConcurrentHashMap<>();
  private final Map<String, List<Address>> lastKnown = new ConcurrentHashMap<>();
  private volatile Map<String, NamespaceFacts> namespaces = Map.of();
  private final Map<String, Boolean> reminded = new ConcurrentHashMap<>();
  private final Semaphore lines = new Semaphore(MOST_AT_ONCE);
  private final ExecutorService messengers = Executors.newVirtualThreadPerTaskExecutor();

  /** How often a message was tried, and when it may be tried again. */
  private record Attempt(int count, Instant next, boolean running) {}

  /**
   * @param byDefault who is told of workloads for which nobody else is named
   * @param owners whose a namespace is, as far as that is known
   * @param cluster its name for people; empty if it has none
   * @param dashboard where the page is reached from outside; empty if nowhere
   * @param rehearsal whether nothing is paused in truth
   * @param prices what GPUs cost
   */
  public record Office(
      List<Address> byDefault,
      Function<String, List<Address>> owners,
      String cluster,
      String dashboard,
      boolean rehearsal,
      Duration period,
      RetrySchedule retries,
      PriceBook prices) {}

  public NoticeDesk(
      Channel channel, NoticeBook book, Office office, InstantSource clock, NoticeSigns signs) {
    this.channel = channel;
    this.book = book;
    this.recipients = new Recipients(List.copyOf(office.byDefault()), office.owners());
    this.letters =
        new Letters(office.cluster(), office.dashboard(), office.rehearsal(), office.prices());
    this.period = office.period();
    this.retries = office.retries();
    this.clock = clock;
    this.signs = signs;
  }

  public Channel channel() {
    return channel;
  }

  /** Who is told of what nobody else is named for. */
  public List<Address> byDefault() {
    return recipients.byDefault();
  }

  /** What owners are owed before a pause. */
  public NoticeGiven owed() {
    return new NoticeGiven(period, book::of);
  }

  /** When a workload is paused if nobody objects, while its owner has time to. */
  public Optional<Instant> pausesAt(Decision decision) {
    return decision
        .refusal()
        .filter(refusal -> refusal.reason() == RefusalReason.NOTICE_RUNNING)
        .flatMap(refusal -> notice(decision))
        .flatMap(notice -> notice.endsAfter(period));
  }

  /** Tells whoever has to be told after a look, and takes back what has come to nothing. */
  public void after(Inspection inspection) {
    Map<String, NamespaceFacts> seen = new HashMap<>();
    inspection.cluster().namespaces().forEach(one -> seen.put(one.name(), one));
    namespaces = seen;
    forgetWhatIsGone(inspection);
    int begun = 0;
    int looked = 0;
    for (Decision decision : inspection.decisions()) {
      Optional<RefusalReason> reason = decision.refusal().map(Refusal::reason);
      boolean waits = reason.filter(RefusalReason.NOTICE_UNDELIVERED::equals).isPresent();
      boolean runs = reason.filter(RefusalReason.NOTICE_RUNNING::equals).isPresent();
      if (waits || runs) {
        Recipients.Found found =
            recipients.of(
                decision.assessment().workload(),
                Optional.ofNullable(seen.get(decision.assessment().workload().namespace())));
        found.wrong().forEach(signs::unreadable);
        lastKnown.put(rootOf(decision).uid(), found.addresses());
        if (waits && begun < MOST_A_CYCLE && tell(decision, found.addresses(), inspection.at())) {
          begun++;
        }
        if (runs) {
          remind(decision, found.addresses(), inspection.at());
        }
      } else {
        withdraw(decision);
      }
      boolean meant =
          decision.action() == Action.PAUSE
              || reason.map(NoticeFate::of).filter(NoticeFate.LASTS::equals).isPresent();
      if (meant && looked < MOST_A_CYCLE && seen(decision, inspection.at())) {
        looked++;
      }
    }
  }

  /** Whether it was written down that what the owner was told of lasts. */
  private boolean seen(Decision decision, Instant at) {
    Optional<Notice> told = standing(decision).filter(notice -> notice.delivered().isPresent());
    Optional<Notice> now = told.map(notice -> notice.seenAt(at));
    return !now.equals(told) && book.write(rootOf(decision), now);
  }

  private void forgetWhatIsGone(Inspection inspection) {
    Set<String> notices = new HashSet<>();
    Set<String> workloads = new HashSet<>();
    for (Decision decision : inspection.decisions()) {
      workloads.add(rootOf(decision).uid());
      notice(decision).ifPresent(notice -> notices.add(notice.id()));
    }
    inspection.cluster().marked().forEach(owner -> workloads.add(owner.workload().uid()));
    attempts.keySet().retainAll(notices);
    reminded.keySet().retainAll(notices);
    lastKnown.keySet().retainAll(workloads);
    for (OwnerObject owner : inspection.cluster().marked()) {
      lastKnown.computeIfAbsent(owner.workload().uid(), uid -> written(owner));
    }
  }

  private List<Address> written(OwnerObject owner) {
    String namespace = owner.id().namespace();
    return recipients
        .of(
            namespace,
            Stream.of(owner.annotations()),
            Optional.ofNullable(namespaces.get(namespace)))
        .addresses();
  }

  /** Whom it concerns what is done to a workload. */
  private List<Address> ownersOf(ObjectId workload) {
    List<Address> known = lastKnown.get(workload.uid());
    return known != null
        ? known
        : recipients
            .of(
                workload.namespace(),
                Stream.of(),
                Optional.ofNullable(namespaces.get(workload.namespace())))
            .addresses();
  }

  /** Tells of what the ledger says was done. */
  public DeedNews news(Ledger ledger) {
    return new DeedNews(ledger, letters, this::ownersOf, channel, signs, messengers);
  }

  /** Whether a message was sent on its way. */
  private boolean tell(Decision decision, List<Address> addresses, Instant at) {
    ObjectId root = rootOf(decision);
    if (addresses.isEmpty()) {
      signs.nobody(root);
      return false;
    }
    Instant now = clock.instant();
    Notice notice =
        standing(decision)
            .map(one -> one.seenAt(at))
            .orElse(
                new Notice(
                    "n-" + ActionId.of(root.uid(), now),
                    now.truncatedTo(ChronoUnit.MILLIS),
                    Optional.empty()));
    Attempt last = attempts.get(notice.id());
    if (notice.delivered().isPresent()
        || (last != null && (last.running() || now.isBefore(last.next())))) {
      return false;
    }
    boolean known = notice(decision).filter(notice::equals).isPresent();
    if (!known && !book.write(root, Optional.of(notice))) {
      return false;
    }
    Message message = letters.idle(decision, notice, at.plus(period), at);
    int count = last == null ? 1 : last.count() + 1;
    attempts.put(notice.id(), new Attempt(count, now, true));
    messengers.execute(() -> attempt(root, notice, message, addresses, count));
    return true;
  }

  private void attempt(
      ObjectId root, Notice notice, Message message, List<Address> addresses, int count) {
    Delivery delivery = deliver(addresses, message);
    signs.delivery(addresses, message, delivery);
    if (delivery instanceof Delivery.Confirmed) {
      Notice arrived = notice.delivered(clock.instant().truncatedTo(ChronoUnit.MILLIS));
      if (book.write(root, Optional.of(arrived))) {
        attempts.remove(notice.id());
        return;
      }
    }
    Optional<Duration> asked =
        delivery instanceof Delivery.Failed failed ? failed.retryAfter() : Optional.empty();
    attempts.put(
        notice.id(),
        new Attempt(count, clock.instant().plus(retries.delay(notice.id(), count, asked)), false));
  }

  /** All are tried; one who has it is enough. */
  private Delivery deliver(List<Address> addresses, Message message) {
    try {
      lines.acquire();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return new Delivery.Failed("the program is ending", Optional.empty());
    }
    try {
      Delivery best = new Delivery.Refused("nobody is named");
      for (Address address : addresses) {
        Delivery one = channel.deliver(address, message);
        boolean better =
            one instanceof Delivery.Confirmed
                || (one instanceof Delivery.Failed && best instanceof Delivery.Refused);
        best = better || best instanceof Delivery.Refused ? one : best;
      }
      return best;
    } finally {
      lines.release();
    }
  }

  private void remind(Decision decision, List<Address> addresses, Instant at) {
    Optional<Notice> notice = notice(decision);
    Optional<Instant> end = notice.flatMap(one -> one.endsAfter(period));
    boolean due =
        period.compareTo(SHORTEST_FOR_REMINDER) >= 0
            && end.isPresent()
            && !at.isBefore(end.get().minus(period.dividedBy(2)));
    if (due && reminded.putIfAbsent(notice.orElseThrow().id(), true) == null) {
      send(addresses, letters.reminder(decision, notice.get(), end.get(), at));
    }
  }

  /** Whoever is at work again, kept or not to be paused is told anew another time. */
  private void withdraw(Decision decision) {
    boolean over =
        decision.assessment().verdict() instanceof Verdict.Busy
            || decision
                .refusal()
                .map(refusal -> NoticeFate.of(refusal.reason()))
                .filter(NoticeFate.IS_OVER::equals)
                .isPresent();
    Optional<Notice> notice = over ? notice(decision) : Optional.empty();
    if (notice.isEmpty() || !book.write(rootOf(decision), Optional.empty())) {
      return;
    }
    attempts.remove(notice.get().id());
    reminded.remove(notice.get().id());
    List<Address> told = lastKnown.remove(rootOf(decision).uid());
    if (notice.get().delivered().isPresent()
        && told != null
        && decision.assessment().verdict() instanceof Verdict.Busy) {
      send(told, letters.cancelled(rootOf(decision), notice.get()));
    }
  }

  /** Tells of what was done to a workload, at once and once, where no ledger remembers it. */
  public void tell(Deed deed) {
    if (deed.done()) {
      letters.of(deed).ifPresent(message -> send(ownersOf(deed.workload()), message));
    }
  }

  /** Once, with some more tries; nothing waits for it. */
  private void send(List<Address> addresses, Message message) {
    if (addresses.isEmpty()) {
      return;
    }
    messengers.execute(() -> signs.delivery(addresses, message, deliver(addresses, message)));
  }

  /** What the owner is being told of the stillness that lasts. */
  private Optional<Notice> standing(Decision decision) {
    Assessment assessment = decision.assessment();
    return notice(decision)
        .filter(one -> one.isAbout(assessment.lastActivity(), assessment.idleSince()));
  }

  private Optional<Notice> notice(Decision decision) {
    return decision
        .assessment()
        .workload()
        .rootObject()
        .map(OwnerObject::annotations)
        .flatMap(annotations -> Notice.parse(annotations.getOrDefault(Annotations.NOTICE, "")))
        .or(() -> book.of(rootOf(decision)));
  }

  private static ObjectId rootOf(Decision decision) {
    return decision.assessment().workload().root();
  }

  /** Whether no message that a pause waits for is on its way. */
  boolean isQuiet() {
    return attempts.values().stream().noneMatch(Attempt::running);
  }

  /** Waits until nothing is on its way any more, as a single run has to. */
  public void drain(Duration limit) {
    messengers.shutdown();
    try {
      boolean _ = messengers.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    messengers.shutdownNow();
  }
}
