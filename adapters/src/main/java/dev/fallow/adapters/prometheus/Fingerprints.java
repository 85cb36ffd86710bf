package dev.fallow.adapters.prometheus;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Tells series apart by all their labels, also by those that {@code SeriesLabels} does not keep.
 * The order of the labels does not matter. Seeded, so that nobody can prepare two series that pass
 * for one.
 */
final class Fingerprints {

  private static final long SEED = ThreadLocalRandom.current().nextLong() | 1;

  private Fingerprints() {}

  static long of(String metric, Map<String, String> labels) {
    long sum = hash(SEED, metric);
    for (Map.Entry<String, String> label : labels.entrySet()) {
      sum += hash(hash(~SEED, label.getKey()), label.getValue());
    }
    return sum;
  }

  private static long hash(long seed, String text) {
    long hash = seed;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    return (hash ^ text.length()) * 0xBF58476D1CE4E5B9L;
  }
}
