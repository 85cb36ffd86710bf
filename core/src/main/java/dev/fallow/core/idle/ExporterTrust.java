package dev.fallow.core.idle;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ExporterPod;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.idle.SeriesLabels.PodName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which series may prove idleness. Anyone who can get a pod scraped can publish a series that names
 * somebody else's card and says 0, so stillness is believed only from exporters: activity is
 * believed from anyone, since it can only spare a workload.
 *
 * <p>A target is known by the labels that Prometheus itself gave it, and of those by its namespace:
 * that is the administrator's word, while the names of pods and jobs are whoever's. Named
 * namespaces, where the operator names some, decide alone. Otherwise a target counts in a namespace
 * where exporters usually live, in one whose name tells of monitoring or of the platform and that
 * runs no GPU workloads, and in the workload's own; outside the usual places it has to sit on the
 * node whose card it speaks of. In {@code default}, where the exporter's own chart puts it unless
 * told otherwise, its name has to tell as well. What holds an accelerator itself is never an
 * exporter. Where labels are honoured and the target is gone, its job has to call itself an
 * exporter as soon as any job does.
 */
final class ExporterTrust {

  private static final Set<String> USUAL_PLACES =
      Set.of(
          "gpu-operator",
          "nvidia-gpu-operator",
          "nvidia",
          "nvidia-system",
          "dcgm",
          "amd-gpu",
          "amd-gpu-operator",
          "monitoring",
          "prometheus",
          "observability");
  private static final List<String> EXPORTER_WORDS =
      List.of("dcgm", "exporter", "gpu", "nvidia", "accelerator", "amd", "rocm");
  private static final List<String> MONITORING_WORDS =
      List.of(
          "dcgm",
          "exporter",
          "nvidia",
          "rocm",
          "gpu-operator",
          "monitor",
          "metrics",
          "observ",
          "prometheus",
          "telemetry");

  /** The same as whole words of a name: clusters' own people call their namespaces so. */
  private static final Set<String> PLATFORM_WORDS =
      Set.of(
          "gpu",
          "gpus",
          "amd",
          "infra",
          "infrastructure",
          "platform",
          "system",
          "ops",
          "sre",
          "datadog",
          "addons",
          "hardware");

  private static final List<String> USUAL_STARTS = List.of("kube-", "openshift-", "gke-", "gmp-");

  private final Optional<Predicate<String>> named;
  private final Map<String, String> nodeOfExporter = new HashMap<>();
  private final Set<String> holders = new HashSet<>();
  private final Set<String> tenants = new HashSet<>();
  private boolean exporterJobSeen;

  ExporterTrust(ClusterState cluster, List<UsageSeries> series, Optional<Predicate<String>> named) {
    this.named = named;
    for (ExporterPod pod : cluster.exporters()) {
      nodeOfExporter.put(pod.namespace() + "/" + pod.name(), pod.node());
    }
    for (GpuPod pod : cluster.pods()) {
      holders.add(pod.id().namespace() + "/" + pod.id().name());
      if (pod.live()) {
        tenants.add(pod.id().namespace());
      }
    }
    for (UsageSeries one : series) {
      String namespace = namespaceOf(one.labels());
      exporterJobSeen |= namespace.isEmpty() && has(EXPORTER_WORDS, one.labels().job());
    }
  }

  /** The exporter's own node, where its pod is known. */
  Optional<String> nodeOf(SeriesLabels labels) {
    PodName target = targetOf(labels);
    return Optional.ofNullable(nodeOfExporter.get(target.toString()))
        .filter(node -> !node.isEmpty());
  }

  /** Whether a series may prove that a device of a workload in this namespace is idle. */
  boolean provesIdle(SeriesLabels labels, String node, String workloadNamespace) {
    PodName target = targetOf(labels);
    if (!target.isNone() && holders.contains(target.toString())) {
      return false;
    }
    String namespace = namespaceOf(labels);
    if (named.isPresent()) {
      return namespace.isEmpty() || named.get().test(namespace);
    }
    if (namespace.isEmpty()) {
      return !exporterJobSeen || labels.job().isEmpty() || has(EXPORTER_WORDS, labels.job());
    }
    if (isUsualPlace(namespace)) {
      return true;
    }
    String targetNode = nodeOfExporter.getOrDefault(target.toString(), "");
    if (!targetNode.isEmpty() && !targetNode.equals(node)) {
      return false;
    }
    if (namespace.equals(workloadNamespace)) {
      return true;
    }
    return namespace.equals("default")
        ? has(EXPORTER_WORDS, target.name() + " " + labels.job())
        : !tenants.contains(namespace)
            && (has(MONITORING_WORDS, namespace)
                || Stream.of(namespace.split("-")).anyMatch(PLATFORM_WORDS::contains));
  }

  /** Whose word is not taken, for people. */
  String sourceOf(SeriesLabels labels) {
    PodName target = targetOf(labels);
    return target.isNone() ? "job " + labels.job() : target.toString();
  }

  /** The pod that was scraped, where the labels still tell it from the pod they speak of. */
  private PodName targetOf(SeriesLabels labels) {
    PodName plain = labels.plain();
    boolean honoured = labels.claimed().isNone() && holders.contains(plain.toString());
    return honoured ? PodName.NONE : plain;
  }

  /** Empty where labels are honoured and nothing of the target is left but its job. */
  private String namespaceOf(SeriesLabels labels) {
    String namespace = targetOf(labels).namespace();
    int slash = labels.job().indexOf('/');
    return namespace.isEmpty() && slash > 0 ? labels.job().substring(0, slash) : namespace;
  }

  private static boolean isUsualPlace(String namespace) {
    return USUAL_PLACES.contains(namespace)
        || USUAL_STARTS.stream().anyMatch(namespace::startsWith);
  }

  private static boolean has(List<String> words, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return words.stream().anyMatch(lower::contains);
  }
}
