package dev.fallow.app.demo;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.prune.Actuator;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PausableKind;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import dev.fallow.core.prune.Undone;
import dev.fallow.sim.SimCluster;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Changes the simulated cluster as the real one is changed: with the same marks on the objects. */
final class SimActuator implements Actuator {

  private static final Outcome DONE = new Outcome.Done("done");

  private final SimCluster cluster;
  private final InstantSource clock;

  SimActuator(SimCluster cluster, InstantSource clock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  @Override
  public Outcome announce(Workload workload, Intent intent) {
    return annotate(workload.root(), Map.of(Annotations.INTENT, intent.id()), Set.of());
  }

  @Override
  public Outcome pause(Workload workload, Intent intent, PauseNote note, LastWord lastWord) {
    ObjectId root = workload.root();
    if (workload.brokenBy().isPresent() || PausableKind.of(workload).isEmpty()) {
      return new Outcome.Refused(
          new Refusal(
              RefusalReason.NO_SCALABLE_OWNER,
              workload.brokenBy().orElse("a " + root.qualifiedKind() + " cannot be paused")));
    }
    Optional<Refusal> refusal = owner(root).flatMap(lastWord::on);
    if (refusal.isPresent()) {
      return new Outcome.Refused(refusal.get());
    }
    Map<String, String> record = new HashMap<>();
    record.put(Annotations.PAUSED_AT, clock.instant().toString());
    record.put(Annotations.PAUSED_BY, note.by());
    record.put(Annotations.FREED, note.freed());
    record.put(Annotations.ACTION_ID, intent.id());
    record.put(Annotations.BEFORE_PAUSE, "{}");
    record.put(Annotations.PAUSE_REASON, note.reason());
    if (root.kind().equals("Notebook")) {
      record.put(Annotations.NOTEBOOK_STOPPED, clock.instant().toString());
    }
    if (root.kind().equals("InferenceService")) {
      record.put(Annotations.INFERENCE_STOP, "true");
    }
    Outcome outcome = annotate(root, record, Set.of(Annotations.INTENT));
    if (outcome instanceof Outcome.Done) {
      cluster.pause(root.toString());
    }
    return outcome;
  }

  @Override
  public Outcome resume(ObjectId workload) {
    boolean paused =
        owner(workload)
            .filter(owner -> owner.annotations().containsKey(Annotations.BEFORE_PAUSE))
            .isPresent();
    if (!paused) {
      return new Outcome.Refused(
          new Refusal(RefusalReason.CHANGED_MEANWHILE, workload + " was not paused by Fallow"));
    }
    Set<String> removed = new HashSet<>(Annotations.MARKS);
    removed.add(Annotations.NOTEBOOK_STOPPED);
    removed.add(Annotations.INFERENCE_STOP);
    Outcome outcome = annotate(workload, Map.of(), removed);
    if (outcome instanceof Outcome.Done) {
      cluster.resume(workload.toString());
    }
    return outcome;
  }

  private Optional<OwnerObject> owner(ObjectId workload) {
    return cluster.reader().read().owners().stream()
        .filter(owner -> owner.id().toString().equals(workload.toString()))
        .findFirst();
  }

  @Override
  public Outcome note(ObjectId workload, Map<String, Optional<String>> notes) {
    Map<String, String> set = new HashMap<>();
    Set<String> removed = new HashSet<>();
    notes.forEach(
        (key, value) -> value.ifPresentOrElse(text -> set.put(key, text), () -> removed.add(key)));
    return annotate(workload, set, removed);
  }

  @Override
  public Optional<List<Map<String, String>>> marks(ObjectId workload) {
    return owner(workload).map(owner -> List.of(owner.annotations()));
  }

  @Override
  public boolean saysItStopped(ObjectId workload) {
    return true;
  }

  @Override
  public Outcome withdraw(ObjectId workload) {
    return annotate(workload, Map.of(), Set.of(Annotations.INTENT));
  }

  @Override
  public Outcome noteUndone(ObjectId workload, Optional<Undone> undone) {
    return annotate(workload, Map.of(), new HashSet<>(Annotations.MARKS));
  }

  private Outcome annotate(ObjectId workload, Map<String, String> set, Set<String> removed) {
    try {
      cluster.annotate(workload.toString(), set, removed);
      return DONE;
    } catch (IllegalArgumentException gone) {
      return new Outcome.Failed(String.valueOf(gone.getMessage()), false);
    }
  }
}
