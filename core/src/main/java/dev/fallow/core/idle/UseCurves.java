package dev.fallow.core.idle;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** The curves of all devices that somebody tells of, by their main signals. */
public final class UseCurves {

  private final Map<DeviceId, UseCurve> byDevice = new HashMap<>();
  private final UseCurve unknown;

  private UseCurves(UseCurve unknown) {
    this.unknown = unknown;
  }

  public static UseCurves of(Usage usage, Instant at, Duration step, int points) {
    UseCurves curves = new UseCurves(UseCurve.unknown(at, step, points));
    for (UsageSeries series : usage.series()) {
      SeriesLabels labels = series.labels();
      if (Signal.mains().contains(labels.signal())) {
        String node = labels.host().isEmpty() ? labels.node() : labels.host();
        UseCurve curve = UseCurve.of(series.samples(), labels.signal(), at, step, points);
        curves.byDevice.merge(
            new DeviceId(node, labels.card(), labels.migInstance()), curve, UseCurve::orHigher);
      }
    }
    return curves;
  }

  /** The curve of a device; where its series do not name their node, by its card alone. */
  public UseCurve of(DeviceId device) {
    UseCurve named = byDevice.get(device);
    return named != null
        ? named
        : byDevice.getOrDefault(new DeviceId("", device.card(), device.migInstance()), unknown);
  }

  public UseCurve unknown() {
    return unknown;
  }
}
