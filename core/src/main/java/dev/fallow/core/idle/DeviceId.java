package dev.fallow.core.idle;

import java.util.regex.Pattern;

/**
 * One device that a pod can hold: a whole card, or a MIG instance of one. The same UUID on two
 * nodes is two devices.
 */
public record DeviceId(String node, String card, String migInstance)
    implements Comparable<DeviceId> {

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,3}(/[0-9]+)?");
  private static final Pattern UUID = Pattern.compile("[0-9A-Za-z]{8}(-[0-9A-Za-z]+){2,}");

  public boolean mig() {
    return !migInstance.isEmpty();
  }

  /**
   * In which form it is named. Two exporters may know one device by names of different forms, and
   * only names of the same form tell two devices apart.
   */
  String form() {
    return mig() ? formOf(card) + "/" + formOf(migInstance) : formOf(card);
  }

  private static String formOf(String name) {
    if (NUMBER.matcher(name).matches()) {
      return "number";
    }
    if (name.startsWith("GPU-") || UUID.matcher(name).matches()) {
      return "uuid";
    }
    return name.contains("g.") ? "profile" : "other";
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
