package dev.fallow.core.autoscale;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.idle.UsageSeries;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Whose scraping is believed where pods tell of themselves. Whoever sets up a job can have its
 * targets honour labels, and so speak in the name of any pod. The Prometheus operator calls a
 * PodMonitor's job after the PodMonitor, its namespace first: a job of a namespace that runs GPU
 * workloads of its own speaks for that namespace alone, unless the operator of the cluster has
 * named it. Whatever else stands before a slash is no tenant's.
 */
final class ScrapeTrust {

  private final Set<String> tenants = new HashSet<>();
  private final Optional<Predicate<String>> named;

  /**
   * @param named where exporters live, if the operator has said so
   */
  ScrapeTrust(ClusterState cluster, Optional<Predicate<String>> named) {
    this.named = named;
    for (GpuPod pod : cluster.pods()) {
      if (pod.live()) {
        tenants.add(pod.id().namespace());
      }
    }
  }

  /** Whether a series speaks for the pod that it says was scraped. */
  boolean believes(UsageSeries series) {
    String job = series.labels().job();
    int slash = job.indexOf('/');
    String namespace = slash < 0 ? "" : job.substring(0, slash);
    return !tenants.contains(namespace)
        || namespace.equals(series.labels().plain().namespace())
        || named.filter(places -> places.test(namespace)).isPresent();
  }

  /** Why a job is not believed, and the cure. */
  static String why(String job) {
    return "the job "
        + job
        + " that scraped it is of another namespace with GPU workloads, which might speak in"
        + " anybody's name; scrape it by a job of its own namespace, or name that namespace in"
        + " --exporter-namespaces beside those of your exporters";
  }
}
