package dev.fallow.bench;

import dev.fallow.core.idle.Signal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The fleet that the figures are measured on: Deployments of four pods unless another number is
 * asked for, one GPU a pod, nodes of eight GPUs. Where nothing else is said its moment lies far in
 * the future, so that whatever an API server creates today is old by then and no clock matters.
 *
 * @param pods a multiple of eight
 * @param idle so many Deployments
 * @param of so many are idle
 * @param replicas pods of a Deployment
 * @param at the moment that its samples lead up to
 */
record BenchFleet(int pods, int idle, int of, int replicas, Instant at) {

  static final int GPUS_OF_NODE = 8;

  /** Samples of the whole look-back and window lie in one block of two hours. */
  static final Instant AT = Instant.parse("2040-01-01T01:50:00Z");

  static final String EXPORTER_NAMESPACE = "gpu-operator";
  static final String EXPORTER = "nvidia-dcgm-exporter";

  /** What dcgm-exporter shows of a data-centre card with its usual list of counters. */
  static final List<Signal> SIGNALS =
      List.of(
          Signal.GR_ENGINE_ACTIVE,
          Signal.TENSOR_ACTIVE,
          Signal.DRAM_ACTIVE,
          Signal.GPU_UTIL,
          Signal.MEM_COPY_UTIL,
          Signal.ENC_UTIL,
          Signal.DEC_UTIL);

  private static final Duration INTERVAL = Duration.ofSeconds(30);
  private static final int NAMESPACES = 50;

  /** Two fifths of the Deployments are idle. */
  BenchFleet(int pods) {
    this(pods, 2, 5);
  }

  BenchFleet(int pods, int idle, int of) {
    this(pods, idle, of, 4, AT);
  }

  BenchFleet ofReplicas(int number) {
    return new BenchFleet(pods, idle, of, number, at);
  }

  BenchFleet at(Instant moment) {
    return new BenchFleet(pods, idle, of, replicas, moment);
  }

  /** When its containers did. */
  Instant started() {
    return at.minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS);
  }

  int idlePods() {
    return (int) IntStream.range(0, deployments()).filter(this::isIdle).count() * replicas;
  }

  private boolean isIdle(int deployment) {
    return deployment % of < idle;
  }

  int nodes() {
    return pods / GPUS_OF_NODE;
  }

  int deployments() {
    return pods / replicas;
  }

  int namespaces() {
    return Math.min(NAMESPACES, deployments());
  }

  String namespace(int deployment) {
    return "team-" + deployment % NAMESPACES;
  }

  String deployment(int deployment) {
    return "inference-server-" + deployment;
  }

  String replicaSet(int deployment) {
    return deployment(deployment) + "-" + hex(deployment, 10);
  }

  String pod(int pod) {
    return replicaSet(pod / replicas) + "-" + hex(~pod, 8);
  }

  String node(int pod) {
    return "gpu-node-" + pod / GPUS_OF_NODE;
  }

  String exporter(int node) {
    return EXPORTER + "-" + hex(31 * node + 7, 5) + "-" + node;
  }

  /** A multiple of thirty seconds and the scrape's own delay: one moment for all of a node. */
  long millis(int pod, int sample) {
    long newest = at.toEpochMilli() - 100 - 977L * (pod / GPUS_OF_NODE) % INTERVAL.toMillis();
    return newest - sample * INTERVAL.toMillis();
  }

  /** Ninety minutes of what proves idleness, thirty of what only proves activity. */
  int samples(Signal signal) {
    return Signal.mains().contains(signal) ? 180 : 60;
  }

  double value(int pod, Signal signal, int sample) {
    int deployment = pod / replicas;
    if (isIdle(deployment)) {
      return 0;
    }
    int percent = (int) Math.floorMod(mix(31L * pod + sample), 101L);
    return signal.scale() == Signal.Scale.RATIO ? percent / 100.0 + 0.000123 : percent;
  }

  /** The labels as Prometheus stores them where the exporter's own are moved aside. */
  Map<String, String> labels(int pod) {
    int card = pod % GPUS_OF_NODE;
    int node = pod / GPUS_OF_NODE;
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("DCGM_FI_DRIVER_VERSION", "570.124.06");
    labels.put("Hostname", node(pod));
    labels.put("UUID", "GPU-" + new UUID(mix(pod), mix(~pod)));
    labels.put("container", EXPORTER);
    labels.put("device", "nvidia" + card);
    labels.put("endpoint", "gpu-metrics");
    labels.put("exported_container", "main");
    labels.put("exported_namespace", namespace(pod / replicas));
    labels.put("exported_pod", pod(pod));
    labels.put("gpu", "" + card);
    labels.put(
        "instance", "10." + (node >> 16) + "." + (node >> 8 & 255) + "." + (node & 255) + ":9400");
    labels.put("job", EXPORTER);
    labels.put("modelName", "NVIDIA A100-SXM4-80GB");
    labels.put("namespace", EXPORTER_NAMESPACE);
    labels.put("pci_bus_id", "00000000:0" + card + ":00.0");
    labels.put("pod", exporter(node));
    labels.put("service", EXPORTER);
    return labels;
  }

  private static String hex(long number, int digits) {
    return "%016x".formatted(mix(number)).substring(0, digits);
  }

  private static long mix(long value) {
    long mixed = (value + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 31)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 29);
  }
}
