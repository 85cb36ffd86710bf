package dev.fallow.server.metricsapi;

import dev.fallow.core.autoscale.MetricBook.Resource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a path asks for. */
sealed interface MetricPath {

  MetricsGroup group();

  String version();

  /** The right that reading it takes. */
  Access access();

  /** The list of what there is. */
  record Discovery(MetricsGroup group, String version) implements MetricPath {
    @Override
    public Access access() {
      return new Access.OfPath("/apis/" + group.group() + "/" + version);
    }
  }

  /**
   * A number of objects, each by itself.
   *
   * @param resource as the path has it, such as {@code deployments.apps}
   * @param namespace empty for objects of the cluster
   * @param name {@code *} for all that a selector fits
   */
  record OfObjects(String version, String resource, String namespace, String name, String metric)
      implements MetricPath {

    @Override
    public MetricsGroup group() {
      return MetricsGroup.CUSTOM;
    }

    boolean ofAll() {
      return name.equals("*");
    }

    Resource kind() {
      int dot = resource.indexOf('.');
      return dot < 0
          ? new Resource("", resource)
          : new Resource(resource.substring(dot + 1), resource.substring(0, dot));
    }

    @Override
    public Access access() {
      return new Access.OfResource(
          "get", group().group(), version, resource, metric, namespace, name);
    }
  }

  /** A number of a namespace as a whole. */
  record OfNamespace(String version, String namespace, String metric) implements MetricPath {

    @Override
    public MetricsGroup group() {
      return MetricsGroup.CUSTOM;
    }

    @Override
    public Access access() {
      return new Access.OfResource(
          "get", group().group(), version, "metrics", "", namespace, metric);
    }
  }

  /** Numbers that belong to no object. The path names no single one, so reading it is listing. */
  record External(String version, String namespace, String metric) implements MetricPath {

    @Override
    public MetricsGroup group() {
      return MetricsGroup.EXTERNAL;
    }

    @Override
    public Access access() {
      return new Access.OfResource("list", group().group(), version, metric, "", namespace, "");
    }
  }

  /** Nothing for a path that these APIs do not have. */
  static Optional<MetricPath> of(List<String> path) {
    if (path.size() < 3
        || !path.getFirst().equals("apis")
        || path.stream().anyMatch(MetricPath::isNoName)) {
      return Optional.empty();
    }
    String version = path.get(2);
    return MetricsGroup.named(path.get(1))
        .filter(group -> group.versions().contains(version))
        .flatMap(group -> {
          List<String> rest = path.subList(3, path.size());
          if (rest.isEmpty()) {
            return Optional.of(new Discovery(group, version));
          }
          return switch (group) {
            case CUSTOM -> custom(version, rest);
            case EXTERNAL -> external(version, rest);
          };
        });
  }

  private static Optional<MetricPath> custom(String version, List<String> rest) {
    boolean inNamespace = rest.getFirst().equals("namespaces");
    if (inNamespace && rest.size() == 4 && rest.get(2).equals("metrics")) {
      return Optional.of(new OfNamespace(version, rest.get(1), rest.get(3)));
    }
    if (inNamespace && rest.size() == 5) {
      // Who may read a namespace's numbers may not therefore read the cluster's.
      return Optional.of(new OfObjects(version, rest.get(2), rest.get(1), rest.get(3), rest.get(4)))
          .filter(path -> isResource(path.resource()) && !OF_THE_CLUSTER.contains(path.kind()))
          .map(path -> path);
    }
    return !inNamespace && rest.size() == 3 && isResource(rest.getFirst())
        ? Optional.of(new OfObjects(version, rest.get(0), "", rest.get(1), rest.get(2)))
        : Optional.empty();
  }

  private static Optional<MetricPath> external(String version, List<String> rest) {
    return rest.size() == 3 && rest.getFirst().equals("namespaces")
        ? Optional.of(new External(version, rest.get(1), rest.get(2)))
        : Optional.empty();
  }

  Set<Resource> OF_THE_CLUSTER = Set.of(Resource.NODES, Resource.NAMESPACES);

  /** A resource has one name here: {@code nodes.} would be another for nodes. */
  private static boolean isResource(String segment) {
    return !segment.startsWith(".") && !segment.endsWith(".") && !segment.contains("..");
  }

  /** What no object and no metric can be called: it could be read as another path elsewhere. */
  private static boolean isNoName(String segment) {
    return segment.isEmpty() || segment.indexOf('/') >= 0 || segment.indexOf('%') >= 0;
  }
}
