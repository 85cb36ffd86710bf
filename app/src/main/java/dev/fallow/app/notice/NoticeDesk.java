package dev.fallow.app.notice;

import dev.fallow.app.Inspection;
import dev.fallow.app.prune.ActionId;
import dev.fallow.app.prune.Deed;
import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.UsageSource;
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
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Tells owners before their workloads are paused. That somebody is being told stands on the
 * workload before the first attempt; that it has arrived, after the first confirmed one. Telling
 * never holds up a cycle: each message is on a thread of its own.
 */
public final class NoticeDesk implements AutoCloseable {

  private static final int MOST_A_CYCLE = 100;

  /** After so many in a cycle the API server is left in peace until the next. */
  private static final int MOST_FAILURES = 3;

  private static final Duration SHORTEST_FOR_REMINDER = Duration.ofMinutes(30);

  private final Channel channel;
  private final List<Address> byDefault;
  private final KnownOwners owners;
  private final NoticeBook book;
  private final NoticeWrites writes;
  private final Letters letters;
  private final Duration period;
  private final InstantSource clock;
  private final RetrySchedule retries;
  private final NoticeSigns signs;
  private final Map<String, Telling> tellings = new ConcurrentHashMap<>();

  /** When something was last tried for a workload. */
  private final Map<String, Instant> tried = new ConcurrentHashMap<>();

  /** What was to be taken back and could not be. */
  private final Set<String> overdue = ConcurrentHashMap.newKeySet();

  private final Map<String, Boolean> reminded = new ConcurrentHashMap<>();
  private final Messengers messengers;

  /** What is written after one look: bounded, so that failures do not let the look grow old. */
  private final class Round {
    private final Instant at;
    private int told;
    private int looked;
    private int withdrawn;
    private int failed;

    Round(Instant at) {
      this.at = at;
    }

    /** Whether writing has worked; what there is no time left for has not. */
    boolean writes(ObjectId workload, Predicate<ObjectId> write) {
      if (failed >= MOST_FAILURES) {
        return false;
      }
      boolean done = write.test(workload);
      if (!done) {
        failed++;
        tried.put(workload.uid(), clock.instant());
      }
      return done;
    }
  }

  /**
   * @param byDefault who is told of workloads for which nobody else is named
   * @param owners whose a namespace is, as far as that is known
   * @param cluster its name for people; empty if it has none
   * @param dashboard where the page is reached from outside; empty if nowhere
   * @param rehearsal whether nothing is paused in truth
   * @param prices what GPUs cost
   * @param mailDomains where mail may go that somebody in a namespace asked for; empty for anywhere
   */
  public record Office(
      List<Address> byDefault,
      Function<String, List<Address>> owners,
      String cluster,
      String dashboard,
      boolean rehearsal,
      Duration period,
      RetrySchedule retries,
      PriceBook prices,
      List<String> mailDomains) {

    /** With mail to anywhere. */
    public Office(
        List<Address> byDefault,
        Function<String, List<Address>> owners,
        String cluster,
        String dashboard,
        boolean rehearsal,
        Duration period,
        RetrySchedule retries,
        PriceBook prices) {
      this(byDefault, owners, cluster, dashboard, rehearsal, period, retries, prices, List.of());
    }
  }

  public NoticeDesk(
      Channel channel, NoticeBook book, Office office, InstantSource clock, NoticeSigns signs) {
    this.channel = channel;
    this.book = book;
    this.writes = new NoticeWrites(book, clock);
    this.byDefault = List.copyOf(office.byDefault());
    this.owners =
        new KnownOwners(
            new Recipients(byDefault, office.owners(), List.copyOf(office.mailDomains())));
    this.messengers = new Messengers(channel, signs);
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
    return byDefault;
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
    owners.look(inspection.cluster());
    forgetWhatIsGone(inspection);
    Round round = new Round(inspection.at());
    for (Decision decision : inTurn(inspection.decisions())) {
      Optional<RefusalReason> reason = decision.refusal().map(Refusal::reason);
      boolean waits = reason.filter(RefusalReason.NOTICE_UNDELIVERED::equals).isPresent();
      boolean runs = reason.filter(RefusalReason.NOTICE_RUNNING::equals).isPresent();
      if (isOver(decision, inspection.at())) {
        withdraw(decision, round);
      } else if (waits || runs) {
        Recipients.Found found = owners.named(decision.assessment().workload());
        found.wrong().forEach(signs::unreadable);
        if (waits) {
          tell(decision, found.addresses(), round);
        } else {
          remind(decision, found.addresses(), inspection.at());
        }
      }
      boolean meant =
          decision.action() == Action.PAUSE
              || reason.map(NoticeFate::of).filter(NoticeFate.LASTS::equals).isPresent();
      if (meant) {
        seen(decision, round);
      }
    }
  }

