package dev.fallow.server.fleet;

import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.idle.Reason;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.RefusalReason;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A workload as a list shows it.
 *
 * @param workload its name as it is written everywhere: {@code Deployment/ml/trainer}
 * @param state {@code BUSY}, {@code IDLE}, {@code KEPT}, {@code UNKNOWN} or {@code PAUSED}
 * @param words in lower case, all that a search looks at
 * @param fields all that is shown, in its order
 */
public record WorkloadItem(
    String workload,
    String namespace,
    String kind,
    String name,
    String state,
    String verdict,
    String words,
    double wastedPerHour,
    double costPerHour,
    int gpus,
    OptionalDouble use,
    Optional<Instant> idleSince,
    Map<String, Object> fields) {

  private static final String UNKNOWN = "UNKNOWN";
  private static final String NEXT_LOOK = "the next look shows what has come of it";

  /** What a change makes different in the evidence of a verdict as well. */
  private static final List<String> OF_THE_VERDICT =
      List.of("verdict", "reason", "sentence", "action", "next");

  /** What is shown only of one that runs. */
  private static final List<String> OF_THE_LIVING =
      List.of("use", "idleSince", "spark", "sparkStep", "pausesAt", "keep");

  public WorkloadItem {
    fields = WrittenFields.of(fields);
  }

  /** Its fields as they are sent, written once; not to be changed. */
  public byte[] json() {
    return WrittenFields.of(fields).json();
  }

  public boolean is(String otherNamespace, String otherKind, String otherName) {
    return namespace.equals(otherNamespace) && kind.equals(otherKind) && name.equals(otherName);
  }

  /** The same once it is kept, until a look has seen it. */
  public WorkloadItem kept(Keep keep) {
    Map<String, Object> changed = new LinkedHashMap<>(fields);
    changed.put("keep", Map.of("until", keep.until(), "by", keep.by(), "reason", keep.reason()));
    if (!state.equals("IDLE") && !state.equals("KEPT")) {
      return in(state, changed);
    }
    if (!isRefusedBefore(RefusalReason.ACKNOWLEDGED)) {
      changed.put("action", Action.KEEP.name());
      changed.put("reason", RefusalReason.ACKNOWLEDGED.name());
      changed.put("sentence", keep.sentence());
    }
    return in("KEPT", changed);
  }

  /** Whether it is left alone for a reason that is given before this one. */
  private boolean isRefusedBefore(RefusalReason other) {
    return Arrays.stream(RefusalReason.values())
        .filter(reason -> reason.compareTo(other) < 0)
        .anyMatch(reason -> reason.name().equals(fields.get("reason")));
  }

  /** The same once its keep has ended. */
  public WorkloadItem notKept() {
    Map<String, Object> changed = new LinkedHashMap<>(fields);
    changed.remove("keep");
    if (!state.equals("KEPT")) {
      return in(state, changed);
    }
    if (RefusalReason.ACKNOWLEDGED.name().equals(changed.get("reason"))) {
      changed.put("reason", Reason.ALL_GPUS_IDLE.name());
      changed.put("sentence", "it was kept until just now");
    }
    changed.put("action", Action.NONE.name());
    return in("IDLE", changed);
  }

  /** The same once it is paused: nothing is known of what it would do. */
  public WorkloadItem paused(Instant at, String by, String why) {
    if (state.equals("PAUSED")) {
      return this;
    }
    Map<String, Object> changed = new LinkedHashMap<>(fields);
    OF_THE_LIVING.forEach(changed::remove);
    changed.put("verdict", UNKNOWN);
    changed.put("reason", RefusalReason.PAUSED_ALREADY.name());
    changed.put("sentence", why);
    changed.put("action", Action.NONE.name());
    changed.put("idleGpus", 0);
    changed.put("costPerHour", 0);
    changed.put("wastedPerHour", 0);
    changed.put("pause", Map.of("at", at, "by", by, "reason", why, "gpus", gpus));
    return in("PAUSED", changed);
  }

  /** The same once it is on again: nobody knows yet what it does. */
  public WorkloadItem resumed() {
    Map<String, Object> changed = new LinkedHashMap<>(fields);
    changed.remove("pause");
    if (!state.equals("PAUSED")) {
      return in(state, changed);
    }
    changed.put("reason", Reason.RECENTLY_STARTED.name());
    changed.put("sentence", "it was resumed just now");
    return in(UNKNOWN, changed);
  }

  private WorkloadItem in(String newState, Map<String, Object> changed) {
    if (!newState.equals(state)) {
      changed.put("state", newState);
      changed.put("next", NEXT_LOOK);
      changed.remove("pausesAt");
    }
    boolean alive = !newState.equals("PAUSED");
    return new WorkloadItem(
        workload,
        namespace,
        kind,
        name,
        newState,
        alive && !state.equals("PAUSED") ? verdict : UNKNOWN,
        words,
        alive ? wastedPerHour : 0,
        alive ? costPerHour : 0,
        gpus,
        alive ? use : OptionalDouble.empty(),
        alive ? idleSince : Optional.empty(),
        changed);
  }

  /** The evidence of the last look, with what a change since has made of its verdict. */
  Map<String, Object> since(Map<String, Object> evidence) {
    if (!NEXT_LOOK.equals(fields.get("next"))) {
      return evidence;
    }
    Map<String, Object> changed = new LinkedHashMap<>(evidence);
    for (String name : OF_THE_VERDICT) {
      Object now = fields.get(name);
      if (now != null) {
        changed.put(name, now);
      }
    }
    return changed;
  }

  /** Those of its GPUs that are proven idle. */
  int idleGpus() {
    return fields.get("idleGpus") instanceof Number number ? number.intValue() : 0;
  }
}
