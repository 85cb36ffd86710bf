package dev.fallow.core.idle;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * How much a device was used over time, thinned out for people's eyes: a byte for each step, so
 * that a large fleet's curves can be kept from one look to the next.
 */
public final class UseCurve {

  private static final byte NOTHING = -1;

  private final Instant end;
  private final Duration step;
  private final byte[] percents;

  private UseCurve(Instant end, Duration step, byte[] percents) {
    this.end = end;
    this.step = step;
    this.percents = percents;
  }

  /** A curve without any point. */
  public static UseCurve unknown(Instant end, Duration step, int points) {
    byte[] percents = new byte[points];
    Arrays.fill(percents, NOTHING);
    return new UseCurve(end, step, percents);
  }

  /** The means of what a series shows in each step up to a moment. */
  static UseCurve of(Samples samples, Signal signal, Instant end, Duration step, int points) {
    double[] sums = new double[points];
    int[] counts = new int[points];
    long width = step.toMillis();
    long begin = end.toEpochMilli() - width * points;
    for (int i = samples.firstAfter(begin); i < samples.size(); i++) {
      int place = (int) ((samples.millis(i) - begin - 1) / width);
      if (place >= points) {
        break;
      }
      if (signal.possible(samples.value(i))) {
        sums[place] += Math.min(1, samples.value(i) / signal.scale().full());
        counts[place]++;
      }
    }
    byte[] percents = new byte[points];
    for (int i = 0; i < points; i++) {
      // What is there at all shows: a trace of activity is not stillness.
      percents[i] =
          counts[i] == 0 ? NOTHING : (byte) Math.min(100, Math.ceil(100 * sums[i] / counts[i]));
    }
    return new UseCurve(end, step, percents);
  }

  /** At each step the greater of the two. */
  public UseCurve orHigher(UseCurve other) {
    byte[] higher = new byte[percents.length];
    for (int i = 0; i < higher.length; i++) {
      higher[i] = (byte) Math.max(percents[i], other.percents[i]);
    }
    return new UseCurve(end, step, higher);
  }

  public int points() {
    return percents.length;
  }

  /** The share in use in a step, the earliest first; nothing where nobody has looked. */
  public OptionalDouble share(int point) {
    return percents[point] == NOTHING
        ? OptionalDouble.empty()
        : OptionalDouble.of(percents[point] / 100.0);
  }

  /** When a step ends. */
  public Instant at(int point) {
    return end.minus(step.multipliedBy(percents.length - 1L - point));
  }

  public Duration step() {
    return step;
  }
}
