package dev.fallow.core.fleet;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A node as far as its accelerators go.
 *
 * @param sharing whether the node hands one card to several pods (time-slicing, MPS)
 * @param model the card its labels name, empty if they name none
 * @param capacity accelerators it can hand out, by resource name
 * @param labels those that say where and what it is: instance type, zone, capacity type, and how it
 *     hands out MIG instances
 */
public record GpuNode(
    String name,
    boolean sharing,
    String model,
    Map<String, Integer> capacity,
    Map<String, String> labels) {

  private static final Set<String> TELLING_LABELS =
      Set.of(
          "node.kubernetes.io/instance-type",
          "topology.kubernetes.io/zone",
          "karpenter.sh/capacity-type",
          "eks.amazonaws.com/capacityType",
          "cloud.google.com/gke-spot",
          "kubernetes.azure.com/scalesetpriority",
          "nvidia.com/gpu.memory");

  /** What feature discovery says of one profile of MIG instances that a node hands out. */
  private static final Pattern OF_INSTANCES =
      Pattern.compile("nvidia\\.com/mig-.+\\.(sharing-strategy|replicas|product)");

  public GpuNode {
    capacity = Map.copyOf(capacity);
    labels = Map.copyOf(labels);
  }

  /** Whether it is spare capacity, cheaper and taken back at any time, as clouds label it. */
  public boolean spot() {
    return says("karpenter.sh/capacity-type", "spot")
        || says("eks.amazonaws.com/capacityType", "spot")
        || says("cloud.google.com/gke-spot", "true")
        || says("kubernetes.azure.com/scalesetpriority", "spot");
  }

  /** Whether it hands one MIG instance of this resource to several pods. */
  public boolean sharesInstances(String resource) {
    return !CardParts.profileOf(resource).isEmpty() && shares(labels, resource);
  }

  private boolean says(String label, String value) {
    return labels.getOrDefault(label, "").equalsIgnoreCase(value);
  }

  public static GpuNode of(ObjectTree node) {
    Map<String, String> labels = node.texts("metadata", "labels");
    Map<String, String> telling = new TreeMap<>(labels);
    telling
        .keySet()
        .removeIf(key -> !TELLING_LABELS.contains(key) && !OF_INSTANCES.matcher(key).matches());
    return new GpuNode(
        node.textOr("", "metadata", "name"),
        sharesCards(labels),
        modelOf(labels),
        Accelerators.counted(node.texts("status", "capacity")),
        telling);
  }

  /** NVIDIA's feature discovery and GKE each say it in labels of their own. */
  private static boolean sharesCards(Map<String, String> labels) {
    return shares(labels, "nvidia.com/gpu")
        || moreThanOne(labels.get("cloud.google.com/gke-max-shared-clients-per-gpu"));
  }

  private static boolean shares(Map<String, String> labels, String resource) {
    String strategy = labels.getOrDefault(resource + ".sharing-strategy", "none");
    return (!strategy.equals("none") && !strategy.isEmpty())
        || moreThanOne(labels.get(resource + ".replicas"))
        || labels.getOrDefault(resource + ".product", "").endsWith("-SHARED");
  }

  private static boolean moreThanOne(@Nullable String replicas) {
    return replicas != null && replicas.matches("[0-9]{1,9}") && Integer.parseInt(replicas) > 1;
  }

  private static String modelOf(Map<String, String> labels) {
    for (String key :
        List.of(
            "nvidia.com/gpu.product",
            "cloud.google.com/gke-accelerator",
            "amd.com/gpu.product-name")) {
      String model = labels.getOrDefault(key, "");
      if (!model.isEmpty()) {
        return model;
      }
    }
    return "";
  }
}
