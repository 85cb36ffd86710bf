package dev.fallow.app.web;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.GpuNode;
import dev.fallow.core.idle.DeviceFinding;
import dev.fallow.core.idle.DeviceId;
import dev.fallow.core.idle.PodFinding;
import dev.fallow.core.idle.UseCurve;
import dev.fallow.core.idle.UseCurves;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.Decision;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** What each GPU of each node does, and for whom. */
final class NodeMap {

  private NodeMap() {}

  private record Held(String workload, String namespace, String state, String model) {}

  static List<Map<String, Object>> of(
      ClusterState cluster, List<Decision> decisions, UseCurves curves) {
    Map<String, Map<DeviceId, List<Held>>> byNode = new TreeMap<>();
    for (Decision decision : decisions) {
      for (PodFinding pod : decision.assessment().pods()) {
        if (pod.pod().live()) {
          pod.devices()
              .forEach(device ->
                  byNode
                      .computeIfAbsent(device.device().node(), any -> new TreeMap<>())
                      .computeIfAbsent(device.device(), any -> new ArrayList<>())
                      .add(held(decision, device)));
        }
      }
    }
    Map<String, GpuNode> known = new TreeMap<>();
    cluster.nodes().forEach(node -> known.put(node.name(), node));
    known.keySet().forEach(name -> byNode.computeIfAbsent(name, any -> new TreeMap<>()));
    return byNode.entrySet().stream()
        .map(entry -> node(entry.getKey(), known, entry.getValue(), curves))
        .toList();
  }

  private static Held held(Decision decision, DeviceFinding device) {
    String state =
        switch (device.state()) {
          case BUSY -> "BUSY";
          case IDLE -> decision.action() == Action.KEEP ? "KEPT" : "IDLE";
          case NOT_COVERED, SHARED_BUSY -> "UNKNOWN";
        };
    return new Held(
        decision.assessment().workload().root().toString(),
        decision.assessment().workload().namespace(),
        state,
        device.model());
  }

  private static Map<String, Object> node(
      String name,
      Map<String, GpuNode> known,
      Map<DeviceId, List<Held>> devices,
      UseCurves curves) {
    GpuNode node = known.get(name);
    List<Object> gpus = new ArrayList<>();
    String model = node == null ? "" : node.model();
    for (Map.Entry<DeviceId, List<Held>> entry : devices.entrySet()) {
      Held first = entry.getValue().getFirst();
      model = model.isEmpty() ? first.model() : model;
      int others = entry.getValue().size() - 1;
      Map<String, Object> gpu = new LinkedHashMap<>();
      gpu.put("device", entry.getKey().card() + mig(entry.getKey()));
      gpu.put("state", worst(entry.getValue()));
      latest(curves.of(entry.getKey())).ifPresent(share -> gpu.put("use", share));
      gpu.put("workload", first.workload() + (others == 0 ? "" : " and " + others + " more"));
      gpu.put("namespace", first.namespace());
      gpus.add(gpu);
    }
    int capacity =
        node == null ? 0 : node.capacity().values().stream().mapToInt(Integer::intValue).sum();
    int held = devices.values().stream().mapToInt(List::size).sum();
    for (int free = held; free < capacity; free++) {
      gpus.add(Map.of("device", "", "state", "FREE"));
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("node", name);
    fields.put("model", model);
    fields.put("gpus", gpus);
    return fields;
  }

  private static String mig(DeviceId id) {
    return id.mig() ? " MIG " + id.migInstance() : "";
  }

  private static String worst(List<Held> held) {
    return List.of("BUSY", "UNKNOWN", "KEPT", "IDLE").stream()
        .filter(state -> held.stream().anyMatch(one -> one.state().equals(state)))
        .findFirst()
        .orElse("UNKNOWN");
  }

  private static OptionalDouble latest(UseCurve curve) {
    for (int i = curve.points() - 1; i >= Math.max(0, curve.points() - 5); i--) {
      if (curve.share(i).isPresent()) {
        return curve.share(i);
      }
    }
    return OptionalDouble.empty();
  }
}
