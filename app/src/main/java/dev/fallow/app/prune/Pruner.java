package dev.fallow.app.prune;

import dev.fallow.app.Gathering;
import dev.fallow.app.Inspection;
import dev.fallow.app.notice.NoticeDesk;
import dev.fallow.app.report.PriceFile;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ClusterReader;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.UsageSource;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.PruneMemory;
import dev.fallow.core.prune.PrunePlanner;
import dev.fallow.core.prune.PrunePolicy;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import dev.fallow.core.prune.Step;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.core.savings.WorkloadCost;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Looks, decides, announces, looks again, and pauses what both looks agree on. In a daemon the
 * second look is the next cycle's; a single run takes it at once, on newly read evidence.
 */
public final class Pruner {

  /** After so many in a cycle the API server is left in peace until the next. */
  private static final int MOST_FAILURES = 3;

  private final ClusterReader reader;
  private final Gathering gathering;
  private final Actuator actuator;
  private final Journal journal;
  private final Settings settings;
  private final InstantSource clock;
  private final Leadership leadership;
  private final Step.Observer steps;
  private final PriceBook prices;
  private final Map<String, Intent> announced = new HashMap<>();
  private final Rests rests = new Rests();
  private Optional<NoticeDesk> notices = Optional.empty();

  /** Whether this process may act, and under which epoch. */
  public interface Leadership {
    boolean leads();

    String epoch();

    /** There is nobody else: a single run, or a cluster of one's own. */
    Leadership ALONE =
        new Leadership() {
          @Override
          public boolean leads() {
            return true;
          }

          @Override
          public String epoch() {
            return "once-" + ProcessHandle.current().pid();
          }
        };
  }

  public Pruner(
      ClusterReader reader,
      UsageSource usage,
      Actuator actuator,
      Journal journal,
      Settings settings,
      InstantSource clock,
      Leadership leadership,
      Step.Observer steps) {
    this.reader = reader;
    this.gathering = new Gathering(reader, usage, settings.idleRule());
    this.actuator = actuator;
    this.journal = journal;
    this.settings = settings;
    this.clock = clock;
    this.leadership = leadership;
    this.steps = steps;
    this.prices = PriceFile.of(settings);
  }

  /** Lets owners be told before anything is paused. */
  public Pruner telling(NoticeDesk desk) {
    this.notices = Optional.of(desk);
    return this;
  }

  private PrunePolicy policy() {
    PrunePolicy policy = settings.boundedPolicy().pricedBy(prices);
    return notices.map(desk -> policy.telling(desk.owed())).orElse(policy);
  }

  /** What was seen last, and what was done. */
  public record Report(Inspection inspection, List<Deed> deeds) {
    public Report {
      deeds = List.copyOf(deeds);
    }
  }

  /** Looks on, while another instance acts. */
  public Report observe() {
    return new Report(look().inspection(), List.of());
  }

  /** Looks and changes nothing; owners are told, with the mark that it is a rehearsal. */
  public Report rehearse() {
    Inspection inspection = look().inspection();
    notices.ifPresent(desk -> desk.after(inspection));
    return new Report(inspection, List.of());
  }

  /** One cycle of a daemon: pauses what an earlier cycle announced, and announces anew. */
  public Report cycle() {
    Look look = look();
    repair(look);
    if (leadership.leads()) {
      notices.ifPresent(desk -> desk.after(look.inspection()));
    }
    List<Deed> deeds = new ArrayList<>();
    List<Decision> toPause =
        notices.map(desk -> desk.meant(look.toPause())).orElseGet(look::toPause);
    withdrawAllBut(toPause);
    rests.cycle();
    for (Decision decision : toPause) {
      if (!leadership.leads() || !look.isFresh()) {
        break;
      }
      if (deeds.stream().filter(Pruner::failed).count() >= MOST_FAILURES) {
        break;
      }
      Intent intent = announced.get(uidOf(decision));
      Deed deed = intent == null ? announce(decision) : pause(decision, intent, look);
      rests.after(uidOf(decision), deed.outcome());
      deeds.add(deed);
    }
    return new Report(look.inspection(), deeds);
  }

