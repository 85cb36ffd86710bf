package dev.fallow.core.idle;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A metric family by the name it is published under.
 *
 * @param signal what it carries, if that shows whether a device works
 */
public record MetricFamily(String name, Optional<Signal> signal) {

  private static final Map<String, MetricFamily> OF_SIGNALS = new HashMap<>();

  static {
    for (Signal signal : Signal.values()) {
      for (String metric : signal.metrics()) {
        OF_SIGNALS.put(metric, new MetricFamily(metric, Optional.of(signal)));
      }
    }
  }

  public static MetricFamily of(String name) {
    MetricFamily known = OF_SIGNALS.get(name);
    return known != null ? known : new MetricFamily(name, Optional.empty());
  }
}
