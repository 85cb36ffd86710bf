package dev.fallow.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The exporters themselves: a DaemonSet for each vendor, with a pod on each of its nodes. */
final class ExporterPods {

  private ExporterPods() {}

  static String namespace(SimNode node) {
    return node.model().amd() ? "kube-amd-gpu" : "gpu-operator";
  }

  static String set(SimNode node) {
    return node.model().amd() ? "amd-metrics-exporter" : "nvidia-dcgm-exporter";
  }

  static String name(SimNode node) {
    return set(node) + "-" + Dice.suffix(2, node.name(), 5);
  }

  /** Where Prometheus finds it. */
  static String address(SimNode node) {
    long roll = Dice.roll(3, node.name());
    int port = node.model().amd() ? 5000 : 9400;
    return "10.42." + (roll & 0xFF) + "." + ((roll >>> 8) & 0xFF) + ":" + port;
  }

  static List<Map<String, Object>> of(SimulatedFleet fleet) {
    List<Map<String, Object>> objects = new ArrayList<>();
    Set<String> sets = new LinkedHashSet<>();
    for (SimNode node : fleet.nodes()) {
      if (sets.add(set(node))) {
        objects.add(daemonSet(fleet, node));
      }
      objects.add(pod(fleet, node));
    }
    return objects;
  }

  private static Map<String, Object> daemonSet(SimulatedFleet fleet, SimNode node) {
    Link link = Link.of("apps/v1", "DaemonSet", set(node));
    Map<String, Object> object =
        Manifests.object(
            link.apiVersion(), link.kind(), metadata(fleet, link, namespace(node), set(node)));
    Map<String, Object> template =
        Fields.of("metadata", Map.of("labels", labels(node)), "spec", spec(node));
    object.put(
        "spec", Fields.of("selector", Map.of("matchLabels", labels(node)), "template", template));
    return object;
  }

  private static Map<String, Object> pod(SimulatedFleet fleet, SimNode node) {
    Link link = Link.pod(name(node), 0);
    Map<String, Object> metadata = metadata(fleet, link, namespace(node), name(node));
    metadata.put("labels", labels(node));
    metadata.put(
        "ownerReferences",
        List.of(
            Link.of("apps/v1", "DaemonSet", set(node)).reference(fleet.seed(), namespace(node))));
    Map<String, Object> object = Manifests.object("v1", "Pod", metadata);
    Map<String, Object> spec = new LinkedHashMap<>(spec(node));
    spec.put("nodeName", node.name());
    object.put("spec", spec);
    object.put("status", Map.of("phase", "Running"));
    return object;
  }

  private static Map<String, Object> metadata(
      SimulatedFleet fleet, Link link, String namespace, String name) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", name);
    metadata.put("namespace", namespace);
    metadata.put("uid", link.uid(fleet.seed(), namespace));
    return metadata;
  }

  private static Map<String, String> labels(SimNode node) {
    return Map.of("app", set(node));
  }

  private static Map<String, Object> spec(SimNode node) {
    Map<String, Object> container = new LinkedHashMap<>();
    container.put("name", "exporter");
    container.put("image", set(node) + ":1");
    return Map.of("containers", List.of(container));
  }
}
