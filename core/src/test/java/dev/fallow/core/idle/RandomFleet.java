package dev.fallow.core.idle;

import dev.fallow.core.fleet.Accelerators;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.GpuNode;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.OwnerRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;

/**
 * A small fleet full of accidents, from a seed: busy and idle and half-seen devices, shared nodes,
 * MIG slices, young and finished pods, two exporters, blanks. Its samples can be changed.
 */
public final class RandomFleet {

  public static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");

  final long seed;
  final Random random;
  final Duration window = Duration.ofMinutes(10);
  final List<GpuPod> pods = new ArrayList<>();
  final List<OwnerObject> owners = new ArrayList<>();
  final List<GpuNode> nodes = new ArrayList<>();
  final List<Line> lines = new ArrayList<>();

  /** One series that can still be changed. */
  static final class Line {
    final SeriesLabels labels;
    final String pod;
    final TreeMap<Long, Float> samples = new TreeMap<>();

    Line(SeriesLabels labels, String pod) {
      this.labels = labels;
      this.pod = pod;
    }

    Line copy() {
      Line copy = new Line(labels, pod);
      copy.samples.putAll(samples);
      return copy;
    }
  }

  public RandomFleet(long seed) {
    this.seed = seed;
    random = new Random(seed);
    int workloads = 1 + random.nextInt(3);
    for (int node = 0; node < 2; node++) {
      nodes.add(new GpuNode("n" + node, random.nextInt(4) == 0, "", Map.of(), Map.of()));
    }
    for (int w = 0; w < workloads; w++) {
      workload(w);
    }
  }

  private void workload(int w) {
    ObjectId owner = new ObjectId("apps", "StatefulSet", "ns" + w % 2, "w" + w, "owner-" + w);
    owners.add(
        new OwnerObject(
            owner,
            List.of(),
            Map.of(),
            List.of(),
            OptionalLong.of(1),
            false,
            random.nextInt(20) == 0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false,
            false,
            OptionalLong.empty()));
    int count = 1 + random.nextInt(2);
    for (int p = 0; p < count; p++) {
      pod(owner, "w" + w + "-" + p);
    }
  }

  private void pod(ObjectId owner, String name) {
    String node = "n" + random.nextInt(2);
    int gpus = 1 + random.nextInt(2);
    boolean mig = random.nextInt(5) == 0;
    boolean old = random.nextInt(6) != 0;
    Instant started = AT.minus(old ? Duration.ofHours(2) : Duration.ofMinutes(random.nextInt(16)));
    GpuPod.Phase phase = random.nextInt(12) == 0 ? GpuPod.Phase.SUCCEEDED : GpuPod.Phase.RUNNING;
    GpuPod pod =
        new GpuPod(
            new ObjectId("", "Pod", owner.namespace(), name, "pod-" + name),
            List.of(new OwnerRef(owner.group(), owner.kind(), owner.name(), owner.uid())),
            Optional.of(node),
            Optional.of(started),
            phase,
            false,
            Optional.of(started),
            Optional.of(started),
            phase == GpuPod.Phase.SUCCEEDED
                ? Optional.of(AT.minus(Duration.ofMinutes(3)))
                : Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "",
            new Accelerators(Map.of("nvidia.com/gpu", gpus)),
            Map.of(),
            Map.of());
    pods.add(pod);
    boolean shareCard = random.nextInt(5) == 0;
    for (int gpu = 0; gpu < gpus; gpu++) {
      if (random.nextInt(15) == 0) {
        continue;
      }
      String card = shareCard ? "card-" + node + "-" + gpu : "card-" + name + "-" + gpu;
      int exporters = 1 + (random.nextInt(6) == 0 ? 1 : 0);
      double level = random.nextInt(4) == 0 ? 0.5 : 0;
      for (int exporter = 0; exporter < exporters; exporter++) {
        if (mig || random.nextBoolean()) {
          lines.add(line("DCGM_FI_PROF_GR_ENGINE_ACTIVE", card, mig, pod, exporter, level));
        }
        lines.add(line("DCGM_FI_DEV_GPU_UTIL", card, mig, pod, exporter, 100 * level));
      }
    }
  }

