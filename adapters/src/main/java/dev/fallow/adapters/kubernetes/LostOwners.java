package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.OwnerRef;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Owners that are named and that the watch of their kind does not show. It may be behind: a pod
 * whose new ReplicaSet is not known yet would count as nobody's, and the Deployment that it works
 * for as idle. So the server is asked itself: what its list does not have under a UID is gone for
 * good, and not asked for again.
 */
final class LostOwners {

  private static final int PAGE = 2_500;
  private static final int MOST_REMEMBERED = 100_000;

  private final ObjectLister lister;
  private final Map<String, Boolean> gone =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  /** What was listed for this look, by the kind and namespace, then by UID. */
  private final Map<String, Map<String, OwnerObject>> listed = new HashMap<>();

  LostOwners(ObjectLister lister) {
    this.lister = lister;
  }

  /** A new look begins. */
  void begin() {
    listed.clear();
  }

  /**
   * @throws Unavailable if the server does not say: half a picture is none
   */
  Optional<OwnerObject> find(ResourceKind kind, String namespace, OwnerRef reference) {
    if (gone.containsKey(reference.uid())) {
      return Optional.empty();
    }
    Map<String, OwnerObject> all =
        listed.computeIfAbsent(kind.resource() + " " + namespace, place -> list(kind, namespace));
    Optional<OwnerObject> found = Optional.ofNullable(all.get(reference.uid()));
    if (found.isEmpty()) {
      gone.put(reference.uid(), true);
    }
    return found;
  }

  private Map<String, OwnerObject> list(ResourceKind kind, String namespace) {
    Map<String, OwnerObject> all = new HashMap<>();
    try {
      lister.list(
          new ObjectLister.Query(kind, namespace, Projection.OF_OWNERS, PAGE, false),
          () -> {
            all.clear();
            return object -> {
              OwnerObject owner = OwnerWalk.ownerOf(kind, object);
              all.put(owner.id().uid(), owner);
            };
          });
      return all;
    } catch (ApiRefusal refusal) {
      throw refusal.unavailable();
    }
  }
}
