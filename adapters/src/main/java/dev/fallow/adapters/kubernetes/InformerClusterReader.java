package dev.fallow.adapters.kubernetes;

import dev.fallow.adapters.kubernetes.OwnerKinds.GroupKind;
import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Surroundings;
import dev.fallow.core.fleet.ClaimedDevices;
import dev.fallow.core.fleet.ClusterReader;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.GpuNode;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.OwnerRef;
import dev.fallow.core.fleet.PlainPod;
import dev.fallow.core.fleet.StateBeside;
import dev.fallow.core.fleet.TeamLabel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The picture of the cluster, kept in memory for a program that stays: a read asks nobody. Kinds of
 * owners are followed from the first time that something names one.
 *
 * <p>A picture that the server has not confirmed for some minutes is not given out: what is paused
 * by it might be at work since.
 */
public final class InformerClusterReader implements ClusterReader, AutoCloseable {

  private static final Duration OLDEST_PODS = Duration.ofMinutes(2);
  private static final Duration OLDEST_PICTURE = Duration.ofMinutes(5);
  private static final Duration FIRST_LIST = Duration.ofSeconds(30);
  private static final Duration FIRST_LIST_OF_MANY = Duration.ofSeconds(5);

  /** The server marks the time in a stream without changes every minute or two. */
  private static final Duration QUIET = Duration.ofSeconds(90);

  private final KubernetesConnection connection;
  private final String namespace;
  private final FollowedKinds followed;
  private final TeamLabel team;
  private final Pacing pacing;
  private final boolean goesOn;
  private final KindCatalog catalog;
  private final OwnerKinds kinds = new OwnerKinds();
  private final KindWatch<PodFacts> pods;
  private final KindWatch<GpuNode> nodes;
  private final KindWatch<NamespaceFacts> namespaces;
  private final Map<GroupKind, KindWatch<OwnerObject>> owners = new HashMap<>();
  private final Set<KindWatch<?>> unheard = new HashSet<>();
  private final LostOwners lost;

  /** Kinds that only may have something paused. */
  private final Map<GroupKind, KindWatch<OwnerObject>> scaled = new HashMap<>();

  private Optional<KindWatch<ObjectTree>> claims = Optional.empty();
  private Optional<KindWatch<ObjectTree>> states = Optional.empty();
  private Optional<KindWatch<Surroundings.ServiceFacts>> services = Optional.empty();

  /**
   * How the kinds are followed, and how old a picture of them may be.
   *
   * @param pods what pods do decides who is busy, so their picture is the freshest
   */
  record Pacing(
      KindWatch.Pace pods, Duration oldestPods, KindWatch.Pace others, Duration oldestOthers) {

    static final Pacing USUAL =
        new Pacing(KindWatch.Pace.BRISK, OLDEST_PODS, KindWatch.Pace.CALM, OLDEST_PICTURE);
  }

  /**
   * Begins to read; {@link #read} answers as soon as the first lists are there.
   *
   * @param namespace the one to read; without it, all
   */
  public InformerClusterReader(KubernetesConnection connection, Optional<String> namespace) {
    this(connection, namespace, FollowedKinds.NONE);
  }

  /**
   * @param followed the kinds that are looked through for paused workloads as well
   */
  public InformerClusterReader(
      KubernetesConnection connection, Optional<String> namespace, FollowedKinds followed) {
    this(connection, namespace, followed, TeamLabel.NONE);
  }

  /**
   * @param team by what workloads and namespaces say whose they are
   */
  public InformerClusterReader(
      KubernetesConnection connection,
      Optional<String> namespace,
      FollowedKinds followed,
      TeamLabel team) {
    this(connection, namespace, followed, team, Pacing.USUAL, false);
  }

  /**
   * For whoever only shows what is measured: while a kind of owners cannot be read, the picture has
   * what was known of it, or goes without it, and says so. Whoever changes workloads must not judge
   * by such a picture.
   */
  public static InformerClusterReader goingOn(
      KubernetesConnection connection, Optional<String> namespace) {
    return new InformerClusterReader(
        connection, namespace, FollowedKinds.NONE, TeamLabel.NONE, Pacing.USUAL, true);
  }

  InformerClusterReader(
      KubernetesConnection connection,
      Optional<String> namespace,
      FollowedKinds followed,
      TeamLabel team,
      Pacing pacing) {
    this(connection, namespace, followed, team, pacing, false);
  }

