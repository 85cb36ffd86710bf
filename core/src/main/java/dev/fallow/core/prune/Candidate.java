package dev.fallow.core.prune;

import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.Assessment;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An idle workload, with all that the checks may ask.
 *
 * @param scalers autoscalers of the cluster, on which the marks of a pause may stand instead
 */
record Candidate(
    Assessment assessment,
    Optional<NamespaceFacts> namespace,
    PrunePolicy policy,
    Instant at,
    List<OwnerObject> scalers) {

  Workload workload() {
    return assessment.workload();
  }

  /** What scales it in its owner's place. */
  Stream<OwnerObject> ownScalers() {
    return scalers.stream().filter(scaler -> scaler.scales(workload().root()));
  }

  /** Annotations of everything from the root down to the pods, each with where it stands. */
  List<Marked> marked(String key) {
    return workload()
        .wishes()
        .filter(wish -> wish.annotations().containsKey(key))
        .map(wish ->
            new Marked(
                wish.annotations().getOrDefault(key, ""), wish.on().toString(), wish.annotations()))
        .toList();
  }

  /**
   * An annotation as found on one object.
   *
   * @param beside the object's other annotations that decide something
   */
  record Marked(String value, String where, Map<String, String> beside) {

    String abridged() {
      return value.length() <= 60 ? value : value.substring(0, 60) + "…";
    }
  }
}
