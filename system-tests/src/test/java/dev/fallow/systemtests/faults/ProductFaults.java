package dev.fallow.systemtests.faults;

import static org.awaitility.Awaitility.await;

import dev.fallow.core.prune.Step;
import dev.fallow.systemtests.campaign.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** What goes wrong with the product's own processes, and with what exporters say. */
final class ProductFaults {
  private static final int KILLED = 137;
  static final String PROCESSES = "the product's processes";
  private static final String EXPORTER = "exporter";

  private ProductFaults() {}

  static List<Fault> of(PruneWorkshop workshop) {
    List<Fault> faults = new ArrayList<>();
    Arrays.stream(Step.values())
        .map(step ->
            step == Step.BEFORE_SECOND_LOOK || step == Step.AFTER_SECOND_LOOK
                ? new SingleRunKilled(workshop, step)
                : new KilledAt(workshop, step))
        .forEach(faults::add);
    faults.add(new Killed(workshop));
    faults.add(new TwoLeaders(workshop));
    faults.add(new Zombie(workshop));
    ClockJump.library().ifPresent(library -> faults.add(new ClockJump(workshop, library)));
    faults.add(new Lie(workshop, "partial series", dice -> truth -> Optional.empty()));
    faults.add(
        new Lie(
            workshop,
            "garbage metrics",
            dice -> {
              String[] garbage = {"NaN", "-7", "+Inf", "1e12", "4294967295", "101"};
              String chosen = garbage[dice.nextInt(garbage.length)];
              return truth -> Optional.of(chosen);
            }));
    return faults;
  }

  /** The leader dies at a named step, is started again, and dies again at another kind. */
  private static final class KilledAt implements Fault {
    private static final int DEATHS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(12);
    private final PruneWorkshop workshop;
    private final Step step;
    private final List<FallowProcess> victims = new CopyOnWriteArrayList<>();
    private volatile boolean healing;
    private @Nullable Thread executioner;

    KilledAt(PruneWorkshop workshop, Step step) {
      this.workshop = workshop;
      this.step = step;
    }

    @Override
    public String name() {
      return "leader killed at " + step;
    }

    @Override
    public String group() {
      return PROCESSES;
    }

    @Override
    public void start(RandomGenerator dice) {
      victims.clear();
      healing = false;
      List<String> kinds = new ArrayList<>(workshop.kinds());
      Collections.shuffle(kinds, dice);
      doom(kinds.getFirst());
      executioner =
          Thread.ofVirtual()
              .start(() -> {
                for (int next = 1; next < DEATHS && diedInTime() && !healing; next++) {
                  workshop.revive();
                  doom(kinds.get(next));
                }
              });
    }

    /** A kind that does not come any more is not waited for beyond what most of the others take. */
    private void doom(String kind) {
      boolean ofFewKinds = step == Step.BEFORE_STATE || step == Step.AFTER_STATE;
      boolean ofNone = step == Step.BEFORE_REPAIR || step == Step.AFTER_REPAIR;
      FallowProcess victim = workshop.product();
      victims.add(victim);
      victim.dieAt(step, ofNone ? 1 : ofFewKinds ? 2 : 8, kind);
    }

    private boolean diedInTime() {
      return victims.getLast().exitCode(PATIENCE) == KILLED;
    }

    @Override
    public void heal() {
      healing = true;
      if (executioner != null) {
        try {
          executioner.join();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        executioner = null;
      }
    }

    @Override
    public boolean tookEffect() {
      return !deaths().isEmpty();
    }

    @Override
    public List<String> effects() {
      return deaths();
    }

    /** The last one may die only after it was healed, where another fault kept it from coming. */
    private List<String> deaths() {
      return victims.stream()
          .map(FallowProcess::deathNote)
          .filter(note -> !note.isEmpty())
          .toList();
    }
  }

  /** A single run dies between its looks, while no daemon is there. */
  private static final class SingleRunKilled implements Fault {
    private static final int RUNS = 6;
    private final PruneWorkshop workshop;
    private final Step step;
    private boolean died;
    private @Nullable Thread runs;

    SingleRunKilled(PruneWorkshop workshop, Step step) {
      this.workshop = workshop;
      this.step = step;
    }

    @Override
    public String name() {
      return "single run killed at " + step;
    }

    @Override
    public String group() {
      return PROCESSES;
    }

    @Override
    public void start(RandomGenerator dice) {
      died = false;
      workshop.product().stop();
      runs = Thread.ofVirtual().start(this::run);
    }

    private void run() {
      for (int count = 0; count < RUNS && !died; count++) {
        try (FallowProcess run = workshop.runOnce(step)) {
          died = run.exitCode(Duration.ofSeconds(30)) == KILLED;
        }
      }
    }

    @Override
    public void heal() {
      if (runs != null) {
        try {
          runs.join();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        runs = null;
      }
    }

    @Override
    public boolean tookEffect() {
      return died;
    }
  }