  /** What can be written first, then what was never tried; what was tried last comes last. */
  private List<Decision> inTurn(List<Decision> decisions) {
    record Turn(Decision decision, int trouble, Instant tried) {}
    return decisions.stream()
        .map(decision ->
            new Turn(
                decision,
                writes.trouble(rootOf(decision)),
                tried.getOrDefault(rootOf(decision).uid(), Instant.MIN)))
        .sorted(Comparator.comparingInt(Turn::trouble).thenComparing(Turn::tried))
        .map(Turn::decision)
        .toList();
  }

  /** What may be paused of what a look says: a notice that is to be taken back counts no more. */
  public List<Decision> meant(List<Decision> toPause) {
    return toPause.stream()
        .filter(
            decision -> notice(decision).filter(notice -> overdue.contains(notice.id())).isEmpty())
        .toList();
  }

  /** Writes down, now and then, that what the owner was told of lasts. */
  private void seen(Decision decision, Round round) {
    Optional<Notice> told = standing(decision).filter(notice -> notice.delivered().isPresent());
    Optional<Notice> now = told.map(notice -> notice.seenAt(round.at));
    if (!now.equals(told) && round.looked < MOST_A_CYCLE) {
      round.looked++;
      boolean _ = round.writes(rootOf(decision), root -> writes.put(root, now.orElseThrow()));
    }
  }

  private void forgetWhatIsGone(Inspection inspection) {
    Set<String> notices = new HashSet<>();
    Set<String> workloads = new HashSet<>();
    for (Decision decision : inspection.decisions()) {
      workloads.add(rootOf(decision).uid());
      notice(decision).ifPresent(notice -> notices.add(notice.id()));
    }
    inspection.cluster().marked().forEach(owner -> workloads.add(owner.workload().uid()));
    writes.forgetWhatIsOld();
    tellings
        .entrySet()
        .removeIf(one -> !notices.contains(one.getKey()) && !one.getValue().isRunning());
    overdue.retainAll(notices);
    tried.keySet().retainAll(workloads);
    reminded.keySet().retainAll(notices);
    owners.retain(workloads, inspection.cluster().marked());
  }

  /** Tells of what the ledger says was done. */
  public DeedNews news(Ledger ledger) {
    return new DeedNews(ledger, letters, owners::of, channel, signs, messengers);
  }

  /** Sends a message on its way, if it is its time. */
  private void tell(Decision decision, List<Address> addresses, Round round) {
    ObjectId root = rootOf(decision);
    if (addresses.isEmpty()) {
      signs.nobody(root);
      return;
    }
    Instant now = clock.instant();
    Notice notice =
        standing(decision)
            .map(one -> one.seenAt(round.at))
            .orElse(
                new Notice(
                    "n-" + ActionId.of(root.uid(), now),
                    now.truncatedTo(ChronoUnit.MILLIS),
                    Optional.empty()));
    if (notice.delivered().isPresent() || round.told >= MOST_A_CYCLE) {
      return;
    }
    Telling telling = tellings.computeIfAbsent(notice.id(), id -> new Telling());
    Optional<Instant> confirmed = telling.confirmed();
    if (confirmed.isPresent()) {
      // Whoever has it is not told again: only the word of it has still to be written down.
      round.told++;
      boolean _ = round.writes(root, one -> writes.put(one, notice.delivered(confirmed.get())));
      return;
    }
    if (!telling.isDue(now)) {
      return;
    }
    round.told++;
    sayIfLostSightOf(decision);
    boolean known = notice(decision).filter(notice::equals).isPresent();
    if (known || round.writes(root, one -> writes.put(one, notice))) {
      tried.put(root.uid(), now);
      Message message = letters.idle(decision, notice, round.at.plus(period), round.at);
      telling.begins();
      messengers.execute(() -> attempt(root, notice, message, addresses, telling));
    }
  }

  /**
   * Who runs the program now and then, too seldom, would otherwise tell for ever and never pause.
   */
  private void sayIfLostSightOf(Decision decision) {
    Assessment assessment = decision.assessment();
    Duration window = assessment.rule().window();
    notice(decision)
        .filter(one -> one.isLostSightOf(assessment.lastActivity(), assessment.idleSince()))
        .flatMap(Notice::delivered)
        .ifPresent(told ->
            signs.lostSightOf(
                rootOf(decision),
                told,
                Notice.looksEvery(window.plus(UsageSource.lookback(window)))));
  }

