package dev.fallow.rig;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A node to be created; every method gives a changed copy.
 *
 * @param capacity resource name to quantity; all of it is allocatable
 * @param taints taint keys to effects, such as NoSchedule
 */
public record RigNode(
    String name,
    Map<String, String> capacity,
    Map<String, String> labels,
    Map<String, String> taints) {
  public RigNode {
    capacity = Map.copyOf(capacity);
    labels = Map.copyOf(labels);
    taints = Map.copyOf(taints);
  }

  /** A node with room for ordinary pods and no GPU. */
  public static RigNode named(String name) {
    return new RigNode(
        name,
        Map.of("cpu", "128", "memory", "1Ti", "pods", "250", "ephemeral-storage", "1Ti"),
        Map.of("kubernetes.io/hostname", name, "kubernetes.io/os", "linux"),
        Map.of());
  }

  /** With this many NVIDIA GPUs. */
  public RigNode gpus(int count) {
    return capacity("nvidia.com/gpu", Integer.toString(count));
  }

  public RigNode capacity(String resource, String quantity) {
    return new RigNode(name, with(capacity, resource, quantity), labels, taints);
  }

  public RigNode label(String key, String value) {
    return new RigNode(name, capacity, with(labels, key, value), taints);
  }

  public RigNode taint(String key, String effect) {
    return new RigNode(name, capacity, labels, with(taints, key, effect));
  }

  String json() {
    return """
    {"apiVersion":"v1","kind":"Node",
     "metadata":{"name":%s,"labels":%s},
     "status":%s}\
    """
        .formatted(Json.quote(name), object(labels), status());
  }

  String taintsPatch() {
    String list =
        taints.entrySet().stream()
            .map(taint ->
                "{\"key\":%s,\"effect\":%s}"
                    .formatted(Json.quote(taint.getKey()), Json.quote(taint.getValue())))
            .collect(Collectors.joining(",", "[", "]"));
    return "{\"spec\":{\"taints\":" + list + "}}";
  }

  private String status() {
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    return """
    {"capacity":%1$s,"allocatable":%1$s,
     "conditions":[{"type":"Ready","status":"True","reason":"KubeletReady",
       "lastHeartbeatTime":"%2$s","lastTransitionTime":"%2$s"}]}\
    """
        .formatted(object(capacity), now);
  }

  private static Map<String, String> with(Map<String, String> map, String key, String value) {
    Map<String, String> copy = new LinkedHashMap<>(map);
    copy.put(key, value);
    return copy;
  }

  private static String object(Map<String, String> map) {
    return map.entrySet().stream()
        .map(entry -> Json.quote(entry.getKey()) + ":" + Json.quote(entry.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
