package dev.fallow.core.autoscale;

import dev.fallow.core.idle.Signal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is measured of a device, under a name that no vendor owns. The ways to measure it are tried
 * in their order; the first that the device has counts, and while it is stale there is no number.
 */
public enum Measure {
  UTILIZATION(
      "gpu_utilization",
      Way.of(Signal.GPU_UTIL),
      Way.of(Signal.GFX_ACTIVITY),
      Way.of(Signal.GR_ENGINE_ACTIVE)),
  MEMORY_USED("gpu_memory_used_percent", Way.MEMORY, Way.MEMORY_AMD),
  MEMORY_BANDWIDTH(
      "gpu_memory_bandwidth_percent",
      Way.of(Signal.MEM_COPY_UTIL),
      Way.of(Signal.UMC_ACTIVITY),
      Way.of(Signal.DRAM_ACTIVE)),
  POWER("gpu_power_watts", Way.of(Signal.POWER)),
  ENGINE_ACTIVE("gpu_engine_active_percent", Way.of(Signal.GR_ENGINE_ACTIVE)),
  TENSOR_ACTIVE("gpu_tensor_active_percent", Way.of(Signal.TENSOR_ACTIVE));

  /**
   * One way to measure it: by a signal, or as a share of memory.
   *
   * @param part what is divided by the sum of itself and the rest, or simply scaled
   * @param rest empty for a signal
   * @param whole what the part is divided by, where an exporter tells it by itself
   * @param scale what a value is multiplied with
   */
  public record Way(
      Feed part, List<Feed> rest, Optional<Feed> whole, Optional<Signal> signal, double scale) {

    static final Way MEMORY =
        new Way(
            Feed.FB_USED,
            List.of(Feed.FB_FREE, Feed.FB_RESERVED),
            Optional.empty(),
            Optional.empty(),
            100);
    static final Way MEMORY_AMD =
        new Way(Feed.VRAM_USED, List.of(), Optional.of(Feed.VRAM_TOTAL), Optional.empty(), 100);

    static Way of(Signal signal) {
      double scale = signal.scale() == Signal.Scale.RATIO ? 100 : 1;
      return new Way(Feed.of(signal), List.of(), Optional.empty(), Optional.of(signal), scale);
    }

    boolean ofCardsOnly() {
      return signal.filter(Signal::ofCardsOnly).isPresent();
    }

    Set<Feed> feeds() {
      Set<Feed> all = new LinkedHashSet<>(List.of(part));
      all.addAll(rest);
      whole.ifPresent(all::add);
      return all;
    }
  }

  private final String metric;
  private final List<Way> ways;

  Measure(String metric, Way... ways) {
    this.metric = metric;
    this.ways = List.of(ways);
  }

  /** The name autoscalers ask by. */
  public String metric() {
    return metric;
  }

  public List<Way> ways() {
    return ways;
  }

  public Set<Feed> feeds() {
    Set<Feed> all = new LinkedHashSet<>();
    ways.forEach(way -> all.addAll(way.feeds()));
    return all;
  }

  public static Optional<Measure> of(String metric) {
    for (Measure one : values()) {
      if (one.metric.equals(metric)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}
