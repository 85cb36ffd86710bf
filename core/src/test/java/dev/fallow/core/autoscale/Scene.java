package dev.fallow.core.autoscale;

import dev.fallow.core.fleet.Accelerators;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ExporterPod;
import dev.fallow.core.fleet.GpuNode;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.OwnerRef;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.UsageSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/** A small cluster and what was measured in it, put together line by line. */
final class Scene {

  static final Instant NOW = Instant.parse("2026-11-02T12:00:00Z");
  static final String UTIL = "DCGM_FI_DEV_GPU_UTIL";
  static final String ENGINE = "DCGM_FI_PROF_GR_ENGINE_ACTIVE";
  static final String COPY = "DCGM_FI_DEV_MEM_COPY_UTIL";
  static final String DRAM = "DCGM_FI_PROF_DRAM_ACTIVE";
  static final long STEP = 15_000;

  private final List<GpuPod> pods = new ArrayList<>();
  private final Map<String, OwnerObject> owners = new LinkedHashMap<>();
  private final Map<String, GpuNode> nodes = new LinkedHashMap<>();
  private final Map<Feed, List<UsageSeries>> feeds = new LinkedHashMap<>();
  private final List<Surroundings.ServiceFacts> services = new ArrayList<>();
  private final List<ExporterPod> exporters =
      new ArrayList<>(List.of(new ExporterPod("gpu-operator", "dcgm-x", "n1", true)));
  private Optional<Predicate<String>> exporterNamespaces = Optional.empty();
  private final Set<Feed> unread = new HashSet<>();
  private final Set<Feed> partly = new HashSet<>();

  /** A pod that can still be changed before it is put into the scene. */
  final class Pod {
    private final String deployment;
    private final String name;
    private String namespace = "ml";
    private String node = "n1";
    private int gpus = 1;
    private String resource = "nvidia.com/gpu";
    private Instant started = NOW.minus(Duration.ofHours(1));
    private Optional<Instant> ready = Optional.of(NOW.minus(Duration.ofMinutes(50)));
    private Optional<Instant> unready = Optional.empty();
    private GpuPod.Phase phase = GpuPod.Phase.RUNNING;
    private final Map<String, String> annotations = new HashMap<>();

    Pod(String deployment, String name) {
      this.deployment = deployment;
      this.name = name;
    }

    Pod in(String other) {
      namespace = other;
      return this;
    }

    Pod on(String other) {
      node = other;
      return this;
    }

    Pod gpus(int count) {
      gpus = count;
      return this;
    }

    Pod asking(String other) {
      resource = other;
      return this;
    }

    Pod phase(GpuPod.Phase other) {
      phase = other;
      return this;
    }

    Pod started(Duration ago) {
      started = NOW.minus(ago);
      return this;
    }

    Pod ready(Duration ago) {
      ready = Optional.of(NOW.minus(ago));
      return this;
    }

    Pod unready(Duration ago) {
      ready = Optional.empty();
      unready = Optional.of(NOW.minus(ago));
      return this;
    }

    Pod annotated(String key, String value) {
      annotations.put(key, value);
      return this;
    }

    Scene there() {
      ObjectId set =
          new ObjectId("apps", "ReplicaSet", namespace, deployment + "-rs", deployment + "-rs");
      ObjectId top = new ObjectId("apps", "Deployment", namespace, deployment, deployment + "-uid");
      owners.put(top.uid(), owner(top, List.of(), OptionalLong.of(1)));
      owners.put(set.uid(), owner(set, List.of(reference(top)), OptionalLong.of(1)));
      nodes.putIfAbsent(node, new GpuNode(node, false, "", Map.of(), Map.of()));
      pods.add(
          new GpuPod(
              new ObjectId("", "Pod", namespace, name, "uid-" + name),
              List.of(reference(set)),
              Optional.of(node),
              Optional.of(started),
              phase,
              false,
              Optional.of(started),
              Optional.of(started),
              Optional.empty(),
              ready,
              unready,
              "",
              new Accelerators(Map.of(resource, gpus)),
              Map.of("app", deployment),
              annotations));
      return Scene.this;
    }
  }

  Pod pod(String deployment, String name) {
    return new Pod(deployment, name);
  }

  Scene ready(String deployment, String... names) {
    for (String name : names) {
      pod(deployment, name).there();
    }
    return this;
  }

