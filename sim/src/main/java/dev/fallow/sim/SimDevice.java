package dev.fallow.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A device that a pod can hold: a whole card, or a MIG instance of one.
 *
 * @param index its place in the fleet
 * @param card its card's place in the node
 * @param migInstance the GPU instance id, empty for a whole card
 */
public record SimDevice(
    int index, SimNode node, int card, String uuid, String migInstance, String migProfile) {

  public boolean mig() {
    return !migInstance.isEmpty();
  }

  /** Whether the exporter shows it. */
  public boolean seen() {
    return !node.unseen().contains(card);
  }

  String pciBusId() {
    return String.format(Locale.ROOT, "00000000:%02X:00.0", 0x10 + 8 * card);
  }

  static List<SimDevice> of(long seed, List<SimNode> nodes) {
    List<SimDevice> devices = new ArrayList<>();
    for (SimNode node : nodes) {
      for (int card = 0; card < node.cards(); card++) {
        String uuid = "GPU-" + Dice.uid(seed, node.name() + "#" + card);
        if (!node.mig()) {
          devices.add(new SimDevice(devices.size(), node, card, uuid, "", ""));
        }
        for (int i = 0; i < node.migProfiles().size(); i++) {
          devices.add(
              new SimDevice(
                  devices.size(), node, card, uuid, "" + (i + 1), node.migProfiles().get(i)));
        }
      }
    }
    return devices;
  }
}
