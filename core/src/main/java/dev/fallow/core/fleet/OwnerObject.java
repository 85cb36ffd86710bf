package dev.fallow.core.fleet;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An object somewhere above a pod: a ReplicaSet, a Deployment, an operator's own kind.
 *
 * @param controllers the controllers it names, at most one unless someone is playing tricks
 * @param annotations those that decide something here
 * @param replicas what it is asked to run, where it says so in the usual place
 * @param suspended whether it is switched off by its own {@code spec.suspend}
 * @param unobserved whether its controller has not yet seen its newest generation
 * @param changedAt when its specification was last written, where that is known
 */
public record OwnerObject(
    ObjectId id,
    List<OwnerRef> controllers,
    Map<String, String> annotations,
    OptionalLong replicas,
    boolean suspended,
    boolean unobserved,
    Optional<Instant> changedAt) {

  public OwnerObject {
    controllers = List.copyOf(controllers);
    annotations = Map.copyOf(annotations);
  }

  public static OwnerObject of(ObjectTree object) {
    OptionalLong generation = object.number("metadata", "generation");
    OptionalLong observed = object.number("status", "observedGeneration");
    return new OwnerObject(
        ObjectId.of(object),
        OwnerRef.controllersOf(object),
        Annotations.decisiveOf(object),
        object.number("spec", "replicas"),
        object.isTrue("spec", "suspend"),
        generation.isPresent()
            && observed.isPresent()
            && observed.getAsLong() < generation.getAsLong(),
        lastWrite(object));
  }

  /** The API server dates each manager's writes; the status subresource is not the owner's wish. */
  private static Optional<Instant> lastWrite(ObjectTree object) {
    return object.list("metadata", "managedFields").stream()
        .filter(entry -> entry.textOr("", "subresource").isEmpty())
        .flatMap(entry -> entry.instant("time").stream())
        .max(Comparator.naturalOrder());
  }
}