  /** The Deployment, with pods or without, is asked to run so many. */
  Scene scaledTo(String deployment, long replicas) {
    ObjectId top = new ObjectId("apps", "Deployment", "ml", deployment, deployment + "-uid");
    owners.put(top.uid(), owner(top, List.of(), OptionalLong.of(replicas)));
    return this;
  }

  Scene sharing(String node) {
    nodes.put(node, new GpuNode(node, true, "", Map.of(), Map.of()));
    return this;
  }

  Scene service(String name, String app) {
    services.add(new Surroundings.ServiceFacts("ml", name, Map.of("app", app)));
    return this;
  }

  /** A pod of the namespace that holds no GPU. */
  Scene withoutGpu(String name, boolean live) {
    exporters.add(new ExporterPod("ml", name, "n1", live));
    return this;
  }

  /** As an operator names them. */
  Scene exporterNamespaces(String... names) {
    exporterNamespaces = Optional.of(List.of(names)::contains);
    return this;
  }

  /** The source did not answer for these. */
  Scene unread(String... metrics) {
    for (String metric : metrics) {
      unread.add(Feed.of(metric).orElseThrow());
    }
    return this;
  }

  /** The source answered for a part of this. */
  Scene partly(String metric) {
    Feed feed = Feed.of(metric).orElseThrow();
    partly.add(feed);
    feeds.computeIfAbsent(feed, key -> new ArrayList<>());
    return this;
  }

  /** A card of a pod, with the same value at every look of the last five minutes. */
  Scene card(String metric, String card, String node, String pod, double value) {
    return series(metric, labels(card, node, pod), every15s(value));
  }

  static Map<String, String> labels(String card, String node, String pod) {
    Map<String, String> labels = new HashMap<>();
    labels.put("UUID", card);
    labels.put("Hostname", node);
    labels.put("modelName", "NVIDIA H100");
    labels.put("pod", "dcgm-x");
    labels.put("namespace", "gpu-operator");
    labels.put("job", "dcgm-exporter");
    if (!pod.isEmpty()) {
      labels.put("exported_pod", pod);
      labels.put("exported_namespace", "ml");
    }
    return labels;
  }

  static Map<String, String> with(Map<String, String> labels, String key, String value) {
    Map<String, String> more = new HashMap<>(labels);
    more.put(key, value);
    return more;
  }

  static double[][] every15s(double value) {
    double[][] points = new double[20][];
    for (int i = 0; i < 20; i++) {
      points[i] = new double[] {-STEP * i / 1000.0 - 5, value};
    }
    return points;
  }

  /**
   * @param points seconds from now, and values
   */
  Scene series(String metric, Map<String, String> labels, double[]... points) {
    Samples.Builder samples = new Samples.Builder(NOW);
    for (double[] point : points) {
      samples.add(NOW.toEpochMilli() + Math.round(1000 * point[0]), point[1]);
    }
    Feed feed = Feed.of(metric).orElseThrow();
    feeds
        .computeIfAbsent(feed, key -> new ArrayList<>())
        .add(
            new UsageSeries(
                SeriesLabels.ofAny(metric, labels), samples.build(), Map.copyOf(labels)));
    return this;
  }

  Numbers numbers() {
    Map<Feed, Readings.Seen> seen = new HashMap<>();
    for (Measure measure : Measure.values()) {
      measure.feeds().forEach(feed -> seen.put(feed, new Readings.Seen(NOW, List.of())));
    }
    feeds.forEach(
        (feed, series) -> seen.put(feed, new Readings.Seen(NOW, series, !partly.contains(feed))));
    unread.forEach(seen::remove);
    ClusterState cluster =
        new ClusterState(
            pods,
            List.copyOf(nodes.values()),
            List.copyOf(owners.values()),
            List.of(),
            exporters,
            List.of());
    return new Numbers(
        new Readings(NOW, cluster, new Surroundings(services, List.of()), seen),
        exporterNamespaces);
  }

  ReadBook book() {
    return new ReadBook(numbers(), Set.of());
  }

  private static OwnerRef reference(ObjectId id) {
    return new OwnerRef(id.group(), id.kind(), id.name(), id.uid());
  }

  private static OwnerObject owner(ObjectId id, List<OwnerRef> controllers, OptionalLong replicas) {
    return new OwnerObject(
        id,
        controllers,
        Map.of(),
        List.of(),
        replicas,
        false,
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false,
        false,
        OptionalLong.empty());
  }
}
