package dev.fallow.adapters.prometheus;

/**
 * How much of an answer is taken in. An answer beyond any of these is no answer: a source that is
 * broken, or a neighbour that writes endless labels, may cost a cycle but never the process.
 *
 * @param bodyBytes of one reply, after decompression
 * @param series kept at once
 * @param samples kept at once, at most eight bytes each
 * @param samplesPerSeries of one series
 * @param labelBytes of all distinct label names and values together
 */
public record ReadLimits(
    long bodyBytes, int series, long samples, int samplesPerSeries, long labelBytes) {

  private static final long GIB = 1L << 30;

  public ReadLimits {
    if (bodyBytes <= 0 || series <= 0 || samples <= 0 || samplesPerSeries <= 0) {
      throw new IllegalArgumentException("limits must be positive");
    }
  }

  /** The same, with no more than so many series. */
  ReadLimits withSeries(int most) {
    return new ReadLimits(bodyBytes, Math.min(series, most), samples, samplesPerSeries, labelBytes);
  }

  /** Limits that a heap of this size can hold beside everything else. */
  public static ReadLimits forHeap(long heapBytes) {
    return new ReadLimits(
        2 * GIB,
        Math.clamp(heapBytes / 2048, 10_000, 2_000_000),
        Math.clamp(heapBytes / 20, 1_000_000, 500_000_000),
        1_000_000,
        Math.max(heapBytes / 16, 1_000_000));
  }

  /** Limits that fit the heap of this process. */
  public static ReadLimits forThisProcess() {
    return forHeap(Runtime.getRuntime().maxMemory());
  }
}