  InformerClusterReader(
      KubernetesConnection connection,
      Optional<String> namespace,
      FollowedKinds followed,
      TeamLabel team,
      Pacing pacing,
      boolean goesOn) {
    this.connection = connection;
    this.namespace = namespace.orElse("");
    this.followed = followed;
    this.team = team;
    this.pacing = pacing;
    this.goesOn = goesOn;
    this.catalog = new KindCatalog(connection.api());
    this.lost = new LostOwners(new ObjectLister(connection.api()));
    this.pods = watch(ResourceKind.PODS, Projection.OF_PODS, this::podFacts);
    this.nodes = watch(ResourceKind.NODES, Projection.OF_NODES, GpuNode::of);
    this.namespaces = watch(ResourceKind.NAMESPACES, Projection.OF_NAMESPACES, NamespaceFacts::of);
  }

  @Override
  public synchronized ClusterState read() {
    List<String> notes = new ArrayList<>();
    lost.begin();
    required(pods);
    services.ifPresent(watch -> optional(watch, notes));
    PodSorter sorted = new PodSorter();
    pods.values().forEach(sorted::take);
    if (sorted.needsClaims()) {
      sorted.decide(new ClaimedDevices(claimed(notes)));
    }
    Map<String, OwnerObject> owners = new LinkedHashMap<>();
    List<ObjectTree> states = marked(owners, notes);
    climb(sorted.asOwners(), notes, this::watchOf)
        .forEach(owner -> owners.put(owner.id().uid(), owner));
    Map<PlainPod, OwnerObject> plain = sorted.plain();
    climb(List.copyOf(plain.values()), new ArrayList<>(), this::watchAtHand)
        .forEach(owner -> owners.put(owner.id().uid(), owner));
    return new ClusterState(
        sorted.holders(),
        optional(nodes, notes),
        StateBeside.merged(List.copyOf(owners.values()), states),
        namespacesRead(notes),
        sorted.exporters(),
        List.copyOf(plain.keySet()),
        notes);
  }

  /** What autoscalers name beside pods; services are followed from the first time this is asked. */
  public synchronized Surroundings surroundings() {
    if (services.isEmpty()) {
      services =
          Optional.of(
              watch(
                  ResourceKind.SERVICES,
                  Projection.OF_SERVICES,
                  InformerClusterReader::serviceFacts));
    }
    return new Surroundings(
        optional(services.get(), new ArrayList<>()),
        owners.values().stream()
            .map(KindWatch::kind)
            .map(kind -> new Surroundings.KindName(kind.apiVersion(), kind.kind(), kind.plural()))
            .toList());
  }

  @Override
  public synchronized void close() {
    services.ifPresent(KindWatch::close);
    pods.close();
    nodes.close();
    namespaces.close();
    claims.ifPresent(KindWatch::close);
    states.ifPresent(KindWatch::close);
    owners.values().forEach(KindWatch::close);
    scaled.values().forEach(KindWatch::close);
  }

  /** Gathers what bears the mark of a pause; answers the states that are kept beside objects. */
  private List<ObjectTree> marked(Map<String, OwnerObject> into, List<String> notes) {
    for (GroupKind kind : followed.kinds()) {
      if (!kind.equals(FollowedKinds.WORKLOAD_STATE)) {
        marked(kind, into, notes);
      }
    }
    if (followed.whateverScales()) {
      // Most of these nobody wants to have paused, so an account need not be able to list them.
      scalable().forEach(kind -> markedIfThere(kind, into));
    }
    if (states.isEmpty() && followed.kinds().contains(FollowedKinds.WORKLOAD_STATE)) {
      states =
          kindOf(kinds.versionOf(FollowedKinds.WORKLOAD_STATE), FollowedKinds.WORKLOAD_STATE.kind())
              .map(kind -> watch(kind, Projection.OF_OWNERS, Function.identity()));
    }
    return states.map(watch -> optional(watch, notes)).orElse(List.of());
  }

  private void marked(GroupKind kind, Map<String, OwnerObject> into, List<String> notes) {
    Optional<KindWatch<OwnerObject>> watch = begunOrNew(kind);
    if (watch.isPresent()) {
      owners.put(kind, watch.get());
      optional(watch.get(), notes).stream()
          .filter(OwnerObject::marked)
          .forEach(owner -> into.put(owner.id().uid(), owner));
    }
  }

  /** One of these kinds whose own server is broken ends no judging, and is waited for once. */
  private void markedIfThere(GroupKind kind, Map<String, OwnerObject> into) {
    Optional.ofNullable(owners.getOrDefault(kind, scaled.get(kind)))
        .or(() -> {
          Optional<KindWatch<OwnerObject>> begun = startWatchOf(kind);
          begun.ifPresent(one -> {
            scaled.put(kind, one);
            one.awaitFirstAnswer(FIRST_LIST_OF_MANY);
          });
          return begun;
        })
        .ifPresent(watch ->
            watch.values().stream()
                .filter(OwnerObject::marked)
                .forEach(owner -> into.put(owner.id().uid(), owner)));
  }