  /** Both looks in one run. */
  public Report runOnce() {
    Look first = look();
    repair(first);
    notices.ifPresent(desk -> desk.after(first.inspection()));
    List<Deed> deeds = new ArrayList<>();
    List<Decision> toPause = announceAll(first, deeds);
    if (announced.isEmpty()) {
      return new Report(first.inspection(), deeds);
    }
    steps.reached(Step.BEFORE_SECOND_LOOK, "");
    Look second = look();
    steps.reached(Step.AFTER_SECOND_LOOK, "");
    for (Decision decision : toPause) {
      Intent intent = announced.get(uidOf(decision));
      if (intent != null) {
        deeds.add(confirm(decision, intent, second));
      }
    }
    return new Report(
        second.inspection(), new StopWatch(reader, actuator, journal).confirmed(deeds));
  }

  /** What cannot be changed makes room for others, until there is nothing new to try. */
  private List<Decision> announceAll(Look first, List<Deed> deeds) {
    List<Decision> tried = new ArrayList<>();
    Set<String> known = new HashSet<>();
    Look look = first;
    boolean refused;
    do {
      refused = false;
      for (Decision decision : look.toPause()) {
        if (known.add(uidOf(decision))) {
          Deed deed = announce(decision);
          tried.add(decision);
          rests.after(uidOf(decision), deed.outcome());
          if (!deed.done()) {
            deeds.add(deed);
            refused |= rests.has(uidOf(decision));
          }
        }
      }
      look = refused ? again(look) : look;
    } while (refused && deeds.stream().filter(Pruner::failed).count() < MOST_FAILURES);
    return tried;
  }

  /** The same evidence, with what could not be changed since. */
  private Look again(Look look) {
    Inspection seen = look.inspection();
    return new Look(
        Inspection.of(
            new Gathering.Gathered(seen.cluster(), seen.usage()),
            seen.at(),
            settings,
            policy(),
            remembered(seen.at())),
        look.nanos());
  }

  private PruneMemory remembered(Instant at) {
    return journal.pausesSince(at.minus(Duration.ofHours(1))).refusing(rests.refusals());
  }

  private Deed confirm(Decision decision, Intent intent, Look second) {
    Optional<Decision> again =
        second.of(uidOf(decision)).filter(second.toPause()::contains).filter(d -> second.isFresh());
    if (again.isPresent()) {
      return pause(again.get(), intent, second);
    }
    String now = second.of(uidOf(decision)).map(Decision::sentence).orElse("it is gone");
    announced.remove(uidOf(decision));
    actuator.withdraw(rootOf(decision));
    return written(
        decision,
        Deed.Verb.PAUSE,
        intent,
        new Outcome.Refused(new Refusal(RefusalReason.CHANGED_MEANWHILE, now)));
  }

  private Look look() {
    long nanos = System.nanoTime();
    Instant at = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    PrunePolicy policy = policy();
    Inspection inspection = Inspection.of(gathering.upTo(at), at, settings, policy, remembered(at));
    return new Look(inspection, nanos);
  }

  private void repair(Look look) {
    if (leadership.leads()) {
      steps.reached(Step.BEFORE_REPAIR, "");
      new Repair(
              actuator,
              journal,
              settings.idleRule(),
              settings.of(Catalogue.NAMESPACE_PATTERN).orElse(any -> true))
          .after(look, announced.values().stream().map(Intent::id).toList());
      new DoubtKeeper(actuator).after(look, policy());
      steps.reached(Step.AFTER_REPAIR, "");
    }
  }

  /** What is not to be paused any more is told so. */
  private void withdrawAllBut(List<Decision> toPause) {
    Set<String> standing = new HashSet<>();
    toPause.forEach(decision -> standing.add(uidOf(decision)));
    announced.keySet().retainAll(standing);
  }

