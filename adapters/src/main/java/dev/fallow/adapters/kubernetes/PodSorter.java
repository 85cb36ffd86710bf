package dev.fallow.adapters.kubernetes;

import dev.fallow.core.fleet.ClaimedDevices;
import dev.fallow.core.fleet.ExporterPod;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.PlainPod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sorts pods into those that hold accelerators, and the others by what they may be. */
final class PodSorter {

  private final List<GpuPod> holders = new ArrayList<>();
  private final List<OwnerObject> asOwners = new ArrayList<>();
  private final List<ExporterPod> exporters = new ArrayList<>();
  private final Map<PlainPod, OwnerObject> plain = new LinkedHashMap<>();
  private final List<PodFacts.Claimant> undecided = new ArrayList<>();
  private final Map<String, String> shared = new HashMap<>();

  void take(PodFacts pod) {
    switch (pod) {
      case PodFacts.Holder holder -> {
        holders.add(holder.pod());
        asOwners.add(holder.asOwner());
      }
      case PodFacts.Bystander bystander -> {
        if (bystander.runsSomewhere()) {
          exporters.add(slim(bystander.pod()));
        }
        bystander.member().ifPresent(member -> plain.put(member, bystander.asOwner()));
      }
      case PodFacts.Claimant claimant -> undecided.add(claimant);
    }
  }

  boolean needsClaims() {
    return !undecided.isEmpty();
  }

  void decide(ClaimedDevices claims) {
    List<PodFacts.Claimant> claimants = List.copyOf(undecided);
    undecided.clear();
    claimants.forEach(claimant -> take(claimant.decided(claims)));
  }

  List<GpuPod> holders() {
    return holders;
  }

  /** The holders once more, as the objects that a walk to the owners starts from. */
  List<OwnerObject> asOwners() {
    return asOwners;
  }

  /**
   * Pods without accelerators near those that have some: in a namespace of theirs. More are of no
   * interest, however many there are.
   */
  Map<PlainPod, OwnerObject> plain() {
    Set<String> namespaces = new HashSet<>();
    holders.forEach(pod -> namespaces.add(pod.id().namespace()));
    Map<PlainPod, OwnerObject> near = new LinkedHashMap<>(plain);
    near.keySet().removeIf(pod -> !namespaces.contains(pod.id().namespace()));
    return near;
  }

  List<ExporterPod> exporters() {
    return exporters;
  }

  /** There are many pods, and few names of nodes and namespaces. */
  private ExporterPod slim(ExporterPod pod) {
    return new ExporterPod(once(pod.namespace()), pod.name(), once(pod.node()), pod.live());
  }

  private String once(String name) {
    return shared.computeIfAbsent(name, same -> same);
  }
}
