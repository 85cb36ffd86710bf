package dev.fallow.core.autoscale;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.GpuNode;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.idle.Attribution;
import dev.fallow.core.idle.Device;
import dev.fallow.core.idle.DeviceId;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.idle.SharedUse;
import dev.fallow.core.idle.UsageSeries;
import dev.fallow.core.idle.Window;
import dev.fallow.core.ownership.OwnerResolver;
import java.time.Instant;
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
 * Who holds what in a snapshot, by the word of exporters alone: a series that a tenant publishes
 * gives nobody a device, and takes none away.
 */
final class Holdings {

  /**
   * A device that a pod holds.
   *
   * @param device with the series that are believed
   * @param sharers how many live pods hold it
   * @param toldApart whether its exporter tells what each of them does
   */
  record Held(Device device, int sharers, boolean toldApart) {

    boolean shared() {
      return sharers > 1 || device.sharedByDesign();
    }
  }

  private final Readings readings;
  private final Attribution attribution;
  private final ScrapeTrust scrapers;
  private final Window window;
  private final Map<ObjectId, List<OwnerObject>> owners;
  private final Map<ObjectId, Standing> standings = new LinkedHashMap<>();
  private final Map<ObjectId, List<Held>> held = new HashMap<>();
  private final Map<DeviceId, Device> inUse = new HashMap<>();
  private final Map<DeviceId, Map<String, Long>> heldAfter = new HashMap<>();
  private final Set<String> sharingNodes = new HashSet<>();

  Holdings(Readings readings, Optional<Predicate<String>> exporterNamespaces) {
    this.readings = readings;
    List<UsageSeries> series = new ArrayList<>();
    Instant until = readings.at();
    for (Map.Entry<Feed, Readings.Seen> feed : readings.feeds().entrySet()) {
      if (feed.getKey().ofDevices()) {
        series.addAll(feed.getValue().series());
        until = feed.getValue().at().isAfter(until) ? feed.getValue().at() : until;
      }
    }
    ClusterState cluster = readings.cluster();
    this.attribution = Attribution.of(cluster, series, exporterNamespaces);
    this.scrapers = new ScrapeTrust(cluster, exporterNamespaces);
    this.window = Window.endingAt(until, SampleSource.WINDOW);
    this.owners = OwnerResolver.ownersByPod(cluster);
    for (GpuNode node : cluster.nodes()) {
      if (node.sharing()) {
        sharingNodes.add(node.name());
      }
    }
    for (GpuPod pod : cluster.pods()) {
      standings.put(
          pod.id(), Standing.of(pod, owners.getOrDefault(pod.id(), List.of()), readings.at()));
    }
    findHeld(cluster);
  }

  private void findHeld(ClusterState cluster) {
    Map<ObjectId, List<Device>> devices = new HashMap<>();
    Map<DeviceId, Integer> sharers = new HashMap<>();
    for (GpuPod pod : cluster.pods()) {
      if (!pod.live()) {
        continue;
      }
      List<Device> ofPod = new ArrayList<>();
      for (Device named : attribution.devicesNaming(pod)) {
        Device believed = believed(named, pod.id().namespace());
        if (believed.namedIn(window.of(pod), pod)) {
          ofPod.add(believed);
          sharers.merge(believed.id(), 1, Integer::sum);
          heldAfter
              .computeIfAbsent(believed.id(), key -> new HashMap<>())
              .merge(pod.id().namespace(), PodTable.ownAfter(pod), Math::min);
        }
      }
      devices.put(pod.id(), ofPod);
    }
    devices.forEach((pod, ofPod) -> {
      ofPod.forEach(device -> inUse.putIfAbsent(device.id(), device));
      List<Held> all = new ArrayList<>(ofPod.size());
      for (Device device : ofPod) {
        int count = sharers.getOrDefault(device.id(), 1);
        boolean shared = count > 1 || device.sharedByDesign();
        boolean apart = shared && new SharedUse(device, window, IdleRule.DEFAULT).tellsPodsApart();
        all.add(new Held(device, count, apart));
      }
      held.put(pod, all);
    });
  }

  /** The device as workloads of a namespace may believe it. */
  Device believed(Device device, String namespace) {
    return device.by(
        device.claims().stream()
            .filter(claim -> attribution.believed(claim.series(), device, namespace))
            .toList());
  }

  /** Every device that an exporter speaks of, held or not. */
  List<Device> devices() {
    List<Device> all = new ArrayList<>();
    for (Device device : attribution.devices()) {
      Device believed = believed(device, "");
      Device ofHolder = inUse.get(device.id());
      if (!believed.claims().isEmpty()) {
        all.add(believed);
      } else if (ofHolder != null) {
        all.add(ofHolder);
      }
    }
    return all;
  }

  /** Whether a live pod holds it. */
  boolean inUse(Device device) {
    return inUse.containsKey(device.id());
  }

  /** The namespaces whose pods hold a device, and after when what it does is theirs. */
  Map<String, Long> heldAfter(Device device) {
    return heldAfter.getOrDefault(device.id(), Map.of());
  }

  List<Held> of(GpuPod pod) {
    return held.getOrDefault(pod.id(), List.of());
  }

  Standing standing(GpuPod pod) {
    return standings.getOrDefault(pod.id(), Standing.GONE);
  }

  /** Every object above a pod, the nearest first. */
  List<OwnerObject> owners(GpuPod pod) {
    return owners.getOrDefault(pod.id(), List.of());
  }

  /** How many devices a pod has to show before it counts as seen. */
  int asked(GpuPod pod) {
    return pod.accelerators().shownAtLeast(pod.node().filter(sharingNodes::contains).isPresent());
  }

  /** Who is believed about what pods tell of themselves. */
  ScrapeTrust scrapers() {
    return scrapers;
  }

  Window window() {
    return window;
  }

  Readings readings() {
    return readings;
  }
}
