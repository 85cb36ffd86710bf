package dev.fallow.core.idle;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.GpuNode;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.idle.SeriesLabels.PodName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * From series to devices to pods. A label is only a claim: a device belongs to a pod if the pod
 * exists, is bound to the device's node and holds accelerators. A name alone is never enough, since
 * pods come and go under one name and exporters name themselves on free cards.
 */
public final class Attribution {

  private final List<Device> devices;
  private final Map<String, List<Device>> byPod;
  private final ExporterTrust trust;

  private Attribution(List<Device> devices, Map<String, List<Device>> byPod, ExporterTrust trust) {
    this.devices = devices;
    this.byPod = byPod;
    this.trust = trust;
  }

  /**
   * @param exporterNamespaces where exporters live, if the operator has said so
   */
  public static Attribution of(
      ClusterState cluster,
      List<UsageSeries> series,
      Optional<Predicate<String>> exporterNamespaces) {
    return of(cluster, series, new ExporterTrust(cluster, series, exporterNamespaces));
  }

  private static Attribution of(
      ClusterState cluster, List<UsageSeries> series, ExporterTrust trust) {
    Map<String, GpuPod> pods = new HashMap<>();
    for (GpuPod pod : cluster.pods()) {
      pods.put(pod.id().namespace() + "/" + pod.id().name(), pod);
    }
    Map<String, GpuNode> nodes = new HashMap<>();
    cluster.nodes().forEach(node -> nodes.put(node.name(), node));
    Map<DeviceId, List<Device.Claim>> claims = new LinkedHashMap<>();
    for (UsageSeries one : series) {
      SeriesLabels labels = one.labels();
      String node = nodeOf(labels, trust);
      if (!node.isEmpty() && !labels.card().isEmpty()) {
        claims
            .computeIfAbsent(
                new DeviceId(node, labels.card(), labels.migInstance()), id -> new ArrayList<>(8))
            .add(new Device.Claim(one, podOf(labels, node, pods)));
      }
    }
    List<Device> devices = new ArrayList<>(claims.size());
    Map<String, List<Device>> byPod = new HashMap<>();
    claims.forEach((id, ofDevice) -> {
      Device device = device(id, ofDevice, Optional.ofNullable(nodes.get(id.node())));
      devices.add(device);
      Set<String> named = new HashSet<>();
      for (Device.Claim claim : ofDevice) {
        claim.pod().ifPresent(pod -> named.add(keyOf(pod)));
      }
      named.forEach(pod -> byPod.computeIfAbsent(pod, key -> new ArrayList<>(8)).add(device));
    });
    byPod.values().forEach(held -> held.sort((a, b) -> a.id().compareTo(b.id())));
    return new Attribution(devices, byPod, trust);
  }

  /** Every device that some series speaks of. */
  public List<Device> devices() {
    return devices;
  }

  /** Every device that some series says this pod holds, at whatever time. */
  public List<Device> devicesNaming(GpuPod pod) {
    return byPod.getOrDefault(keyOf(pod), List.of());
  }

  /** The series of a device that may prove it idle for a workload in this namespace. */
  List<UsageSeries> trusted(Device device, Signal signal, String namespace) {
    return device.seriesOf(signal).stream()
        .filter(one -> believed(one, device, namespace))
        .toList();
  }

  /** Whether a series of a device is an exporter's word to workloads of this namespace. */
  public boolean believed(UsageSeries series, Device device, String namespace) {
    return trust.provesIdle(series.labels(), device.id().node(), namespace);
  }

  /** Whoever speaks of what could prove a device idle, when nobody is believed who does. */
  Optional<String> distrusted(Device device, String namespace) {
    return Signal.mains().stream()
        .flatMap(signal -> device.seriesOf(signal).stream())
        .filter(one -> !believed(one, device, namespace))
        .map(one -> trust.sourceOf(one.labels()))
        .sorted()
        .findFirst();
  }

  private static Device device(DeviceId id, List<Device.Claim> claims, Optional<GpuNode> node) {
    String model = "";
    String profile = "";
    boolean shared = node.filter(GpuNode::sharing).isPresent();
    for (Device.Claim claim : claims) {
      SeriesLabels labels = claim.series().labels();
      model = model.isEmpty() ? labels.model() : model;
      profile = profile.isEmpty() ? labels.migProfile() : profile;
      shared |= labels.virtual();
      shared |= claim.pod().map(pod -> pod.accelerators().sharedByName()).orElse(false);
    }
    boolean spot = node.filter(GpuNode::spot).isPresent();
    return new Device(id, model, profile, shared, spot, claims);
  }

  private static String nodeOf(SeriesLabels labels, ExporterTrust trust) {
    if (!labels.host().isEmpty()) {
      return labels.host();
    }
    return labels.node().isEmpty() ? trust.nodeOf(labels).orElse("") : labels.node();
  }

  private static Optional<GpuPod> podOf(
      SeriesLabels labels, String node, Map<String, GpuPod> pods) {
    PodName named = labels.claimed().isNone() ? labels.plain() : labels.claimed();
    return Optional.ofNullable(pods.get(named.toString()))
        .filter(pod -> pod.node().equals(Optional.of(node)))
        .filter(pod -> labels.podUid().isEmpty() || labels.podUid().equals(pod.id().uid()));
  }

  private static String keyOf(GpuPod pod) {
    return pod.id().namespace() + "/" + pod.id().name();
  }
}
