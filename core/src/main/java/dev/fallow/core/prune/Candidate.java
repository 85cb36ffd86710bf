package dev.fallow.core.prune;

import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.Assessment;
import java.time.Instant;
import java.util.ArrayList;
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
    List<Marked> found = new ArrayList<>();
    workload()
        .chain()
        .forEach(
            owner -> owner.wishes().forEach(wish -> add(found, wish, key, owner.id().toString())));
    workload().pods().forEach(pod -> add(found, pod.annotations(), key, pod.id().toString()));
    return found;
  }

  private static void add(
      List<Marked> found, Map<String, String> annotations, String key, String where) {
    String value = annotations.get(key);
    if (value != null) {
      found.add(new Marked(value, where, annotations));
    }
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