  private Optional<KindWatch<OwnerObject>> begunOrNew(GroupKind kind) {
    return Optional.ofNullable(owners.get(kind))
        .or(() -> Optional.ofNullable(scaled.remove(kind)))
        .or(() -> startWatchOf(kind));
  }

  private List<GroupKind> scalable() {
    try {
      return catalog.scalable().stream()
          .map(kind -> new GroupKind(kind.group(), kind.kind()))
          .distinct()
          .toList();
    } catch (ApiRefusal refusal) {
      throw refusal.unavailable();
    }
  }

  static Surroundings.ServiceFacts serviceFacts(ObjectTree service) {
    return new Surroundings.ServiceFacts(
        service.textOr("", "metadata", "namespace"),
        service.textOr("", "metadata", "name"),
        service.texts("spec", "selector"));
  }

  private PodFacts podFacts(ObjectTree pod) {
    kinds.learn(pod);
    return PodFacts.of(pod);
  }

  private <T> KindWatch<T> watch(
      ResourceKind kind, Projection projection, Function<ObjectTree, T> keep) {
    KindWatch<T> watch =
        new KindWatch<>(
            connection.api(),
            kind,
            kind.namespaced() ? namespace : "",
            projection,
            kind.equals(ResourceKind.PODS) ? pacing.pods() : pacing.others(),
            object -> keep.apply(team.written(object)));
    watch.start();
    return watch;
  }

  private Iterable<ObjectTree> claimed(List<String> notes) {
    if (claims.isEmpty()) {
      claims =
          kindOf("resource.k8s.io/v1", "ResourceClaim")
              .map(kind -> watch(kind, Projection.OF_CLAIMS, Function.identity()));
    }
    return claims.isEmpty() ? List.of() : optional(claims.get(), notes);
  }

  /** An account for one namespace may not list them, and may yet read its own. */
  private List<NamespaceFacts> namespacesRead(List<String> notes) {
    List<String> unlisted = new ArrayList<>();
    if (readable(namespaces, unlisted)) {
      return namespaces.values().stream()
          .filter(one -> namespace.isEmpty() || one.name().equals(namespace))
          .toList();
    }
    if (namespace.isEmpty()) {
      unlisted.forEach(note -> note(notes, note));
      return List.of();
    }
    try {
      return readNow(namespace).stream().toList();
    } catch (ApiRefusal refusal) {
      if (!refusal.forbidden()) {
        throw refusal.unavailable();
      }
      note(notes, MissingRight.toRead(ResourceKind.NAMESPACES, refusal));
      return List.of();
    }
  }

  private Optional<NamespaceFacts> readNow(String name) {
    return new ObjectLister(connection.api())
        .get(ResourceKind.NAMESPACES, "", name, Projection.OF_NAMESPACES)
        .map(one -> NamespaceFacts.of(team.written(one)));
  }

  /** By what the stream of changes tells; the server is asked if that has been quiet for long. */
  @Override
  public Optional<NamespaceFacts> namespaceNow(String name) {
    if (namespaces.listed() && namespaces.silence().compareTo(QUIET) <= 0) {
      return namespaces.find("", name);
    }
    try {
      return readNow(name);
    } catch (ApiRefusal refusal) {
      if (refusal.passes()) {
        throw refusal.unavailable();
      }
      return Optional.empty();
    }
  }

  /** Where owners of a kind are read, if anywhere. */
  private interface Watches {
    Optional<KindWatch<OwnerObject>> of(GroupKind kind, List<String> notes);
  }

  private List<OwnerObject> climb(List<OwnerObject> start, List<String> notes, Watches watches) {
    Map<String, OwnerObject> found = new LinkedHashMap<>();
    List<OwnerObject> level = start;
    for (int height = 0; height < OwnerWalk.MOST_LEVELS && !level.isEmpty(); height++) {
      List<OwnerObject> next = new ArrayList<>();
      for (OwnerObject object : level) {
        for (OwnerRef reference : object.controllers()) {
          if (!found.containsKey(reference.uid())) {
            owner(reference, object.id().namespace(), notes, watches)
                .ifPresent(owner -> {
                  found.put(reference.uid(), owner);
                  next.add(owner);
                });
          }
        }
      }
      level = next;
    }
    if (level.stream().anyMatch(object -> !object.controllers().isEmpty())) {
      notes.add(
          "owners more than " + OwnerWalk.MOST_LEVELS + " levels above their pods were not read");
    }
    return List.copyOf(found.values());
  }

