package dev.fallow.sim;

import java.util.List;

/**
 * A place for one pod of a workload, held through all the pods that follow one another in it.
 *
 * @param ordinal which of the workload's places
 * @param devices those that its pod holds; none for a pod that waits for a node
 */
public record Slot(int ordinal, List<SimDevice> devices) {

  public Slot {
    devices = List.copyOf(devices);
  }
}
