package dev.fallow.core.fleet;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Annotations that are kept beside an object instead of on it. An InferenceService hands its
 * annotations down to its pods, and a new one would roll them; so for it they live in an object of
 * kind {@code WorkloadState} in the same namespace, which names it by UID.
 */
public final class StateBeside {

  public static final String GROUP = "fallow.dev";
  public static final String KIND = "WorkloadState";

  private StateBeside() {}

  /** Whether it is one whose annotations are kept beside it. */
  public static boolean isFor(ObjectId id) {
    return id.is("serving.kserve.io", "InferenceService");
  }

  /** The name of the object that keeps them. */
  public static String nameFor(ObjectId id) {
    return id.kind().toLowerCase(Locale.ROOT) + "-" + id.name();
  }

  /**
   * The owners, each with the annotations that are kept beside it. Anybody may make such an object;
   * the one that is ours by its name comes last.
   */
  public static List<OwnerObject> merged(List<OwnerObject> owners, List<ObjectTree> objects) {
    Map<String, List<ObjectTree>> byUid = new HashMap<>();
    for (ObjectTree object : objects) {
      if (ObjectId.of(object).is(GROUP, KIND)) {
        String uid = object.textOr("", "spec", "workload", "uid");
        String key = object.textOr("", "metadata", "namespace") + "/" + uid;
        byUid.computeIfAbsent(key, any -> new ArrayList<>(1)).add(object);
      }
    }
    if (byUid.isEmpty()) {
      return owners;
    }
    return owners.stream()
        .map(owner -> {
          List<ObjectTree> beside = byUid.get(owner.id().namespace() + "/" + owner.id().uid());
          return beside == null || owner.id().uid().isEmpty()
              ? owner
              : owner.with(oursLast(beside, nameFor(owner.id())));
        })
        .toList();
  }

  private static List<Map<String, String>> oursLast(List<ObjectTree> states, String ours) {
    return states.stream()
        .sorted(
            Comparator.comparing((ObjectTree state) -> nameOf(state).equals(ours))
                .thenComparing(StateBeside::nameOf))
        .map(Annotations::decisiveOf)
        .toList();
  }

  private static String nameOf(ObjectTree state) {
    return state.textOr("", "metadata", "name");
  }
}
