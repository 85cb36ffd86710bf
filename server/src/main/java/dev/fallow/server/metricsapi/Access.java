package dev.fallow.server.metricsapi;

/** What somebody wants to do, in the words of the cluster's authorizers. */
public sealed interface Access {

  /**
   * Reading numbers.
   *
   * @param resource as the path has it, such as {@code deployments.apps}
   * @param namespace empty for objects of the cluster
   */
  record OfResource(
      String verb,
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name)
      implements Access {

    /** {@code get pods/gpu_utilization.custom.metrics.k8s.io in ml}. */
    @Override
    public String toString() {
      return verb
          + " "
          + resource
          + (subresource.isEmpty() ? "" : "/" + subresource)
          + "."
          + group
          + (namespace.isEmpty() ? "" : " in " + namespace);
    }
  }

  /** Reading a document. */
  record OfPath(String path) implements Access {
    @Override
    public String toString() {
      return "get " + path;
    }
  }
}
