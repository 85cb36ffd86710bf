package dev.fallow.systemtests.faults;

import dev.fallow.core.prune.Step;
import dev.fallow.systemtests.campaign.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The leader dies at one step of every kind: workloads are released one after the other, and it
 * dies at each, is started again, and finds what it left behind.
 */
final class KilledAtEveryKind implements Fault {
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final PruneWorkshop workshop;
  private final Step step;
  private final List<String> deaths = new ArrayList<>();
  private final List<String> survivals = new ArrayList<>();

  KilledAtEveryKind(PruneWorkshop workshop, Step step) {
    this.workshop = workshop;
    this.step = step;
  }

  @Override
  public String name() {
    return "leader killed at " + step + " of every kind";
  }

  @Override
  public void start(RandomGenerator dice) {
    deaths.clear();
    survivals.clear();
    for (Resident resident : workshop.playing()) {
      if (comesBy(resident)) {
        FallowProcess victim = workshop.product();
        victim.dieAt(step, Integer.MAX_VALUE, resident.kind());
        workshop.release(resident);
        victim.exitCode(PATIENCE);
        String note = victim.deathNote();
        (note.isEmpty() ? survivals : deaths).add(note.isEmpty() ? resident.title() : note);
        victim.live();
        workshop.revive();
      }
    }
  }

  /** The record of most kinds stands on the workload itself, from the same write. */
  private boolean comesBy(Resident resident) {
    boolean apart =
        resident.form() == Resident.Form.INFERENCE_SERVICE || !resident.scaler().isEmpty();
    return apart || (step != Step.BEFORE_STATE && step != Step.AFTER_STATE);
  }

  @Override
  public void heal() {}

  @Override
  public boolean tookEffect() {
    return survivals.isEmpty() && !deaths.isEmpty();
  }

  @Override
  public List<String> effects() {
    return List.copyOf(deaths);
  }

  /** Those at which it did not die, though it was told to. */
  List<String> survivals() {
    return List.copyOf(survivals);
  }
}