  private void attempt(
      ObjectId root, Notice notice, Message message, List<Address> addresses, Telling telling) {
    Optional<Duration> asked = Optional.empty();
    try {
      Delivery delivery = messengers.deliver(addresses, message);
      if (delivery instanceof Delivery.Confirmed) {
        telling.confirmed(
            clock.instant().truncatedTo(ChronoUnit.MILLIS),
            at -> writes.put(root, notice.delivered(at)));
      }
      asked = delivery instanceof Delivery.Failed failed ? failed.retryAfter() : Optional.empty();
      signs.delivery(addresses, message, delivery);
    } finally {
      telling.ended(clock.instant().plus(retries.delay(notice.id(), telling.tries(), asked)));
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
      messengers.send(addresses, letters.reminder(decision, notice.get(), end.get(), at));
    }
  }

  /** Whoever is at work again, kept or not to be paused is told anew another time. */
  private boolean isOver(Decision decision, Instant at) {
    return decision.assessment().verdict() instanceof Verdict.Busy
        || isSpared(decision.assessment().workload(), at)
        || decision
            .refusal()
            .map(refusal -> NoticeFate.of(refusal.reason()))
            .filter(NoticeFate.IS_OVER::equals)
            .isPresent()
        || notice(decision).filter(notice -> overdue.contains(notice.id())).isPresent();
  }

  /** A person's wish counts also while evidence is missing, and no refusal tells of it then. */
  private boolean isSpared(Workload workload, Instant at) {
    Stream<Map<String, String>> ofNamespace =
        owners.namespace(workload.namespace()).stream().map(NamespaceFacts::annotations);
    Stream<Map<String, String>> own =
        Stream.concat(
            workload.chain().stream().map(OwnerObject::annotations),
            workload.pods().stream().map(GpuPod::annotations));
    return Keep.standing(workload, at).isPresent()
        || Stream.concat(ofNamespace, own)
            .anyMatch(annotations -> !annotations.getOrDefault(Annotations.EXEMPT, "").isEmpty());
  }

  private void withdraw(Decision decision, Round round) {
    Optional<Notice> notice = notice(decision);
    if (notice.isEmpty()) {
      return;
    }
    overdue.add(notice.get().id());
    if (round.withdrawn >= MOST_A_CYCLE) {
      return;
    }
    round.withdrawn++;
    Telling telling = tellings.computeIfAbsent(notice.get().id(), id -> new Telling());
    if (!telling.takenBack(
        () -> round.writes(rootOf(decision), root -> writes.takeOff(root, notice.get())))) {
      return;
    }
    overdue.remove(notice.get().id());
    tellings.remove(notice.get().id());
    reminded.remove(notice.get().id());
    List<Address> told = owners.forget(rootOf(decision));
    if (notice.get().delivered().isPresent()
        && decision.assessment().verdict() instanceof Verdict.Busy) {
      messengers.send(told, letters.cancelled(rootOf(decision), notice.get()));
    }
  }

  /** Tells of what was done to a workload, at once and once, where no ledger remembers it. */
  public void tell(Deed deed) {
    if (deed.done()) {
      letters.of(deed).ifPresent(message -> messengers.send(owners.of(deed.workload()), message));
    }
  }

  /** What the owner is being told of the stillness that lasts. */
  private Optional<Notice> standing(Decision decision) {
    Assessment assessment = decision.assessment();
    return notice(decision)
        .filter(one -> one.isAbout(assessment.lastActivity(), assessment.idleSince()));
  }

  private Optional<Notice> notice(Decision decision) {
    ObjectId root = rootOf(decision);
    return writes.latest(
        root,
        decision
            .assessment()
            .workload()
            .rootObject()
            .map(OwnerObject::annotations)
            .flatMap(annotations -> Notice.parse(annotations.getOrDefault(Annotations.NOTICE, "")))
            .or(() -> book.of(root)));
  }

  private static ObjectId rootOf(Decision decision) {
    return decision.assessment().workload().root();
  }

  /** Whether no message that a pause waits for is on its way. */
  boolean isQuiet() {
    return tellings.values().stream().noneMatch(Telling::isRunning);
  }

  /** Waits until nothing is on its way any more, as a single run has to. */
  public void drain(Duration limit) {
    messengers.drain(limit);
  }

  @Override
  public void close() {
    messengers.close();
  }
}
