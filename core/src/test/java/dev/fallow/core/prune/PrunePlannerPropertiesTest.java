package dev.fallow.core.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.Course;
import dev.fallow.core.idle.RandomFleet;
import dev.fallow.core.idle.Trace;
import dev.fallow.core.idle.Verdict;
import dev.fallow.core.savings.PriceBook;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What holds of every plan, tried on thousands of random fleets. A failure names its seed. */
class PrunePlannerPropertiesTest {

  private static final int TRIES = 10_000;
  private static final Instant AT = RandomFleet.AT;
  private static final ClusterState CLUSTER =
      new ClusterState(List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

  private static final List<Assessment> POOL = new ArrayList<>();

  @BeforeAll
  static void judgeSomeFleets() {
    for (long seed = 0; seed < 400; seed++) {
      POOL.addAll(new RandomFleet(seed).assessments(1));
    }
    assertThat(POOL).anyMatch(one -> one.verdict() instanceof Verdict.Idle);
  }

  @Test
  void onlyIdleWorkloadsAreEverPaused() {
    int pauses = 0;
    for (long seed = 0; seed < TRIES; seed++) {
      for (Decision decision : plan(fleet(seed), limits(new Random(seed)))) {
        if (decision.action() == Action.PAUSE) {
          pauses++;
          assertThat(decision.assessment().verdict())
              .as("seed %d", seed)
              .isInstanceOf(Verdict.Idle.class);
        }
      }
    }
    assertThat(pauses).isGreaterThan(TRIES / 10);
  }

  /** What was paused within the hour and does not show any more counts as long as it is known. */
  @Test
  void pausesThatOnlyTheProgramRemembersAreSpentToo() {
    int spent = 0;
    for (long seed = 0; seed < TRIES / 10; seed++) {
      List<Assessment> fleet = fleet(seed);
      Set<String> free = paused(plan(fleet, budget(100, 0)));
      List<PastPause> past =
          fleet.stream()
              .map(one -> new PastPause("p", one.workload().root(), AT.minusSeconds(3_000)))
              .toList();
      Set<String> left =
          paused(
              PrunePlanner.plan(
                  fleet, CLUSTER, policy(budget(100, 0)), AT, PruneMemory.pauses(past)));
      assertThat(left).as("seed %d", seed).isEmpty();
      List<PastPause> older =
          past.stream()
              .map(one -> new PastPause("p", one.workload(), AT.minusSeconds(3_700)))
              .toList();
      assertThat(
              paused(
                  PrunePlanner.plan(
                      fleet, CLUSTER, policy(budget(100, 0)), AT, PruneMemory.pauses(older))))
          .as("seed %d", seed)
          .isEqualTo(free);
      spent += free.size();
    }
    assertThat(spent).isPositive();
  }

  @Test
  void theDearestWasteByOnesOwnPricesComesFirst() {
    PriceBook own = new PriceBook("EUR", List.of(new PriceBook.Price("*", 5, 40)));
    int otherwise = 0;
    for (long seed = 0; seed < TRIES / 10; seed++) {
      List<Assessment> fleet = fleet(seed);
      PrunePolicy policy = policy(budget(1, 1));
      Set<String> first =
          paused(PrunePlanner.plan(fleet, CLUSTER, policy.pricedBy(own), AT, PruneMemory.NOTHING));
      plan(fleet, Limits.NONE).stream()
          .filter(decision -> decision.action() == Action.PAUSE)
          .min(Waste.greatestFirst(AT, own))
          .map(decision -> Set.of(decision.assessment().workload().root().toString()))
          .ifPresent(dearest -> assertThat(first).isEqualTo(dearest));
      otherwise += first.equals(paused(plan(fleet, budget(1, 1)))) ? 0 : 1;
    }
    assertThat(otherwise).isPositive();
  }

  @Test
  void whatCannotBeChangedLeavesItsPlaceToOthers() {
    int others = 0;
    for (long seed = 0; seed < TRIES / 10; seed++) {
      List<Assessment> fleet = fleet(seed);
      Map<String, Refusal> refused = new HashMap<>();
      Set<String> tried = new TreeSet<>();
      Set<String> all = paused(plan(fleet, Limits.NONE));
      for (int cycle = 0; cycle <= fleet.size(); cycle++) {
        PruneMemory remembered = PruneMemory.NOTHING.refusing(refused);
        for (Decision decision :
            PrunePlanner.plan(fleet, CLUSTER, policy(budget(1, 1)), AT, remembered)) {
          if (decision.action() == Action.PAUSE) {
            ObjectId root = decision.assessment().workload().root();
            tried.add(root.toString());
            refused.put(root.uid(), new Refusal(RefusalReason.WRITE_FAILED, "forbidden"));
          }
        }
      }
      assertThat(tried).as("seed %d", seed).isEqualTo(all);
      others += Math.max(0, all.size() - 1);
    }
    assertThat(others).isPositive();
  }

  @Test
  void whileTheLastHourIsNotKnownNothingIsPaused() {
    PruneMemory unknown = new PruneMemory(List.of(), Optional.of("the ledger is away"), Map.of());
    for (long seed = 0; seed < TRIES / 10; seed++) {
      assertThat(paused(PrunePlanner.plan(fleet(seed), CLUSTER, policy(budget(9, 1)), AT, unknown)))
          .as("seed %d", seed)
          .isEmpty();
    }
  }

  @Test
  void largerBudgetsNeverPauseFewer() {
    for (long seed = 0; seed < TRIES; seed++) {
      Random random = new Random(seed);
      List<Assessment> fleet = fleet(seed);
      int cycle = 1 + random.nextInt(6);
      double share = random.nextDouble();
      Set<String> few = paused(plan(fleet, budget(cycle, share)));
      Set<String> more =
          paused(plan(fleet, budget(cycle + random.nextInt(4), Math.min(1, share * 1.5))));
      assertThat(more.size()).as("seed %d", seed).isGreaterThanOrEqualTo(few.size());
    }
  }

  @Test
  void budgetsAreNeverExceeded() {
    int refused = 0;
    for (long seed = 0; seed < TRIES; seed++) {
      Random random = new Random(seed);
      List<Assessment> fleet = fleet(seed);
      int cycle = 1 + random.nextInt(6);
      double share = random.nextDouble();
      Map<String, Integer> all = new HashMap<>();
      Map<String, Integer> taken = new HashMap<>();
      int total = 0;
      for (Decision decision : plan(fleet, budget(cycle, share))) {
        String namespace = decision.assessment().workload().namespace();
        all.merge(namespace, 1, Integer::sum);
        refused += decision.reason().equals("BUDGET_SPENT") ? 1 : 0;
        if (decision.action() == Action.PAUSE) {
          taken.merge(namespace, 1, Integer::sum);
          total++;
        }
      }
      assertThat(total).as("seed %d", seed).isLessThanOrEqualTo(cycle);
      long seedNow = seed;
      taken.forEach((namespace, count) ->
          assertThat(count)
              .as("seed %d, %s", seedNow, namespace)
              .isLessThanOrEqualTo(
                  Math.max(1, (int) Math.floor(share * all.get(namespace) + 1e-9))));
    }
    assertThat(refused).isPositive();
  }

  @Test
  void theOrderOfInputNeverMatters() {
    for (long seed = 0; seed < TRIES; seed++) {
      List<Assessment> fleet = fleet(seed);
      Limits limits = limits(new Random(seed));
      Map<String, String> once = reasons(plan(fleet, limits));
      Collections.shuffle(fleet, new Random(seed + 1));
      assertThat(reasons(plan(fleet, limits))).as("seed %d", seed).isEqualTo(once);
    }
  }

  @Test
  void whenEverythingStopsAtOnceNothingIsPaused() {
    int otherwise = 0;
    for (long seed = 0; seed < TRIES; seed++) {
      Random random = new Random(seed);
      List<Assessment> stopped =
          fleet(seed).stream()
              .map(one -> with(one, new Trace(1L << (Trace.SLICES + random.nextInt(6)), ~0L)))
              .toList();
      Limits limits =
          new Limits(
              OptionalInt.empty(),
              OptionalDouble.empty(),
              OptionalDouble.empty(),
              OptionalDouble.of(0.5));
      assertThat(paused(plan(stopped, limits))).as("seed %d", seed).isEmpty();
      otherwise += paused(plan(stopped, Limits.NONE)).size();
    }
    assertThat(otherwise).as("paused if nothing held them").isPositive();
  }

  private static Limits limits(Random random) {
    return new Limits(
        random.nextBoolean() ? OptionalInt.of(1 + random.nextInt(5)) : OptionalInt.empty(),
        random.nextBoolean() ? OptionalDouble.of(random.nextDouble()) : OptionalDouble.empty(),
        random.nextBoolean() ? OptionalDouble.of(random.nextDouble()) : OptionalDouble.empty(),
        random.nextBoolean() ? OptionalDouble.of(random.nextDouble()) : OptionalDouble.empty());
  }

  private static Limits budget(int cycle, double share) {
    return new Limits(
        OptionalInt.of(cycle),
        OptionalDouble.of(share),
        OptionalDouble.empty(),
        OptionalDouble.empty());
  }

  private static List<Decision> plan(List<Assessment> fleet, Limits limits) {
    return PrunePlanner.plan(fleet, CLUSTER, policy(limits), AT);
  }

  private static PrunePolicy policy(Limits limits) {
    return new PrunePolicy(
        PrunePolicy.DEFAULT.kinds(),
        Optional.empty(),
        Optional.empty(),
        n -> false,
        limits,
        PrunePolicy.DEFAULT.longestKeep(),
        PrunePolicy.DEFAULT.prices(),
        Optional.empty());
  }

  /** Some workloads of the pool, each made one of its own. */
  private static List<Assessment> fleet(long seed) {
    Random random = new Random(seed);
    List<Assessment> fleet = new ArrayList<>();
    int size = 1 + random.nextInt(14);
    for (int i = 0; i < size; i++) {
      fleet.add(renamed(POOL.get(random.nextInt(POOL.size())), i));
    }
    return fleet;
  }

  private static Assessment renamed(Assessment one, int number) {
    ObjectId root =
        new ObjectId("apps", "StatefulSet", one.workload().namespace(), "w" + number, "u" + number);
    OwnerObject object =
        new OwnerObject(
            root,
            List.of(),
            Map.of(),
            List.of(),
            OptionalLong.of(1),
            false,
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false,
            false,
            OptionalLong.empty());
    return one.of(
        new Workload(root, List.of(object), one.workload().pods(), one.workload().brokenBy()));
  }

  private static Assessment with(Assessment one, Trace trace) {
    return new Assessment(
        one.workload(),
        one.rule(),
        one.verdict(),
        one.pods(),
        one.idleSince(),
        Course.of(trace),
        one.unreadable());
  }

  private static Set<String> paused(List<Decision> decisions) {
    Set<String> paused = new TreeSet<>();
    decisions.stream()
        .filter(decision -> decision.action() == Action.PAUSE)
        .forEach(decision -> paused.add(decision.assessment().workload().root().toString()));
    return paused;
  }

  private static Map<String, String> reasons(List<Decision> decisions) {
    Map<String, String> reasons = new TreeMap<>();
    decisions.forEach(decision ->
        reasons.put(decision.assessment().workload().root().toString(), decision.reason()));
    return reasons;
  }
}
