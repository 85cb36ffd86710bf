package dev.fallow.adapters.scrape;

import dev.fallow.core.idle.Samples;
import java.time.Instant;

/**
 * The latest samples of one series in the order of their times, eight bytes each. Of a time only
 * the low half is kept: the rest follows from the newest, since nothing here is weeks old.
 */
final class SampleRing {

  private static final int FIRST = 8;

  private int[] times = new int[FIRST];
  private float[] values = new float[FIRST];
  private int start;
  private int size;
  private long newest;

  /**
   * Takes a sample that is newer than all before; another is a repetition and left out.
   *
   * @param most samples to keep; beyond that the oldest gives way
   */
  void add(long millis, float value, int most) {
    if (size > 0 && millis <= newest) {
      return;
    }
    if (size == times.length && size < most) {
      grow(Math.min(most, size * 2));
    }
    while (size >= times.length) {
      dropOldest();
    }
    int slot = slot(size);
    times[slot] = (int) millis;
    values[slot] = value;
    newest = millis;
    size++;
  }

  /** Forgets what is not later than a moment. */
  void forgetUntil(long millis) {
    if (size > 0 && newest <= millis) {
      size = 0;
    }
    while (size > 0 && millis(0) <= millis) {
      dropOldest();
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The samples in (after, until]. */
  Samples between(long after, long until) {
    Samples.Builder asked = new Samples.Builder(Instant.ofEpochMilli(after));
    for (int i = 0; i < size; i++) {
      long millis = millis(i);
      if (millis > after && millis <= until) {
        asked.add(millis, values[slot(i)]);
      }
    }
    return asked.build();
  }

  /** What the samples take, those not yet there included. */
  long bytes() {
    return 8L * times.length;
  }

  private long millis(int index) {
    return newest - ((int) newest - times[slot(index)]);
  }

  private int slot(int index) {
    int slot = start + index;
    return slot < times.length ? slot : slot - times.length;
  }

  private void dropOldest() {
    start = slot(1);
    size--;
  }

  private void grow(int larger) {
    int[] moreTimes = new int[larger];
    float[] moreValues = new float[larger];
    for (int i = 0; i < size; i++) {
      moreTimes[i] = times[slot(i)];
      moreValues[i] = values[slot(i)];
    }
    times = moreTimes;
    values = moreValues;
    start = 0;
  }
}
