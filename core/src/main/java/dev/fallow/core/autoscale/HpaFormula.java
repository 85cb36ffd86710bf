package dev.fallow.core.autoscale;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How many replicas a HorizontalPodAutoscaler asks for, as Kubernetes publishes the algorithm: the
 * numbers are counted in thousandths, as it counts them. What behaviour rules do to the result over
 * time, such as the five minutes before a scale-down, is not in it.
 */
public final class HpaFormula {

  private HpaFormula() {}

  /**
   * How far from its target a metric may be without consequence.
   *
   * @param up above it, as a share of it
   * @param down below it
   */
  public record Tolerance(double up, double down) {

    public static final Tolerance USUAL = new Tolerance(0.1, 0.1);

    boolean covers(double ratio) {
      return ratio >= 1 - down && ratio <= 1 + up;
    }
  }

  /** How a pod counts when a metric of pods is asked for. */
  public enum Count {
    /** It is being deleted, or has failed. */
    IGNORED,
    PENDING,
    RUNNING
  }

  /**
   * @param milli its number, in thousandths, if it has one
   */
  public record PodValue(String pod, Count count, OptionalLong milli) {}

  /** A metric of pods: each pod's number against the target. Nothing if no pod has a number. */
  public static OptionalInt ofPods(
      List<PodValue> pods, int current, long targetMilli, Tolerance tolerance) {
    long total = 0;
    int ready = 0;
    int missing = 0;
    int pending = 0;
    for (PodValue pod : pods) {
      switch (pod.count()) {
        case IGNORED -> {
          // Neither its number nor its place counts.
        }
        case PENDING -> pending++;
        case RUNNING -> {
          if (pod.milli().isPresent()) {
            total += pod.milli().getAsLong();
            ready++;
          } else {
            missing++;
          }
        }
      }
    }
    if (ready == 0) {
      return OptionalInt.empty();
    }
    double ratio = ratio(total, ready, targetMilli);
    boolean up = ratio > 1;
    boolean withPending = up && pending > 0;
    if (missing == 0 && !withPending) {
      return OptionalInt.of(tolerance.covers(ratio) ? current : (int) Math.ceil(ratio * ready));
    }
    // The missing are taken for idle on the way up and for just right on the way down.
    int counted = ready + missing + (withPending ? pending : 0);
    long filled = ratio < 1 ? total + missing * targetMilli : total;
    double again = ratio(filled, counted, targetMilli);
    if (tolerance.covers(again) || (ratio < 1 && again > 1) || (up && again < 1)) {
      return OptionalInt.of(current);
    }
    int replicas = (int) Math.ceil(again * counted);
    boolean against = (again < 1 && replicas > current) || (again > 1 && replicas < current);
    return OptionalInt.of(against ? current : replicas);
  }

  /** The mean is a whole number of thousandths before it is compared. */
  private static double ratio(long total, int count, long targetMilli) {
    long mean = total / count;
    return (double) mean / targetMilli;
  }

  /**
   * A metric of an object, or an external one, with a target of type Value.
   *
   * @param ready pods that run and are Ready
   */
  public static int ofValue(
      long milli, long targetMilli, int current, int ready, Tolerance tolerance) {
    double ratio = (double) milli / targetMilli;
    if (current == 0) {
      return (int) Math.ceil(ratio);
    }
    return tolerance.covers(ratio) ? current : (int) Math.ceil(ratio * ready);
  }

  /**
   * The same with a target of type AverageValue: the number is shared out among the pods.
   *
   * @param replicas as the scaled object's status has it
   */
  public static int ofAverageValue(
      long milli, long targetMilli, int replicas, Tolerance tolerance) {
    double ratio = (double) milli / ((double) targetMilli * replicas);
    return tolerance.covers(ratio) ? replicas : (int) Math.ceil((double) milli / targetMilli);
  }

  /**
   * What all metrics together ask for.
   *
   * @param proposals one for each metric; empty for one that has no number
   * @return nothing if none has: then nothing is done
   */
  public static OptionalInt together(
      List<OptionalInt> proposals, int current, int minReplicas, int maxReplicas) {
    OptionalInt most =
        proposals.stream().filter(OptionalInt::isPresent).mapToInt(OptionalInt::getAsInt).max();
    boolean someMissing = proposals.stream().anyMatch(OptionalInt::isEmpty);
    if (most.isEmpty() || (someMissing && most.getAsInt() < current)) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(Math.clamp(most.getAsInt(), minReplicas, maxReplicas));
  }

  /** A number in thousandths, the finer part rounded half up. */
  public static long milli(double value) {
    return Math.round(value * 1000);
  }
}
