package dev.fallow.adapters.kubernetes;

import dev.fallow.adapters.kubernetes.OwnerKinds.GroupKind;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.OwnerRef;
import dev.fallow.core.fleet.StateBeside;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Reads the objects above pods, level by level. The number of requests follows the number of kinds
 * and not that of pods: many owners of a kind are listed, a few are got one by one.
 */
final class OwnerWalk {

  /** More than anyone stacks on purpose; a made-up chain has to end somewhere. */
  static final int MOST_LEVELS = 32;

  private static final int FEW = 3;
  private static final int PAGE = 5_000;

  private final ObjectLister lister;
  private final KindCatalog catalog;
  private final OwnerKinds kinds;
  private final Map<String, OwnerObject> found = new HashMap<>();
  private final Set<String> asked = new HashSet<>();
  private final Set<GroupKind> unreadable = new HashSet<>();
  private final Set<GroupKind> met = new HashSet<>();
  private final Set<GroupKind> looked = new HashSet<>();
  private final Map<String, OwnerObject> marked = new HashMap<>();
  private final List<ObjectTree> states = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  OwnerWalk(ObjectLister lister, KindCatalog catalog, OwnerKinds kinds) {
    this.lister = lister;
    this.catalog = catalog;
    this.kinds = kinds;
  }

  /** An owner that someone in a namespace named. */
  private record Wanted(String namespace, OwnerRef reference) {}

  /** Something that has been read already and may turn out to be an owner. */
  void offer(OwnerObject object) {
    found.put(object.id().uid(), object);
  }

  /** Climbs from these objects to the top. */
  void climb(Collection<OwnerObject> start) {
    climb(start, kind -> true);
  }

  /** The same as far as it goes by kinds that were read already: no other is read for these. */
  void climbByKnownKinds(Collection<OwnerObject> start) {
    Set<GroupKind> known = Set.copyOf(met);
    climb(start, known::contains);
  }

  private void climb(Collection<OwnerObject> start, Predicate<GroupKind> matters) {
    List<OwnerObject> level = new ArrayList<>(start);
    for (int height = 0; height < MOST_LEVELS; height++) {
      Map<GroupKind, List<Wanted>> wanted = wantedBy(level);
      met.addAll(wanted.keySet());
      wanted.keySet().removeIf(kind -> !matters.test(kind));
      List<OwnerObject> above = new ArrayList<>();
      wanted.forEach((kind, owners) -> above.addAll(read(kind, owners)));
      if (above.isEmpty()) {
        return;
      }
      level = above;
    }
    Map<GroupKind, List<Wanted>> left = wantedBy(level);
    if (!left.isEmpty()) {
      notes.add(
          "owners more than "
              + MOST_LEVELS
              + " levels above their pods were not read: "
              + left.values().iterator().next().getFirst().reference());
    }
  }

  /**
   * Looks through kinds for objects on which a pause has left its mark, and for what is kept beside
   * those that were read.
   */
  void follow(FollowedKinds followed, String namespace) {
    Set<GroupKind> all = new LinkedHashSet<>(followed.kinds());
    boolean keptBeside =
        asked.stream()
            .map(found::get)
            .filter(Objects::nonNull)
            .anyMatch(owner -> StateBeside.isFor(owner.id()));
    if (keptBeside) {
      all.add(FollowedKinds.WORKLOAD_STATE);
    }
    for (GroupKind kind : all) {
      if (!looked.contains(kind) && !unreadable.contains(kind)) {
        try {
          catalog
              .find(kinds.versionOf(kind), kind.kind())
              .ifPresent(resource -> look(resource, namespace));
        } catch (ApiRefusal refusal) {
          if (refusal.passes()) {
            throw refusal.unavailable();
          }
          without(
              kind,
              "objects of the kind "
                  + kind
                  + " cannot be listed ("
                  + refusal.getMessage()
                  + "), so those that are paused are not seen; grant list on it");
        }
      }
    }
    if (followed.whateverScales()) {
      followWhatScales(all, namespace);
    }
  }

  /** Most of these nobody wants to have paused, so an account need not be able to list them. */
  private void followWhatScales(Set<GroupKind> done, String namespace) {
    Set<GroupKind> tried = new HashSet<>(done);
    tried.addAll(looked);
    tried.addAll(unreadable);
    for (ResourceKind resource : catalog.scalable()) {
      if (tried.add(new GroupKind(resource.group(), resource.kind()))) {
        try {
          look(resource, namespace);
        } catch (ApiRefusal refusal) {
          if (refusal.passes()) {
            notes.add(unseen(resource, refusal));
          }
        } catch (Unavailable broken) {
          notes.add(unseen(resource, broken));
        }
      }
    }
  }

  private static String unseen(ResourceKind kind, RuntimeException why) {
    return "what is paused of " + kind.resource() + " cannot be seen: " + why.getMessage();
  }

