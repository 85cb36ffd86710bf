package dev.fallow.sim;

import dev.fallow.core.idle.Signal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A device that a pod can hold: a whole card, a MIG instance of one, or a partition of AMD's.
 *
 * @param index its place in the fleet
 * @param card its card's place in the node
 * @param migInstance the GPU instance id, counted from 1; empty for a whole card
 */
public record SimDevice(
    int index, SimNode node, int card, String uuid, String migInstance, String migProfile) {

  public boolean mig() {
    return !migInstance.isEmpty();
  }

  /** AMD's exporter counts partitions from 0, and tells most of a card there. */
  int partition() {
    return mig() ? Integer.parseInt(migInstance) - 1 : 0;
  }

  /** What its exporter has of it. */
  Set<Signal> signals() {
    return node.model().amd() && partition() > 0
        ? EnumSet.of(Signal.POWER)
        : node.model().signals(mig());
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
