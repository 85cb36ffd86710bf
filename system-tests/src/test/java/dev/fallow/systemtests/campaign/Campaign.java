package dev.fallow.systemtests.campaign;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Many short runs under random faults, each judged by the {@link Checker}. The same seed makes the
 * same choices: iteration 17 of seed 4 can be had again alone.
 *
 * @param seed decides about everything that is left to chance
 * @param iterations how many must count
 */
public record Campaign(long seed, int iterations) {
  private static final int MOST_FAULTS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(12);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final String WORKSHOP = "the workshop: ";

  /** A campaign gives up when more than this many in a row were void: something is not set up. */
  private static final int MOST_VOID = 20;

  /**
   * One run.
   *
   * @param number from 0, void ones included; with the campaign's seed it is all that is needed to
   *     have the iteration again
   * @param idle the faults that nobody felt: if there is one, the iteration is void
   * @param effects what those that were felt did in particular
   */
  public record Iteration(
      int number,
      List<String> faults,
      List<String> idle,
      List<String> effects,
      Checker.Findings findings) {
    /** Whether it proves anything: a fault without effect was no fault. */
    public boolean counts() {
      return idle.isEmpty();
    }

    @Override
    public String toString() {
      String verdict = findings.clean() ? "clean" : findings.violations().size() + " VIOLATIONS";
      return "iteration %d: %s, %d pauses, %d resumes, %d unproven, faults %s%s"
          .formatted(
              number,
              verdict,
              findings.pauses(),
              findings.resumes(),
              findings.unproven().size(),
              faults,
              counts() ? "" : ", void: no effect of " + idle);
    }
  }

  /** What came of it. */
  public record Report(List<Iteration> iterations) {
    public long counted() {
      return iterations.stream().filter(Iteration::counts).count();
    }

    public long voided() {
      return iterations.size() - counted();
    }

    /** Iterations that came to no end, as when the product does not come back. */
    public List<Iteration> broken() {
      return iterations.stream()
          .filter(one -> one.idle().stream().anyMatch(name -> name.startsWith(WORKSHOP)))
          .toList();
    }

    /** Of all iterations: a promise broken in a void one is broken all the same. */
    public List<Violation> violations() {
      return iterations.stream()
          .flatMap(iteration -> iteration.findings().violations().stream())
          .toList();
    }
  }

  /** Where iterations take place, one after the other: a cluster, and what can go wrong there. */
  public record Lane(Workshop workshop, List<Fault> catalogue) {}

  /** Runs until enough iterations count, telling of each as it ends. */
  public Report run(Workshop workshop, List<Fault> catalogue, Consumer<Iteration> listener) {
    return run(List.of(new Lane(workshop, catalogue)), listener);
  }

  /** The same in several lanes at once; which lane has which iteration is left to their speed. */
  public Report run(List<Lane> lanes, Consumer<Iteration> listener) {
    Progress progress = new Progress(listener);
    try (ExecutorService drivers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> driven = new ArrayList<>();
      lanes.forEach(lane -> driven.add(drivers.submit(() -> progress.drive(lane))));
      for (Future<?> one : driven) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new Report(progress.done());
  }

  /** What the lanes have come to so far. */
  private final class Progress {
    private final Consumer<Iteration> listener;
    private final List<Iteration> done = new ArrayList<>();
    private int begun;

    Progress(Consumer<Iteration> listener) {
      this.listener = listener;
    }

    void drive(Lane lane) {
      int voidInARow = 0;
      while (voidInARow < MOST_VOID) {
        OptionalInt number = next();
        if (number.isEmpty()) {
          return;
        }
        Iteration iteration = attempt(number.getAsInt(), lane);
        ended(iteration);
        voidInARow = iteration.counts() ? 0 : voidInARow + 1;
      }
    }

    /** What the workshop cannot do proves nothing, and is no reason to end what others do. */
    private Iteration attempt(int number, Lane lane) {
      try {
        return iterate(number, lane.workshop(), lane.catalogue());
      } catch (RuntimeException broken) {
        return new Iteration(
            number,
            pick(dice(number), lane.catalogue()).stream().map(Fault::name).toList(),
            List.of(WORKSHOP + broken),
            List.of(),
            new Checker.Findings(List.of(), List.of(), 0, 0));
      }
    }

    private synchronized OptionalInt next() {
      long counted = done.stream().filter(Iteration::counts).count();
      return counted < iterations ? OptionalInt.of(begun++) : OptionalInt.empty();
    }

    private synchronized void ended(Iteration iteration) {
      listener.accept(iteration);
      done.add(iteration);
    }

    synchronized List<Iteration> done() {
      return done.stream().sorted(Comparator.comparingInt(Iteration::number)).toList();
    }
  }

  /** One iteration by its number, as it was or will be in the whole campaign. */
  public Iteration iterate(int number, Workshop workshop, List<Fault> catalogue) {
    RandomGenerator dice = dice(number);
    List<Fault> faults = pick(dice, catalogue);
    workshop.reset(new SplittableRandom(dice.nextLong()));
    try {
      for (Fault fault : faults) {
        fault.start(new SplittableRandom(dice.nextLong()));
      }
      workshop.traffic(new SplittableRandom(dice.nextLong()));
      awaitPrey(faults);
    } finally {
      heal(faults);
    }
    workshop.heal();
    workshop.traffic(new SplittableRandom(dice.nextLong()));
    workshop.quiesce();
    Evidence evidence =
        workshop
            .evidence()
            .and(
                faults.stream().flatMap(fault -> fault.dark().stream()).toList(),
                faults.stream().flatMap(fault -> fault.blind().stream()).toList());
    Checker.Findings findings = new Checker(workshop.settings()).check(evidence);
    return new Iteration(
        number,
        faults.stream().map(Fault::name).toList(),
        faults.stream().filter(fault -> !fault.tookEffect()).map(Fault::name).toList(),
        faults.stream().filter(Fault::tookEffect).flatMap(one -> one.effects().stream()).toList(),
        findings);
  }

  /**
   * A slow machine comes late to where it is waited for; the iteration need not be void for that.
   */
  private static void awaitPrey(List<Fault> faults) {
    try {
      await()
          .atMost(PATIENCE)
          .pollInterval(LOOK)
          .until(() -> faults.stream().noneMatch(Fault::waitsForPrey));
    } catch (ConditionTimeoutException e) {
      // It is void.
    }
  }

  /**
   * In reverse: what was ended first is needed by what was ended later. One that cannot be healed
   * leaves no other as it is, which would outlast the iteration.
   */
  private static void heal(List<Fault> faults) {
    List<RuntimeException> failures = new ArrayList<>();
    for (Fault fault : faults.reversed()) {
      try {
        fault.heal();
      } catch (RuntimeException failure) {
        failures.add(failure);
      }
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }

  /** Not java.util.Random: its first numbers are much alike for neighbouring seeds. */
  private RandomGenerator dice(int number) {
    return new SplittableRandom(new SplittableRandom(seed).nextLong() + number);
  }

  private static List<Fault> pick(RandomGenerator dice, List<Fault> catalogue) {
    List<Fault> shuffled = new ArrayList<>(catalogue);
    Collections.shuffle(shuffled, dice);
    int count = 1 + dice.nextInt(MOST_FAULTS);
    Map<String, Fault> byGroup = new LinkedHashMap<>();
    shuffled.forEach(fault -> byGroup.putIfAbsent(fault.group(), fault));
    return byGroup.values().stream().limit(count).toList();
  }
}
