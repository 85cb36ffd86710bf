package dev.fallow.adapters.kubernetes;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds where the objects of a kind live. The everyday kinds are known; for the others the API
 * server is asked once for everything it has, so that names which somebody made up cost nothing.
 * What it answered is forgotten after some minutes: kinds come and go.
 */
final class KindCatalog {

  private static final Map<String, ResourceKind> EVERYDAY =
      Stream.of(
              ResourceKind.PODS,
              new ResourceKind("v1", "ReplicationController", "replicationcontrollers", true),
              new ResourceKind("apps/v1", "Deployment", "deployments", true),
              new ResourceKind("apps/v1", "ReplicaSet", "replicasets", true),
              new ResourceKind("apps/v1", "StatefulSet", "statefulsets", true),
              new ResourceKind("apps/v1", "DaemonSet", "daemonsets", true),
              new ResourceKind("batch/v1", "Job", "jobs", true),
              new ResourceKind("batch/v1", "CronJob", "cronjobs", true))
          .collect(Collectors.toMap(kind -> key(kind.apiVersion(), kind.kind()), kind -> kind));

  /** All groups with all their kinds in one answer; an old server answers with the groups alone. */
  private static final String EVERYTHING =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

  private static final Projection OF_GROUPS =
      Projection.of(
          "items.metadata.name",
          "items.versions.version",
          "items.versions.resources.resource",
          "items.versions.resources.responseKind.kind",
          "items.versions.resources.scope",
          "items.versions.resources.subresources.subresource",
          "groups.versions.groupVersion");

  private static final Projection OF_RESOURCES =
      Projection.of("resources.name", "resources.kind", "resources.namespaced");

  private static final Duration OLDEST = Duration.ofMinutes(10);

  private final ApiServer api;
  private final Map<String, List<ResourceKind>> byRoot = new HashMap<>();
  private long since = System.nanoTime();

  KindCatalog(ApiServer api) {
    this.api = api;
  }

  /** The kind of an object, in whichever version it is served. */
  Optional<ResourceKind> of(ObjectId id) {
    return find(id.group().isEmpty() ? "v1" : id.group() + "/v1", id.kind());
  }

  /**
   * The kind as the server has it now: in the version asked for or, where that is gone, in the one
   * it prefers. Empty if the server does not know the kind.
   */
  synchronized Optional<ResourceKind> find(String apiVersion, String kind) {
    ResourceKind everyday = EVERYDAY.get(key(apiVersion, kind));
    if (everyday != null) {
      return Optional.of(everyday);
    }
    String group = ObjectId.groupOf(apiVersion);
    List<ResourceKind> candidates =
        known(group.isEmpty() ? "/api" : "/apis").stream()
            .filter(one -> one.kind().equals(kind) && one.group().equals(group))
            .toList();
    return candidates.stream()
        .filter(one -> one.apiVersion().equals(apiVersion))
        .findFirst()
        .or(() -> candidates.stream().findFirst());
  }

  /** Every kind of the cluster's own that the server can scale. */
  synchronized List<ResourceKind> scalable() {
    return known("/apis").stream()
        .filter(kind -> kind.scalable() && kind.namespaced() && kind.group().contains("."))
        .toList();
  }

  /** A kind of any group by its name as people write it. */
  synchronized Optional<ResourceKind> byName(String said, String group) {
    return Stream.of("/apis", "/api")
        .flatMap(root -> known(root).stream())
        .filter(one -> one.plural().equals(said) || NamedObject.names(one.kind(), said))
        .filter(one -> group.isEmpty() || group.equals(one.group()))
        .findFirst();
  }

  private List<ResourceKind> known(String root) {
    if (System.nanoTime() - since > OLDEST.toNanos()) {
      byRoot.clear();
      since = System.nanoTime();
    }
    List<ResourceKind> before = byRoot.get(root);
    if (before != null) {
      return before;
    }
    List<ResourceKind> kinds = kindsUnder(root);
    if (!kinds.isEmpty()) {
      byRoot.put(root, kinds);
    }
    return kinds;
  }

  private List<ResourceKind> kindsUnder(String root) {
    ObjectTree answer = ask(root, EVERYTHING, OF_GROUPS, false);
    List<ResourceKind> kinds = new ArrayList<>();
    for (ObjectTree group : answer.list("items")) {
      String name = group.textOr("", "metadata", "name");
      for (ObjectTree version : group.list("versions")) {
        String apiVersion = (name.isEmpty() ? "" : name + "/") + version.textOr("", "version");
        version
            .list("resources")
            .forEach(resource ->
                kinds.add(
                    new ResourceKind(
                        apiVersion,
                        resource.textOr("", "responseKind", "kind"),
                        resource.textOr("", "resource"),
                        resource.textOr("", "scope").equals("Namespaced"),
                        resource.list("subresources").stream()
                            .anyMatch(part -> part.textOr("", "subresource").equals("scale")))));
      }
    }
    if (kinds.isEmpty() && root.equals("/api")) {
      return resourcesOf("v1");
    }
    answer.list("groups").stream()
        .flatMap(group -> group.list("versions").stream())
        .map(version -> version.textOr("", "groupVersion"))
        .forEach(apiVersion -> kinds.addAll(resourcesOf(apiVersion)));
    return kinds;
  }

  /** How a server before 1.27 has to be asked: version by version. */
  private List<ResourceKind> resourcesOf(String apiVersion) {
    String path = (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion;
    List<ObjectTree> resources = ask(path, ApiServer.JSON, OF_RESOURCES, true).list("resources");
    Set<String> names =
        resources.stream().map(resource -> resource.textOr("", "name")).collect(Collectors.toSet());
    return resources.stream()
        // A name with a slash is a part of an object, such as its status.
        .filter(resource -> !resource.textOr("/", "name").contains("/"))
        .map(resource ->
            new ResourceKind(
                apiVersion,
                resource.textOr("", "kind"),
                resource.textOr("", "name"),
                resource.isTrue("namespaced"),
                names.contains(resource.textOr("", "name") + "/scale")))
        .toList();
  }

  /**
   * Nothing where the server has nothing.
   *
   * @param behind whether another server may be behind it, which it goes without while that is away
   */
  private ObjectTree ask(String path, String accept, Projection projection, boolean behind) {
    try (ApiReply reply = ApiServer.orRefuse(api.get(path, accept))) {
      return ObjectParser.object(reply.body(), projection);
    } catch (ApiRefusal refusal) {
      if (refusal.missing() || (behind && refusal.status() == 503)) {
        return ObjectTree.EMPTY;
      }
      throw refusal;
    } catch (IOException broken) {
      throw api.brokenOff(broken);
    }
  }

  private static String key(String apiVersion, String kind) {
    return apiVersion + "/" + kind;
  }
}
