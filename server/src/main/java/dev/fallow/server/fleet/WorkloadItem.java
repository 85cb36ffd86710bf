package dev.fallow.server.fleet;

import java.time.Instant;
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

  public boolean is(String otherNamespace, String otherKind, String otherName) {
    return namespace.equals(otherNamespace) && kind.equals(otherKind) && name.equals(otherName);
  }

  /** Those of its GPUs that are proven idle. */
  int idleGpus() {
    return fields.get("idleGpus") instanceof Number number ? number.intValue() : 0;
  }
}