  private Line line(
      String metric, String card, boolean mig, GpuPod pod, int exporter, double level) {
    Map<String, String> labels = new HashMap<>();
    labels.put("UUID", card);
    labels.put("Hostname", pod.node().orElseThrow());
    labels.put("job", "dcgm-exporter");
    labels.put("instance", "exporter-" + exporter);
    if (mig) {
      labels.put("GPU_I_ID", "1");
    }
    if (random.nextInt(3) == 0) {
      labels.put("exported_pod", pod.id().name());
      labels.put("exported_namespace", pod.id().namespace());
      labels.put("pod", "dcgm-exporter-x");
      labels.put("namespace", "gpu-operator");
    } else {
      labels.put("pod", pod.id().name());
      labels.put("namespace", pod.id().namespace());
    }
    Line line = new Line(SeriesLabels.of(metric, labels).orElseThrow(), pod.id().name());
    long step = 15_000L * (1 + random.nextInt(2));
    long offset = random.nextInt(15_000);
    double loss = random.nextInt(3) == 0 ? random.nextDouble() * 0.3 : 0;
    boolean burst = random.nextInt(6) == 0;
    long from = AT.toEpochMilli() - window.toMillis() - 600_000;
    for (long t = AT.toEpochMilli() - offset; t > from; t -= step) {
      if (random.nextDouble() >= loss) {
        double value = random.nextInt(200) == 0 ? 4294967295.0 : level * random.nextDouble();
        if (burst && random.nextInt(20) == 0) {
          value = metric.contains("PROF") ? 0.9 : 90;
        }
        line.samples.put(t, (float) value);
      }
    }
    return line;
  }

  Map<String, Verdict> verdicts() {
    return byName(assessments(1));
  }

  public List<Assessment> assessments(int scale) {
    return Judge.judge(cluster(scale), usage(scale), AT, rule(scale), Optional.empty());
  }

  /** As if the source had been asked for no more than this. */
  Map<String, Verdict> verdictsOfWhatReaches(Duration reach) {
    return byName(Judge.judge(cluster(1), usage(1).within(reach), AT, rule(1), Optional.empty()));
  }

  /** The same fleet with everything in another order. */
  Map<String, Verdict> shuffledVerdicts(long seed) {
    Random order = new Random(seed);
    Collections.shuffle(pods, order);
    Collections.shuffle(owners, order);
    Collections.shuffle(nodes, order);
    Collections.shuffle(lines, order);
    return verdicts();
  }

  IdleRule rule(int scale) {
    return new IdleRule(
        window.multipliedBy(scale),
        Duration.ofMinutes(2).multipliedBy(scale),
        0.01,
        OptionalDouble.empty());
  }

  private ClusterState cluster(int scale) {
    List<GpuPod> scaled = pods.stream().map(pod -> scaled(pod, scale)).toList();
    return new ClusterState(scaled, nodes, owners, List.of(), List.of(), List.of());
  }

  private static GpuPod scaled(GpuPod pod, int scale) {
    return new GpuPod(
        pod.id(),
        pod.controllers(),
        pod.node(),
        pod.bound().map(time -> scaled(time, scale)),
        pod.phase(),
        pod.terminating(),
        pod.created().map(time -> scaled(time, scale)),
        pod.started().map(time -> scaled(time, scale)),
        pod.ended().map(time -> scaled(time, scale)),
        pod.readySince(),
        pod.unreadySince(),
        pod.revision(),
        pod.accelerators(),
        pod.labels(),
        pod.annotations());
  }

  private static Instant scaled(Instant time, int scale) {
    return AT.minus(Duration.between(time, AT).multipliedBy(scale));
  }

  private Usage.Complete usage(int scale) {
    long at = AT.toEpochMilli();
    return new Usage.Complete(
        lines.stream()
            .map(line -> {
              Samples.Builder samples = new Samples.Builder(AT);
              line.samples.forEach((t, v) -> samples.add(at - (at - t) * scale, v));
              return new UsageSeries(line.labels, samples.build());
            })
            .toList());
  }

  static Map<String, Verdict> byName(List<Assessment> assessments) {
    Map<String, Verdict> verdicts = new LinkedHashMap<>();
    assessments.forEach(a -> verdicts.put(a.workload().root().toString(), a.verdict()));
    return verdicts;
  }

  /** The usual spacing of each device that each pod shows. */
  Map<String, Long> spacings() {
    Map<String, Long> spacings = new HashMap<>();
    for (Assessment assessment : assessments(1)) {
      for (PodFinding pod : assessment.pods()) {
        for (DeviceFinding device : pod.devices()) {
          spacings.put(
              pod.pod().id() + " " + device.device() + " " + device.main(),
              device.coverage().spacingMillis());
        }
      }
    }
    return spacings;
  }
}
