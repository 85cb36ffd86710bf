package dev.fallow.sim;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A node as its kubelet, device plugin and feature discovery describe it. */
final class NodeManifest {

  private NodeManifest() {}

  static Map<String, Object> of(long seed, SimNode node) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", node.name());
    metadata.put("uid", Link.of("v1", "Node", node.name()).uid(seed, ""));
    metadata.put("labels", labels(node));
    Map<String, Object> object = Manifests.object("v1", "Node", metadata);
    object.put("spec", Map.of("providerID", "sim:///" + node.name()));
    Map<String, String> capacity = capacity(node);
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("capacity", capacity);
    status.put("allocatable", capacity);
    status.put(
        "conditions",
        List.of(
            PodManifest.condition("Ready", true, 0, "KubeletReady"),
            PodManifest.condition("MemoryPressure", false, 0, "KubeletHasSufficientMemory")));
    object.put("status", status);
    return object;
  }

  private static Map<String, String> labels(SimNode node) {
    Map<String, String> labels = new TreeMap<>();
    labels.put("kubernetes.io/hostname", node.name());
    labels.put("kubernetes.io/os", "linux");
    labels.put("kubernetes.io/arch", "amd64");
    labels.put("node.kubernetes.io/instance-type", node.model().instanceType());
    labels.put("topology.kubernetes.io/zone", "sim-1a");
    if (node.model().amd()) {
      labels.put("amd.com/gpu.product-name", node.model().product());
      return labels;
    }
    labels.put("nvidia.com/gpu.product", node.model().product() + (node.shared() ? "-SHARED" : ""));
    labels.put("nvidia.com/gpu.count", "" + node.cards());
    labels.put("nvidia.com/gpu.memory", "" + node.model().memoryMiB());
    labels.put("nvidia.com/gpu.replicas", "" + node.sharers());
    labels.put("nvidia.com/gpu.sharing-strategy", node.shared() ? "time-slicing" : "none");
    if (node.mig()) {
      labels.put("nvidia.com/mig.strategy", "mixed");
      labels.put("nvidia.com/mig.config.state", "success");
    }
    return labels;
  }

  private static Map<String, String> capacity(SimNode node) {
    Map<String, Integer> devices = new TreeMap<>();
    if (node.mig()) {
      node.migProfiles()
          .forEach(profile -> devices.merge(node.resource(profile), node.cards(), Integer::sum));
    } else {
      devices.put(node.resource(""), node.cards() * node.sharers());
    }
    Map<String, String> capacity = new LinkedHashMap<>();
    capacity.put("cpu", "" + 24 * node.cards());
    capacity.put("memory", 240 * node.cards() + "Gi");
    capacity.put("pods", "250");
    devices.forEach((resource, count) -> capacity.put(resource, "" + count));
    return capacity;
  }
}
