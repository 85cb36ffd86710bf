package dev.fallow.core.idle;

import java.time.Instant;
import java.util.Arrays;

/**
 * Values of one series in the order of their times, at most eight bytes each: a fleet's window is
 * millions of them. Times are milliseconds after a base; values are single precision, compared with
 * a threshold of the same precision so that one at the threshold stays at it.
 */
public final class Samples {

  public static final Samples NONE = new Samples(0, new int[0], new float[0]);

  private final long baseMillis;
  private final int[] offsets;
  private final float[] values;

  private Samples(long baseMillis, int[] offsets, float[] values) {
    this.baseMillis = baseMillis;
    this.offsets = offsets;
    this.values = values;
  }

  public int size() {
    return offsets.length;
  }

  public boolean isEmpty() {
    return offsets.length == 0;
  }

  public long millis(int index) {
    return baseMillis + offsets[index];
  }

  public float value(int index) {
    return values[index];
  }

  /** The index of the first sample later than a moment; the size if there is none. */
  public int firstAfter(long millis) {
    int low = 0;
    int high = offsets.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (millis(middle) > millis) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Whether there is a sample in (after, until]. */
  public boolean anyIn(long after, long until) {
    int index = firstAfter(after);
    return index < size() && millis(index) <= until;
  }

  /** Bytes the samples themselves take when nothing is shared, object headers aside. */
  public long bytes() {
    return 8L * offsets.length;
  }

  /** Collects samples in any order, within about 24 days of the first one's base. */
  public static final class Builder {

    private final long baseMillis;
    private int[] offsets = new int[16];
    private float[] values = new float[16];
    private int size;
    private boolean ordered = true;

    /** Samples further than an int of milliseconds from the base are not taken. */
    public Builder(Instant base) {
      this.baseMillis = base.toEpochMilli();
    }

    public Builder add(long millis, double value) {
      long offset = millis - baseMillis;
      if (offset != (int) offset) {
        return this;
      }
      if (size == offsets.length) {
        int larger = size + (size >> 1);
        offsets = Arrays.copyOf(offsets, larger);
        values = Arrays.copyOf(values, larger);
      }
      ordered &= size == 0 || offsets[size - 1] <= offset;
      offsets[size] = (int) offset;
      values[size] = (float) value;
      size++;
      return this;
    }

    public int size() {
      return size;
    }

    /** Begins anew with the same base; what was built stays as it is. */
    public void clear() {
      size = 0;
      ordered = true;
    }

    public Samples build() {
      return build(NONE);
    }

    /**
     * The same, holding once what a neighbour holds too: cards of one node are looked at in the
     * same moments, and those that do nothing have the same values.
     */
    public Samples build(Samples neighbour) {
      if (size == 0) {
        return NONE;
      }
      boolean sameTimes =
          ordered
              && neighbour.baseMillis == baseMillis
              && Arrays.equals(offsets, 0, size, neighbour.offsets, 0, neighbour.offsets.length);
      if (sameTimes) {
        boolean sameValues =
            Arrays.equals(values, 0, size, neighbour.values, 0, neighbour.values.length);
        return new Samples(
            baseMillis,
            neighbour.offsets,
            sameValues ? neighbour.values : Arrays.copyOf(values, size));
      }
      int[] times = Arrays.copyOf(offsets, size);
      float[] measured = Arrays.copyOf(values, size);
      if (!ordered) {
        sort(times, measured);
      }
      return new Samples(baseMillis, times, measured);
    }

    /** Stable on equal times would not matter: equal times are one evidence. */
    private static void sort(int[] times, float[] measured) {
      Integer[] order = new Integer[times.length];
      Arrays.setAll(order, index -> index);
      int[] unsortedTimes = times.clone();
      float[] unsortedValues = measured.clone();
      Arrays.sort(order, (a, b) -> Integer.compare(unsortedTimes[a], unsortedTimes[b]));
      for (int i = 0; i < order.length; i++) {
        times[i] = unsortedTimes[order[i]];
        measured[i] = unsortedValues[order[i]];
      }
    }
  }
}
