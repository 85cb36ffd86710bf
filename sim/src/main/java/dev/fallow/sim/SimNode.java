package dev.fallow.sim;

import java.util.List;
import java.util.Set;

/**
 * A node of the simulated cluster.
 *
 * @param cards how many cards are in it
 * @param sharers how many pods one card is handed to by time-slicing; 1 for no sharing
 * @param migProfiles the instances each card is cut into, such as 3g.40gb, or cpx on AMD's cards;
 *     empty for whole cards
 * @param unseen cards that fell off the bus: pods hold them, the exporter does not show them
 */
public record SimNode(
    String name,
    GpuModel model,
    int cards,
    int sharers,
    List<String> migProfiles,
    Set<Integer> unseen,
    Exporter exporter) {

  public SimNode {
    migProfiles = List.copyOf(migProfiles);
    unseen = Set.copyOf(unseen);
  }

  public boolean shared() {
    return sharers > 1;
  }

  public boolean mig() {
    return !migProfiles.isEmpty();
  }

  /** The extended resource that its device plugin offers for a device of this profile. */
  public String resource(String migProfile) {
    if (model.amd()) {
      return "amd.com/gpu";
    }
    return migProfile.isEmpty() ? "nvidia.com/gpu" : "nvidia.com/mig-" + migProfile;
  }
}
