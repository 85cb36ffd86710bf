package dev.fallow.core.idle;

/**
 * One device that a pod can hold: a whole card, or a MIG instance of one. The same UUID on two
 * nodes is two devices.
 */
public record DeviceId(String node, String card, String migInstance)
    implements Comparable<DeviceId> {

  public boolean mig() {
    return !migInstance.isEmpty();
  }

  /** Whether it is a whole card under the name that NVIDIA gave it, and no other card has. */
  boolean hasNvidiaUuid() {
    return !mig() && card.startsWith("GPU-");
  }

  @Override
  public int compareTo(DeviceId other) {
    int byNode = node.compareTo(other.node);
    if (byNode != 0) {
      return byNode;
    }
    int byCard = card.compareTo(other.card);
    return byCard != 0 ? byCard : migInstance.compareTo(other.migInstance);
  }

  @Override
  public String toString() {
    return card + (mig() ? " MIG " + migInstance : "") + " on " + node;
  }
}
