package dev.fallow.adapters.kubernetes;

import dev.fallow.core.fleet.ObjectTree;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds where the objects of a kind live. The everyday kinds are known; for another the API server
 * is asked, once per group and version.
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

  private static final Projection RESOURCES =
      Projection.of("resources.name", "resources.kind", "resources.namespaced");

  private final ApiServer api;
  private final Map<String, List<ResourceKind>> asked = new HashMap<>();

  KindCatalog(ApiServer api) {
    this.api = api;
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
    Optional<ResourceKind> here = among(resourcesOf(apiVersion), kind);
    if (here.isPresent() || !apiVersion.contains("/")) {
      return here;
    }
    String group = apiVersion.substring(0, apiVersion.indexOf('/'));
    String preferred =
        ask("/apis/" + ResourceKind.encoded(group), Projection.of("preferredVersion"))
            .textOr("", "preferredVersion", "groupVersion");
    return preferred.isEmpty() || preferred.equals(apiVersion)
        ? Optional.empty()
        : among(resourcesOf(preferred), kind);
  }

  private static Optional<ResourceKind> among(List<ResourceKind> kinds, String kind) {
    return kinds.stream().filter(one -> one.kind().equals(kind)).findFirst();
  }

  private List<ResourceKind> resourcesOf(String apiVersion) {
    List<ResourceKind> known = asked.get(apiVersion);
    if (known != null) {
      return known;
    }
    String path =
        Stream.of(apiVersion.split("/"))
            .map(ResourceKind::encoded)
            .collect(Collectors.joining("/", apiVersion.contains("/") ? "/apis/" : "/api/", ""));
    List<ResourceKind> found =
        ask(path, RESOURCES).list("resources").stream()
            // A name with a slash is a part of an object, such as its status.
            .filter(resource -> !resource.textOr("/", "name").contains("/"))
            .map(resource ->
                new ResourceKind(
                    apiVersion,
                    resource.textOr("", "kind"),
                    resource.textOr("", "name"),
                    resource.isTrue("namespaced")))
            .toList();
    asked.put(apiVersion, found);
    return found;
  }

  /** Nothing where the server has nothing. */
  private ObjectTree ask(String path, Projection projection) {
    try (ApiReply reply = ApiServer.orRefuse(api.get(path, ApiServer.JSON))) {
      return ObjectParser.object(reply.body(), projection);
    } catch (ApiRefusal refusal) {
      if (refusal.missing()) {
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
