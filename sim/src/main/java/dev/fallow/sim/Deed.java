package dev.fallow.sim;

import java.time.Instant;
import java.util.Map;
import java.util.Set;

/** Something that was done to a workload from outside; with it, the fleet goes another way. */
public sealed interface Deed {

  Instant at();

  /** The workload's root as it is written: {@code Deployment/ml/trainer}. */
  String workload();

  /** Its pods go. */
  record Pause(Instant at, String workload) implements Deed {}

  /** New pods come in the places of the old. */
  record Resume(Instant at, String workload) implements Deed {}

  /** Annotations of its root are set, others taken away. */
  record Annotate(Instant at, String workload, Map<String, String> set, Set<String> removed)
      implements Deed {
    public Annotate {
      set = Map.copyOf(set);
      removed = Set.copyOf(removed);
    }
  }
}
