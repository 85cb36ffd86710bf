package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectTree;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What stands beside workloads in their namespaces: what scales them, what bounds evictions of
 * their pods. Pauses come in batches, so what is listed for one serves those that follow: its own
 * namespace for the first, all of them as soon as a second is asked for. It may be some seconds
 * old; who writes to one of them is held to the version that was listed.
 */
final class Neighbours {

  private static final Duration FRESH = Duration.ofSeconds(10);

  private final Writes writes;
  private final Map<String, Listed> listed = new HashMap<>();
  private final Set<String> notInAllNamespaces = new HashSet<>();

  Neighbours(Writes writes) {
    this.writes = writes;
  }

  /**
   * @param namespace empty for all
   */
  private record Listed(String namespace, long nanos, List<ObjectTree> objects) {

    boolean isFresh() {
      return System.nanoTime() - nanos < FRESH.toNanos();
    }

    boolean covers(String asked) {
      return namespace.isEmpty() || namespace.equals(asked);
    }

    List<ObjectTree> in(String asked) {
      return objects.stream()
          .filter(object -> object.textOr("", "metadata", "namespace").equals(asked))
          .toList();
    }
  }

  /**
   * Objects of a namespace; none where the account may not see them or there is no such kind.
   *
   * @param projection the same for a kind each time
   */
  synchronized List<ObjectTree> of(ResourceKind kind, String namespace, Projection projection) {
    Optional<Listed> last =
        Optional.ofNullable(listed.get(kind.resource())).filter(Listed::isFresh);
    if (last.isEmpty() || !last.get().covers(namespace)) {
      Listed anew =
          last.flatMap(another -> ofAll(kind, projection))
              .orElseGet(
                  () -> listed(kind, namespace, projection).orElseGet(() -> none(namespace)));
      listed.put(kind.resource(), anew);
      return anew.in(namespace);
    }
    return last.get().in(namespace);
  }

  /** The same for what is only told of: none while they cannot be listed. */
  List<ObjectTree> known(ResourceKind kind, String namespace, Projection projection) {
    try {
      return of(kind, namespace, projection);
    } catch (Unavailable passing) {
      return List.of();
    }
  }

  /** What is asked for next is listed anew. */
  synchronized void forget() {
    listed.clear();
  }

  private Optional<Listed> ofAll(ResourceKind kind, Projection projection) {
    if (notInAllNamespaces.contains(kind.resource())) {
      return Optional.empty();
    }
    Optional<Listed> all = listed(kind, "", projection);
    if (all.isEmpty()) {
      notInAllNamespaces.add(kind.resource());
    }
    return all;
  }

  private Optional<Listed> listed(ResourceKind kind, String namespace, Projection projection) {
    long nanos = System.nanoTime();
    return writes
        .listed(kind, namespace, projection)
        .map(objects -> new Listed(namespace, nanos, objects));
  }

  private static Listed none(String namespace) {
    return new Listed(namespace, System.nanoTime(), List.of());
  }
}