  private void look(ResourceKind kind, String namespace) {
    List<ObjectTree> seen = new ArrayList<>();
    lister.list(
        new ObjectLister.Query(kind, namespace, Projection.OF_OWNERS, PAGE, false),
        () -> {
          seen.clear();
          return object -> {
            if (FollowedKinds.WORKLOAD_STATE.is(kind) || OwnerObject.of(object).marked()) {
              seen.add(object);
            }
          };
        });
    seen.forEach(object -> {
      if (FollowedKinds.WORKLOAD_STATE.is(kind)) {
        states.add(object);
      } else {
        OwnerObject owner = ownerOf(kind, object);
        marked.put(owner.id().uid(), owner);
      }
    });
  }

  /** Everything that was read or offered and is somebody's owner or bears a mark. */
  List<OwnerObject> owners() {
    Map<String, OwnerObject> all = new HashMap<>(marked);
    found.forEach((uid, owner) -> {
      if (asked.contains(uid)) {
        all.put(uid, owner);
      }
    });
    return StateBeside.merged(List.copyOf(all.values()), states);
  }

  List<String> notes() {
    return notes;
  }

  /** The owners that are named and have not been looked for; those at hand are climbed past. */
  private Map<GroupKind, List<Wanted>> wantedBy(List<OwnerObject> level) {
    Map<GroupKind, List<Wanted>> wanted = new TreeMap<>();
    List<OwnerObject> rest = new ArrayList<>(level);
    while (!rest.isEmpty()) {
      OwnerObject object = rest.removeLast();
      for (OwnerRef reference : object.controllers()) {
        GroupKind kind = GroupKind.of(reference);
        if (kind.isNoWorkload() || reference.uid().isEmpty() || !asked.add(reference.uid())) {
          continue;
        }
        OwnerObject atHand = found.get(reference.uid());
        if (atHand != null) {
          rest.add(atHand);
        } else if (!unreadable.contains(kind)) {
          wanted
              .computeIfAbsent(kind, any -> new ArrayList<>())
              .add(new Wanted(object.id().namespace(), reference));
        }
      }
    }
    return wanted;
  }

  private List<OwnerObject> read(GroupKind kind, List<Wanted> wanted) {
    try {
      Optional<ResourceKind> resource = catalog.find(kinds.versionOf(kind), kind.kind());
      if (resource.isEmpty()) {
        return without(
            kind, "the API server does not know the kind " + kind + " that owns GPU pods");
      }
      return wanted.size() <= FEW
          ? get(resource.get(), wanted)
          : list(resource.get(), kind, wanted);
    } catch (ApiRefusal refusal) {
      if (!refusal.passes()) {
        return without(
            kind,
            "owners of the kind "
                + kind
                + " cannot be read, so their pods count as having no owner to pause: "
                + refusal.getMessage()
                + "; grant get and list on it");
      }
      throw refusal.unavailable();
    }
  }

  private List<OwnerObject> without(GroupKind kind, String note) {
    unreadable.add(kind);
    notes.add(note);
    return List.of();
  }

  private List<OwnerObject> get(ResourceKind kind, List<Wanted> wanted) {
    List<OwnerObject> read = new ArrayList<>();
    for (Wanted one : wanted) {
      lister
          .get(kind, one.namespace(), one.reference().name(), Projection.OF_OWNERS)
          .flatMap(object -> take(kind, object, Set.of(one.reference().uid())))
          .ifPresent(read::add);
    }
    return read;
  }

  private List<OwnerObject> list(ResourceKind kind, GroupKind named, List<Wanted> wanted) {
    Set<String> uids = new HashSet<>();
    Set<String> namespaces = new TreeSet<>();
    for (Wanted one : wanted) {
      uids.add(one.reference().uid());
      namespaces.add(one.namespace());
    }
    Collection<String> scopes =
        kind.namespaced() && namespaces.size() <= FEW ? namespaces : List.of("");
    List<OwnerObject> read = new ArrayList<>();
    for (String scope : scopes) {
      List<OwnerObject> ofScope = new ArrayList<>();
      lister.list(
          new ObjectLister.Query(kind, scope, Projection.OF_OWNERS, PAGE, named.isPod()),
          () -> {
            ofScope.clear();
            return object -> take(kind, object, uids).ifPresent(ofScope::add);
          });
      read.addAll(ofScope);
    }
    if (scopes.contains("")) {
      looked.add(named);
    }
    return read;
  }

  private Optional<OwnerObject> take(ResourceKind kind, ObjectTree object, Set<String> uids) {
    if (!uids.contains(object.textOr("", "metadata", "uid"))) {
      OwnerObject other = ownerOf(kind, object);
      if (other.marked()) {
        marked.put(other.id().uid(), other);
      }
      return Optional.empty();
    }
    kinds.learn(object);
    OwnerObject owner = ownerOf(kind, object);
    found.put(owner.id().uid(), owner);
    return Optional.of(owner);
  }

  static OwnerObject ownerOf(ResourceKind kind, ObjectTree object) {
    return OwnerObject.of(object).scalable(kind.scalable());
  }
}
