package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.OwnerRef;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Owners that are named and that the watch of their kind does not show. It may be behind: a pod
 * whose new ReplicaSet is not known yet would count as nobody's, and the Deployment that it works
 * for as idle. So the server is asked itself, once for each: an object that is gone under its UID
 * never comes back.
 */
final class LostOwners {

  /** In one look. When more are missing the watch is far behind, or somebody plays tricks. */
  private static final int MOST_ASKED = 500;

  private static final int MOST_REMEMBERED = 100_000;

  private final ObjectLister lister;
  private final Map<String, Boolean> gone =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };
  private int asked;

  LostOwners(ObjectLister lister) {
    this.lister = lister;
  }

  /** A new look begins. */
  void begin() {
    asked = 0;
  }

  /**
   * @throws Unavailable if the server does not say now, or too many are missing
   */
  Optional<OwnerObject> find(ResourceKind kind, String namespace, OwnerRef reference) {
    if (gone.containsKey(reference.uid())) {
      return Optional.empty();
    }
    if (asked == MOST_ASKED) {
      throw new Unavailable(
          "kubernetes",
          "more than "
              + MOST_ASKED
              + " owners of pods are not among the "
              + kind.plural()
              + " that the API server has told of, the last of them "
              + reference
              + "; nothing is judged until they are found or known to be gone",
          true);
    }
    asked++;
    Optional<OwnerObject> found = read(kind, namespace, reference);
    if (found.isEmpty()) {
      gone.put(reference.uid(), true);
    }
    return found;
  }

  private Optional<OwnerObject> read(ResourceKind kind, String namespace, OwnerRef reference) {
    try {
      return lister
          .get(kind, namespace, reference.name(), Projection.OF_OWNERS)
          .map(object -> OwnerWalk.ownerOf(kind, object))
          .filter(object -> object.id().uid().equals(reference.uid()));
    } catch (ApiRefusal refusal) {
      if (refusal.passes()) {
        throw refusal.unavailable();
      }
      return Optional.empty();
    }
  }
}
