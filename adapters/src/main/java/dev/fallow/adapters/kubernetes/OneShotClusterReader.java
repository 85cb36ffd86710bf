package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ClaimedDevices;
import dev.fallow.core.fleet.ClusterReader;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.GpuNode;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.PlainPod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Reads the cluster once, with few requests and little memory: pods, what owns them, nodes,
 * namespaces. What the account may not read and a verdict can do without becomes a note.
 */
public final class OneShotClusterReader implements ClusterReader {

  private static final int POD_PAGE = 1_000;
  private static final int PAGE = 2_500;

  private final ObjectLister lister;
  private final KindCatalog catalog;
  private final String namespace;
  private final int podPage;
  private final FollowedKinds followed;

  /**
   * @param namespace the one to read; without it, all
   */
  public OneShotClusterReader(KubernetesConnection connection, Optional<String> namespace) {
    this(connection, namespace, FollowedKinds.NONE, POD_PAGE);
  }

  /**
   * @param followed the kinds that are looked through for paused workloads as well
   */
  public OneShotClusterReader(
      KubernetesConnection connection, Optional<String> namespace, FollowedKinds followed) {
    this(connection, namespace, followed, POD_PAGE);
  }

  OneShotClusterReader(
      KubernetesConnection connection,
      Optional<String> namespace,
      FollowedKinds followed,
      int podPage) {
    this.lister = new ObjectLister(connection.api());
    this.catalog = new KindCatalog(connection.api());
    this.namespace = namespace.orElse("");
    this.podPage = podPage;
    this.followed = followed;
  }

  @Override
  public ClusterState read() {
    List<String> notes = new ArrayList<>();
    OwnerKinds kinds = new OwnerKinds();
    PodSorter pods = pods(kinds);
    if (pods.needsClaims()) {
      pods.decide(claims(notes));
    }
    OwnerWalk walk = new OwnerWalk(lister, catalog, kinds);
    pods.asOwners().forEach(walk::offer);
    walk.climb(pods.asOwners());
    Map<PlainPod, OwnerObject> plain = pods.plain();
    walk.climbByKnownKinds(plain.values());
    walk.follow(followed, namespace);
    notes.addAll(walk.notes());
    return new ClusterState(
        pods.holders(),
        nodes(notes),
        walk.owners(),
        namespaces(notes),
        pods.exporters(),
        List.copyOf(plain.keySet()),
        notes);
  }

  @Override
  public Optional<NamespaceFacts> namespaceNow(String name) {
    try {
      return lister
          .get(ResourceKind.NAMESPACES, "", name, Projection.OF_NAMESPACES)
          .map(NamespaceFacts::of);
    } catch (ApiRefusal refusal) {
      if (refusal.passes()) {
        throw refusal.unavailable();
      }
      return Optional.empty();
    }
  }

  private PodSorter pods(OwnerKinds kinds) {
    AtomicReference<PodSorter> sorted = new AtomicReference<>(new PodSorter());
    try {
      lister.list(
          new ObjectLister.Query(ResourceKind.PODS, namespace, Projection.OF_PODS, podPage, false),
          () -> {
            PodSorter anew = new PodSorter();
            sorted.set(anew);
            return pod -> {
              kinds.learn(pod);
              anew.take(PodFacts.of(pod));
            };
          });
    } catch (ApiRefusal refusal) {
      throw refusal.forbidden() ? mayNotListPods(refusal) : refusal.unavailable();
    }
    return sorted.get();
  }

  private Unavailable mayNotListPods(ApiRefusal refusal) {
    String cure =
        namespace.isEmpty()
            ? "; read one namespace with -n NAMESPACE, or bind a ClusterRole that may list pods"
            : "; grant list on pods in the namespace " + namespace;
    return new Unavailable(
        "kubernetes",
        "this account may not list pods"
            + (namespace.isEmpty() ? " of all namespaces" : "")
            + " ("
            + refusal.getMessage()
            + ")"
            + cure,
        false,
        refusal);
  }

  private ClaimedDevices claims(List<String> notes) {
    try {
      Optional<ResourceKind> kind = catalog.find("resource.k8s.io/v1", "ResourceClaim");
      if (kind.isPresent()) {
        return new ClaimedDevices(
            list(
                new ObjectLister.Query(kind.get(), namespace, Projection.OF_CLAIMS, PAGE, false),
                Optional::of));
      }
    } catch (ApiRefusal refusal) {
      notes.add(
          tolerated(refusal, "resourceclaims.resource.k8s.io")
              + "; each claim of a pod counts as one device");
    }
    return ClaimedDevices.none();
  }

  private List<GpuNode> nodes(List<String> notes) {
    try {
      return list(
          new ObjectLister.Query(ResourceKind.NODES, "", Projection.OF_NODES, PAGE, false),
          node -> Optional.of(GpuNode.of(node)));
    } catch (ApiRefusal refusal) {
      notes.add(tolerated(refusal, "nodes") + "; models, prices and sharing by node are unknown");
      return List.of();
    }
  }

  private List<NamespaceFacts> namespaces(List<String> notes) {
    try {
      return namespace.isEmpty()
          ? list(
              new ObjectLister.Query(
                  ResourceKind.NAMESPACES, "", Projection.OF_NAMESPACES, PAGE, false),
              one -> Optional.of(NamespaceFacts.of(one)))
          : lister
              .get(ResourceKind.NAMESPACES, "", namespace, Projection.OF_NAMESPACES)
              .map(one -> List.of(NamespaceFacts.of(one)))
              .orElse(List.of());
    } catch (ApiRefusal refusal) {
      notes.add(tolerated(refusal, "namespaces") + "; annotations on namespaces are not seen");
      return List.of();
    }
  }

  private <T> List<T> list(ObjectLister.Query query, Function<ObjectTree, Optional<T>> keep) {
    List<T> kept = new ArrayList<>();
    lister.list(
        query,
        () -> {
          kept.clear();
          return object -> keep.apply(object).ifPresent(kept::add);
        });
    return kept;
  }

  private static String tolerated(ApiRefusal refusal, String resource) {
    if (!refusal.forbidden() && !refusal.missing()) {
      throw refusal.unavailable();
    }
    return resource + " cannot be read (" + refusal.getMessage() + ")";
  }
}
