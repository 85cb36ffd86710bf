package dev.fallow.app.command;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.Undone;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** For a dry run: there is nothing that could change anything. */
enum NoActuator implements Actuator {
  INSTANCE;

  private static final Outcome NOTHING = new Outcome.Failed("a dry run changes nothing", false);

  @Override
  public Outcome announce(Workload workload, Intent intent) {
    return NOTHING;
  }

  @Override
  public Outcome pause(Workload workload, Intent intent, PauseNote note, LastWord lastWord) {
    return NOTHING;
  }

  @Override
  public Outcome resume(ObjectId workload) {
    return NOTHING;
  }

  @Override
  public boolean saysItStopped(ObjectId workload) {
    return false;
  }

  @Override
  public Outcome note(ObjectId workload, Map<String, Optional<String>> notes) {
    return NOTHING;
  }

  @Override
  public Outcome withdraw(ObjectId workload) {
    return NOTHING;
  }

  @Override
  public Outcome noteUndone(ObjectId workload, Optional<Undone> undone) {
    return NOTHING;
  }

  @Override
  public Optional<List<Map<String, String>>> marks(ObjectId workload) {
    return Optional.empty();
  }
}