  private Optional<OwnerObject> owner(
      OwnerRef reference, String from, List<String> notes, Watches watches) {
    GroupKind kind = GroupKind.of(reference);
    if (kind.isNoWorkload()) {
      return Optional.empty();
    }
    if (kind.isPod()) {
      return pods.find(from, reference.name())
          .map(PodFacts::asOwner)
          .filter(object -> object.id().uid().equals(reference.uid()));
    }
    return watches
        .of(kind, notes)
        .flatMap(watch -> {
          String namespaceOf = watch.kind().namespaced() ? from : "";
          Optional<OwnerObject> known =
              watch
                  .find(namespaceOf, reference.name())
                  .filter(object -> object.id().uid().equals(reference.uid()));
          // Who only shows what is measured can wait for its watch.
          return known.isPresent() || goesOn
              ? known
              : lost.find(watch.kind(), namespaceOf, reference);
        });
  }

  private Optional<KindWatch<OwnerObject>> watchOf(GroupKind kind, List<String> notes) {
    Optional<KindWatch<OwnerObject>> watch;
    try {
      watch = begunOrNew(kind);
    } catch (Unavailable broken) {
      orGoOn(broken, notes, kind.toString(), false);
      return Optional.empty();
    }
    if (watch.isEmpty()) {
      note(notes, "the API server does not know the kind " + kind + " that owns GPU pods");
      return watch;
    }
    owners.put(kind, watch.get());
    return givesOwners(watch.get(), notes) ? watch : Optional.empty();
  }

  private boolean givesOwners(KindWatch<?> watch, List<String> notes) {
    try {
      return readable(watch, notes);
    } catch (Unavailable broken) {
      orGoOn(broken, notes, watch.kind().resource(), watch.listed());
      return watch.listed();
    }
  }

  private void orGoOn(Unavailable broken, List<String> notes, String kind, boolean known) {
    if (!goesOn) {
      throw broken;
    }
    note(
        notes,
        kind
            + " cannot be read now"
            + (known
                ? ", so what was known of it holds"
                : " (" + broken.getMessage() + "), so it is left out"));
  }

  /** For those that no watch is begun for. */
  private Optional<KindWatch<OwnerObject>> watchAtHand(GroupKind kind, List<String> notes) {
    return Optional.ofNullable(owners.get(kind)).filter(watch -> givesOwners(watch, notes));
  }

  private Optional<KindWatch<OwnerObject>> startWatchOf(GroupKind kind) {
    return kindOf(kinds.versionOf(kind), kind.kind())
        .map(resource ->
            watch(
                resource,
                Projection.OF_OWNERS,
                object -> {
                  kinds.learn(object);
                  return OwnerWalk.ownerOf(resource, object);
                }));
  }

  private Optional<ResourceKind> kindOf(String apiVersion, String kind) {
    try {
      return catalog.find(apiVersion, kind);
    } catch (ApiRefusal refusal) {
      throw refusal.unavailable();
    }
  }

  private <T> List<T> optional(KindWatch<T> watch, List<String> notes) {
    return readable(watch, notes) ? List.copyOf(watch.values()) : List.of();
  }

  /** Without the right to read a kind, the picture goes without it and says so. */
  private boolean readable(KindWatch<?> watch, List<String> notes) {
    await(watch);
    Optional<ApiRefusal> refusal = watch.refusal();
    if (!isFresh(watch)
        && refusal.isPresent()
        && (refusal.get().forbidden() || refusal.get().missing())) {
      note(notes, MissingRight.toRead(watch.kind(), refusal.get()));
      return false;
    }
    required(watch);
    return true;
  }

  /** Who goes on does not wait twice for a kind of which nothing is heard. */
  private void await(KindWatch<?> watch) {
    if (!unheard.contains(watch) && !watch.awaitFirstAnswer(FIRST_LIST) && goesOn) {
      unheard.add(watch);
    }
  }

  /** A server that has just started may refuse for a moment what it grants otherwise. */
  private boolean isFresh(KindWatch<?> watch) {
    Duration oldest =
        watch.kind().equals(ResourceKind.PODS) ? pacing.oldestPods() : pacing.oldestOthers();
    return watch.listed() && watch.silence().compareTo(oldest) <= 0;
  }

  private void required(KindWatch<?> watch) {
    await(watch);
    if (isFresh(watch)) {
      return;
    }
    Optional<ApiRefusal> refusal = watch.refusal();
    if (refusal.isPresent()) {
      throw refusal.get().unavailable();
    }
    String what = watch.kind().plural();
    if (!watch.listed()) {
      throw new Unavailable(
          "kubernetes",
          "the API server " + connection + " has not given its " + what + " yet; try again",
          true);
    }
    throw new Unavailable(
        "kubernetes",
        "the API server "
            + connection
            + " has not been heard of for "
            + watch.silence().toSeconds()
            + " s, so what is known of its "
            + what
            + " may be past; nothing is judged until it answers",
        true);
  }

  private static void note(List<String> notes, String note) {
    if (!notes.contains(note)) {
      notes.add(note);
    }
  }
}