  private Deed announce(Decision decision) {
    Instant now = clock.instant();
    Intent intent = new Intent(ActionId.of(uidOf(decision), now), leadership.epoch(), now);
    Outcome outcome = actuator.announce(decision.assessment().workload(), intent);
    if (outcome instanceof Outcome.Done) {
      announced.put(uidOf(decision), intent);
    }
    return deed(decision, Deed.Verb.ANNOUNCE, intent, outcome);
  }

  private Deed pause(Decision decision, Intent intent, Look look) {
    Workload workload = decision.assessment().workload();
    Outcome outcome =
        actuator.pause(
            workload,
            intent,
            PauseNote.of(
                "fallow",
                "Paused by Fallow: " + decision.assessment().verdict().sentence() + ".",
                decision.assessment(),
                look.partsOf(decision)),
            root -> lastWord(root, decision, intent, look));
    announced.remove(uidOf(decision));
    if (outcome instanceof Outcome.Refused) {
      actuator.withdraw(rootOf(decision));
    }
    return written(decision, Deed.Verb.PAUSE, intent, outcome);
  }

  /** The ledger may take its time, so whether the look is still fresh is asked after it. */
  private Optional<Refusal> lastWord(
      OwnerObject root, Decision decision, Intent intent, Look look) {
    String name = rootOf(decision).namespace();
    Optional<NamespaceFacts> seen = look.namespace(name);
    Optional<NamespaceFacts> namespace = reader.namespaceNow(name);
    Optional<Refusal> refusal =
        windowChanged(seen, namespace)
            .or(() ->
                PrunePlanner.lastWord(
                    decision.assessment(),
                    root,
                    namespace.or(() -> seen),
                    policy(),
                    clock.instant()))
            .or(() -> writtenSince(root, decision));
    if (refusal.isPresent()) {
      return refusal;
    }
    journal.begin(deed(decision, Deed.Verb.PAUSE, intent, new Outcome.Done("begun")));
    return look.isFresh()
        ? Optional.empty()
        : Optional.of(
            new Refusal(RefusalReason.CHANGED_MEANWHILE, "what was seen of it has grown old"));
  }

  /** Whether it is still what was judged, whatever was written. */
  private static Optional<Refusal> writtenSince(OwnerObject now, Decision decision) {
    return decision
        .assessment()
        .workload()
        .rootObject()
        .filter(now::isWrittenSince)
        .map(seen ->
            new Refusal(RefusalReason.CHANGED_MEANWHILE, "it was written since it was looked at"));
  }

  private static Optional<Refusal> windowChanged(
      Optional<NamespaceFacts> seen, Optional<NamespaceFacts> now) {
    return now.isEmpty() || window(now).equals(window(seen))
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                RefusalReason.CHANGED_MEANWHILE,
                "the " + Annotations.IDLE_WINDOW + " of its namespace was changed"));
  }

  private static String window(Optional<NamespaceFacts> namespace) {
    return namespace
        .map(one -> one.annotations().getOrDefault(Annotations.IDLE_WINDOW, ""))
        .orElse("");
  }

  private Deed written(Decision decision, Deed.Verb verb, Intent intent, Outcome outcome) {
    Deed deed = deed(decision, verb, intent, outcome);
    steps.reached(Step.BEFORE_RECORD, rootOf(decision).kind());
    journal.record(deed);
    return deed;
  }

  private Deed deed(Decision decision, Deed.Verb verb, Intent intent, Outcome outcome) {
    return new Deed(
        verb,
        intent.id(),
        clock.instant(),
        rootOf(decision),
        decision.assessment().workload().gpus(),
        WorkloadCost.of(decision.assessment(), prices).perHour(),
        decision.sentence(),
        Deed.OURSELVES,
        outcome);
  }

  /** Surely, and not for want of an answer. */
  private static boolean failed(Deed deed) {
    return deed.outcome() instanceof Outcome.Failed failed && !failed.unknown();
  }

  private static ObjectId rootOf(Decision decision) {
    return decision.assessment().workload().root();
  }

  private static String uidOf(Decision decision) {
    return rootOf(decision).uid();
  }
}
