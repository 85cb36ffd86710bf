package dev.fallow.core.idle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * How much of a window the samples of one device and signal really show. Stillness is proven only
 * where somebody looked: often enough, and with no long look away.
 *
 * @param samples valid samples in the window, those of several exporters or replicas counted once
 * @param promised how many the usual spacing promises
 * @param spacingMillis the median gap of who looked most, over the window and the hour before; 0 if
 *     there is none
 * @param longestGapMillis the longest time in the window without a valid sample
 * @param complete whether that is enough to prove stillness
 */
public record Coverage(
    int samples, int promised, long spacingMillis, long longestGapMillis, boolean complete) {

  private static final double ENOUGH = 0.95;
  private static final double GAP_OF_WINDOW = 0.05;

  /** Two exporters of one device look at different moments; nearer than this is the same look. */
  private static final double SAME_LOOK = 0.75;

  /** A look answers for the time up to the next one, if that is not later than this. */
  private static final double ONE_LOOK = 1.25;

  static Coverage of(List<UsageSeries> series, Signal signal, Window window) {
    long since = window.after() - UsageSource.LOOKBACK.toMillis();
    Map<Long, List<UsageSeries>> streams = new TreeMap<>();
    for (UsageSeries one : series) {
      if (one.samples().anyIn(since, window.until())) {
        streams.computeIfAbsent(one.labels().stream(), key -> new ArrayList<>(1)).add(one);
      }
    }
    double spacing = spacing(streams.values(), since, window.until());
    long[] valid = validTimes(series, signal, window);
    long longest = longestGap(valid, window);
    if (spacing == 0) {
      return new Coverage(valid.length, 0, 0, longest, false);
    }
    double promised = window.length() / spacing;
    int looks = series.size() <= 1 ? valid.length : distinctLooks(valid, SAME_LOOK * spacing);
    int seen = (int) Math.min(looks, Math.ceil(lookedAt(valid, window, spacing) / spacing - 1e-9));
    boolean complete =
        spacing <= window.length() / 10.0
            && seen >= ENOUGH * promised - 1e-9
            && longest <= Math.max(3 * spacing, GAP_OF_WINDOW * window.length());
    return new Coverage(
        seen, (int) Math.floor(promised + 1e-9), Math.round(spacing), longest, complete);
  }

  /**
   * The median gap of the stream that looked most, the quicker one of two: who looks more rarely
   * beside it must not lengthen what may go unseen. Blank samples count here: they are promises
   * that were not kept.
   */
  private static double spacing(Iterable<List<UsageSeries>> streams, long since, long until) {
    double spacing = 0;
    int most = 1;
    for (List<UsageSeries> stream : streams) {
      long[] times = times(stream, since, until);
      if (times.length > most) {
        most = times.length;
        spacing = medianGap(times);
      } else if (times.length == most && most > 1) {
        spacing = Math.min(spacing, medianGap(times));
      }
    }
    return spacing;
  }

  private static double medianGap(long[] times) {
    long[] gaps = new long[times.length - 1];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = times[i + 1] - times[i];
    }
    Arrays.sort(gaps);
    int middle = gaps.length / 2;
    return gaps.length % 2 == 1 ? gaps[middle] : (gaps[middle - 1] + gaps[middle]) / 2.0;
  }

  private static long[] times(List<UsageSeries> stream, long since, long until) {
    LongStream.Builder times = LongStream.builder();
    for (UsageSeries series : stream) {
      Samples samples = series.samples();
      for (int i = samples.firstAfter(since); i < samples.size(); i++) {
        if (samples.millis(i) > until) {
          break;
        }
        times.add(samples.millis(i));
      }
    }
    return times.build().sorted().distinct().toArray();
  }

  private static long[] validTimes(List<UsageSeries> all, Signal signal, Window window) {
    LongStream.Builder times = LongStream.builder();
    for (UsageSeries series : all) {
      Samples samples = series.samples();
      for (int i = samples.firstAfter(window.after()); i < samples.size(); i++) {
        if (samples.millis(i) > window.until()) {
          break;
        }
        if (signal.possible(samples.value(i))) {
          times.add(samples.millis(i));
        }
      }
    }
    return times.build().sorted().distinct().toArray();
  }

  /**
   * Since when somebody has looked without a longer look away than a window may have: of what was
   * before that, nobody knows.
   */
  Optional<Long> unbrokenSince(List<UsageSeries> series, Signal signal, Window window) {
    double longest = Math.max(3.0 * spacingMillis, GAP_OF_WINDOW * window.length());
    long since = window.until();
    boolean any = false;
    boolean moved = true;
    while (moved) {
      moved = false;
      for (UsageSeries one : series) {
        Samples samples = one.samples();
        for (int i = samples.firstAfter(since) - 1; i >= 0; i--) {
          long time = samples.millis(i);
          boolean valid = signal.possible(samples.value(i));
          if (any && since - time > longest) {
            break;
          }
          if (valid && (!any || time < since)) {
            any = true;
            moved = true;
            since = time;
          }
        }
      }
    }
    return any ? Optional.of(since) : Optional.empty();
  }

  private static long longestGap(long[] times, Window window) {
    long longest = 0;
    long previous = window.after();
    for (long time : times) {
      longest = Math.max(longest, time - previous);
      previous = time;
    }
    return Math.max(longest, window.until() - previous);
  }

  /**
   * How many milliseconds of the window somebody's looks answer for: many who look at nearly the
   * same moments, and away at the same, see no more than one of them.
   */
  private static double lookedAt(long[] times, Window window, double spacing) {
    double longest = ONE_LOOK * spacing;
    double sum = 0;
    long previous = window.after();
    for (long time : times) {
      sum += Math.min(longest, (double) (time - previous));
      previous = time;
    }
    return sum + Math.min(longest, (double) (window.until() - previous));
  }

  private static int distinctLooks(long[] times, double apart) {
    int looks = 0;
    double next = Double.NEGATIVE_INFINITY;
    for (long time : times) {
      if (time >= next) {
        looks++;
        next = time + apart;
      }
    }
    return looks;
  }

  /** {@code 60 of 60 samples, every 30 s}. */
  @Override
  public String toString() {
    if (spacingMillis == 0) {
      return samples + " samples";
    }
    return samples
        + " of "
        + promised
        + " samples, every "
        + Durations.format(spacingMillis)
        + ", longest gap "
        + Durations.format(longestGapMillis);
  }

  /** Coverage by no sample at all. */
  static Coverage none(Window window) {
    return new Coverage(0, 0, 0, window.length(), false);
  }
}
