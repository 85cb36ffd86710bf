package dev.fallow.adapters.kubernetes;

import dev.fallow.adapters.kubernetes.OwnerKinds.GroupKind;
import dev.fallow.core.fleet.StateBeside;
import dev.fallow.core.prune.PausableKind;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The kinds on which a pause can have left its mark. A paused workload has no pods, so nothing
 * leads to it; its kind has to be looked through.
 */
public final class FollowedKinds {

  private static final GroupKind SCALED_OBJECT = new GroupKind("keda.sh", "ScaledObject");
  static final GroupKind WORKLOAD_STATE = new GroupKind(StateBeside.GROUP, StateBeside.KIND);

  /** For whoever only looks. */
  public static final FollowedKinds NONE = new FollowedKinds(Set.of(), false);

  private final Set<GroupKind> kinds;
  private final boolean whateverScales;

  private FollowedKinds(Collection<GroupKind> kinds, boolean whateverScales) {
    this.kinds = new TreeSet<>(kinds);
    this.whateverScales = whateverScales;
  }

  /** Those that may be paused, and what stands in for them. */
  public static FollowedKinds of(Collection<PausableKind> enabled) {
    Set<GroupKind> kinds = new TreeSet<>();
    for (PausableKind kind : enabled) {
      for (String qualified : kind.kinds()) {
        int dot = qualified.indexOf('.');
        kinds.add(new GroupKind(qualified.substring(dot + 1), qualified.substring(0, dot)));
      }
    }
    kinds.addAll(List.of(SCALED_OBJECT, WORKLOAD_STATE));
    return new FollowedKinds(kinds, enabled.contains(PausableKind.ANY_SCALABLE));
  }

  Set<GroupKind> kinds() {
    return kinds;
  }

  /** Whether a kind that is not named here can be paused, too, if it can be scaled. */
  boolean whateverScales() {
    return whateverScales;
  }
}
