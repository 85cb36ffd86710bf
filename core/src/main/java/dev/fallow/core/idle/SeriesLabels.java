package dev.fallow.core.idle;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the labels of one exporter series say, whatever form the exporter and Prometheus gave them:
 * the present and the old names, {@code Hostname} and {@code hostname}, honorLabels on and off.
 * Nothing here is believed yet; that takes the pods (see {@link Attribution}).
 *
 * @param family whose series it is
 * @param card the card's UUID, else what tells it from the node's others
 * @param migInstance the GPU instance on that card, empty for a whole card
 * @param partition of which part of an AMD card that is cut into several it is, if it is
 * @param host the node as the exporter names it, in small letters as Kubernetes has them; empty if
 *     it does not
 * @param claimed the pod that is named beside the scrape target's own labels, usually by {@code
 *     exported_} ones
 * @param plain the pod that the plain labels name: the workload's where labels are honoured, the
 *     exporter's own otherwise
 * @param podUid the UID of the pod, where the exporter tells it
 * @param virtual whether the exporter writes a copy for each pod that shares the card
 * @param stream what tells one exporter, Prometheus or replica from another on the same device
 */
public record SeriesLabels(
    MetricFamily family,
    String card,
    String migInstance,
    String migProfile,
    Partition partition,
    String model,
    String host,
    String node,
    PodName claimed,
    PodName plain,
    String podUid,
    boolean virtual,
    String job,
    long stream) {

  private static final Pattern NVIDIA_UUID =
      Pattern.compile("(?i)(?<prefix>GPU-|MIG-).+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /** What a card that is not cut tells of that; one that cannot be cut tells none. */
  private static final Set<String> WHOLE = Set.of("", "spx", "none");

  /**
   * A part of an AMD card is a card of its own. Its exporter tells power of the first for the whole
   * card, and of the others neither power nor activity, or writes them as zeros.
   */
  public enum Partition {
    NONE,
    FIRST,
    LATER
  }

  /** A pod as labels name it; both parts empty where they name none. */
  public record PodName(String namespace, String name) {
    static final PodName NONE = new PodName("", "");

    static PodName of(String namespace, String name) {
      return name.isEmpty() ? NONE : new PodName(namespace, name);
    }

    public boolean isNone() {
      return name.isEmpty();
    }

    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }

  /** The labels of a series that shows use; nothing for one of any other family. */
  public static Optional<SeriesLabels> of(String metric, Map<String, String> labels) {
    MetricFamily family = MetricFamily.of(metric);
    return family.signal().isPresent() ? Optional.of(read(family, labels)) : Optional.empty();
  }

  /** The labels of a series, whatever it measures. */
  public static SeriesLabels ofAny(String metric, Map<String, String> labels) {
    return read(MetricFamily.of(metric), labels);
  }

  /**
   * What the series shows.
   *
   * @throws java.util.NoSuchElementException if its family is not one that shows use
   */
  public Signal signal() {
    return family.signal().orElseThrow();
  }

  public boolean shows(Signal signal) {
    return family.signal().isPresent() && family.signal().get() == signal;
  }

  /**
   * Whether the value may be that of one pod's processes. Such a one says nothing of the device: an
   * exporter that may not look at processes writes zeros for all.
   */
  boolean ofProcesses() {
    return virtual && !podUid.isEmpty() && shows(Signal.GPU_UTIL);
  }

  public boolean mig() {
    return !migInstance.isEmpty();
  }

  private static SeriesLabels read(MetricFamily family, Map<String, String> labels) {
    return new SeriesLabels(
        family,
        cardOf(labels),
        instanceOf(labels),
        first(labels, "GPU_I_PROFILE"),
        partition(labels),
        first(labels, "modelName", "model_name", "card_model"),
        first(labels, "Hostname", "hostname").toLowerCase(Locale.ROOT),
        first(labels, "node").toLowerCase(Locale.ROOT),
        claimed(labels),
        PodName.of(first(labels, "namespace", "pod_namespace"), first(labels, "pod", "pod_name")),
        first(labels, "pod_uid", "pod_uuid"),
        !first(labels, "vgpu").isEmpty(),
        first(labels, "job"),
        streamOf(family.name(), labels));
  }

  /**
   * The pod beside the scrape target's own: moved aside by Prometheus, or under an old exporter's
   * names, which never collide and so never move.
   */
  private static PodName claimed(Map<String, String> labels) {
    PodName moved =
        PodName.of(
            first(labels, "exported_namespace", "exported_pod_namespace"),
            first(labels, "exported_pod", "exported_pod_name"));
    boolean oldBesideTarget = moved.isNone() && !first(labels, "pod").isEmpty();
    return oldBesideTarget
        ? PodName.of(first(labels, "pod_namespace"), first(labels, "pod_name"))
        : moved;
  }

  private static String cardOf(Map<String, String> labels) {
    String uuid = uuidOf(labels);
    if (!uuid.isEmpty()) {
      return uuid;
    }
    String partition = first(labels, "gpu_partition_id");
    String serial = first(labels, "serial_number");
    String index = first(labels, "gpu", "gpu_id", "device", "pci_bus_id", "minor_number");
    String amd = serial.isEmpty() ? "" : serial + "/";
    return amd + index + (partition.isEmpty() ? "" : "/" + partition);
  }

  /** NVIDIA's as NVIDIA writes them, in whatever letters they come: one card has one name. */
  private static String uuidOf(Map<String, String> labels) {
    String uuid = first(labels, "UUID", "uuid", "gpu_uuid");
    Matcher spelled = NVIDIA_UUID.matcher(uuid);
    if (!spelled.matches()) {
      return uuid;
    }
    String small = uuid.toLowerCase(Locale.ROOT);
    String usual =
        spelled.group("prefix") == null
            ? "GPU-" + small
            : small.substring(0, 4).toUpperCase(Locale.ROOT) + small.substring(4);
    return usual.equals(uuid) ? uuid : usual;
  }

  /** By its number on the card; exporters and rules that drop that label leave other signs. */
  private static String instanceOf(Map<String, String> labels) {
    String named = first(labels, "GPU_I_ID", "dra_mig_device_uuid", "GPU_I_PROFILE");
    String uuid = uuidOf(labels);
    return named.isEmpty() && uuid.startsWith("MIG-") ? uuid.substring("MIG-".length()) : named;
  }

  private static Partition partition(Map<String, String> labels) {
    String id = first(labels, "gpu_partition_id");
    String type = first(labels, "gpu_compute_partition_type");
    if (!id.isEmpty() && !id.equals("0")) {
      return Partition.LATER;
    }
    return WHOLE.contains(type.toLowerCase(Locale.ROOT)) ? Partition.NONE : Partition.FIRST;
  }

  private static String first(Map<String, String> labels, String... names) {
    for (String name : names) {
      String value = labels.get(name);
      if (value != null && !value.isEmpty()) {
        return value;
      }
    }
    return "";
  }

  /**
   * A hash of the labels that tell who looked: the scraped target and the Prometheus. A card whose
   * pod, or what the exporter copies of that pod's labels, changes stays one stream; the same card
   * seen by two exporters or two Prometheis is two. Order does not matter.
   */
  private static long streamOf(String metric, Map<String, String> labels) {
    long hash = metric.hashCode();
    for (Map.Entry<String, String> label : labels.entrySet()) {
      if (ofTheWatcher(label.getKey())) {
        long one = 31L * label.getKey().hashCode() + label.getValue().hashCode();
        hash += mix(one);
      }
    }
    return hash;
  }

  private static boolean ofTheWatcher(String label) {
    return switch (label) {
      case "job", "instance", "prometheus" -> true;
      default -> label.contains("replica");
    };
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 32)) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 29);
  }
}