  /** SIGKILL at any moment, and another one takes over. */
  private static final class Killed implements Fault {
    private final PruneWorkshop workshop;
    private boolean done;
    private @Nullable Thread killer;

    Killed(PruneWorkshop workshop) {
      this.workshop = workshop;
    }

    @Override
    public String name() {
      return "leader killed at any moment";
    }

    @Override
    public String group() {
      return PROCESSES;
    }

    @Override
    public void start(RandomGenerator dice) {
      done = false;
      long cycles = 1 + dice.nextInt(3);
      FallowProcess victim = workshop.product();
      killer =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  victim.awaitCyclesOrEnd((int) cycles);
                } catch (ConditionTimeoutException e) {
                  // Other faults keep it from going on: any moment is good.
                }
                victim.kill();
                done = true;
              });
    }

    @Override
    public void heal() {
      if (killer != null) {
        killer.interrupt();
        try {
          killer.join();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        killer = null;
      }
    }

    @Override
    public boolean tookEffect() {
      return done;
    }
  }

  /** Two that both hold a lease: each its own. */
  private static final class TwoLeaders implements Fault {
    private final PruneWorkshop workshop;
    private @Nullable FallowProcess rival;
    private boolean both;

    TwoLeaders(PruneWorkshop workshop) {
      this.workshop = workshop;
    }

    @Override
    public String name() {
      return "two leaders";
    }

    @Override
    public String group() {
      return PROCESSES;
    }

    @Override
    public void start(RandomGenerator dice) {
      both = false;
      rival = workshop.startBeside(PruneWorkshop.OTHER_LEASES).awaitUpOrEnd();
    }

    private static boolean works(FallowProcess one) {
      return one.running() && one.cycles() > 1;
    }

    @Override
    public boolean waitsForPrey() {
      return rival != null && !(works(rival) && works(workshop.product()));
    }

    @Override
    public void heal() {
      if (rival != null) {
        both = works(rival) && works(workshop.product());
        rival.stop();
        rival = null;
      }
    }

    @Override
    public boolean tookEffect() {
      return both;
    }
  }

  /** The leader sleeps until another has taken over, and wakes up believing that it leads. */
  private static final class Zombie implements Fault {
    private static final Duration TAKEOVER = Duration.ofSeconds(40);
    private final PruneWorkshop workshop;
    private @Nullable FallowProcess heir;
    private @Nullable FallowProcess sleeper;
    private String before = "";
    private boolean took;

    Zombie(PruneWorkshop workshop) {
      this.workshop = workshop;
    }

    @Override
    public String name() {
      return "leader frozen for longer than its lease";
    }

    @Override
    public String group() {
      return PROCESSES;
    }

    @Override
    public void start(RandomGenerator dice) {
      took = false;
      before = workshop.leader();
      heir = workshop.startBeside(PruneWorkshop.LEASES).awaitUpOrEnd();
      sleeper = workshop.product();
      try {
        sleeper.awaitCyclesOrEnd(dice.nextInt(3));
      } catch (ConditionTimeoutException e) {
        // Other faults keep it from going on.
      }
      sleeper.freeze();
    }

    @Override
    public void heal() {
      if (heir == null || sleeper == null) {
        return;
      }
      try {
        await()
            .atMost(TAKEOVER)
            .ignoreExceptions()
            .until(() -> !workshop.leader().equals(before) && !workshop.leader().isEmpty());
        heir.awaitCyclesOrEnd(2);
        took = true;
      } catch (ConditionTimeoutException e) {
        // Another fault was in its way: void.
      }
      sleeper.thaw();
      heir.awaitCyclesOrEnd(took ? 2 : 0);
      heir.stop();
      heir = null;
    }

    @Override
    public boolean tookEffect() {
      return took;
    }
  }

  /** The exporter is wrong about GPUs that work. */
  private static final class Lie implements Fault {
    /** Fewer would not show in a window. */
    private static final int ENOUGH = 8;

    private final PruneWorkshop workshop;
    private final String name;
    private final Function<RandomGenerator, Function<String, Optional<String>>> lie;

    Lie(
        PruneWorkshop workshop,
        String name,
        Function<RandomGenerator, Function<String, Optional<String>>> lie) {
      this.workshop = workshop;
      this.name = name;
      this.lie = lie;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String group() {
      return EXPORTER;
    }

    @Override
    public void start(RandomGenerator dice) {
      workshop.exporter().lie(lie.apply(dice));
    }

    @Override
    public void heal() {
      workshop.exporter().tellTheTruth();
    }

    @Override
    public boolean waitsForPrey() {
      return !tookEffect();
    }

    @Override
    public boolean tookEffect() {
      return workshop.exporter().lies() >= ENOUGH;
    }
  }
}
