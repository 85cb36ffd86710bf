package dev.fallow.sim;

import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSeries;
import dev.fallow.core.idle.UsageSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The fleet's samples, behind the port that Prometheus and the exporters stand behind as well. */
public final class SimUsageSource implements UsageSource {

  private final FleetSeries series;

  public SimUsageSource(SimulatedFleet fleet) {
    this(fleet, LabelForm.HONOURED);
  }

  public SimUsageSource(SimulatedFleet fleet, LabelForm form) {
    this(fleet, form, EnumSet.allOf(Signal.class), Noise.NONE);
  }

  /** Signals that are not asked for are as if no exporter had them. */
  public SimUsageSource(SimulatedFleet fleet, LabelForm form, Set<Signal> signals, Noise noise) {
    this.series = new FleetSeries(fleet, form, new SeriesNames(form)::stored, signals, noise);
  }

  @Override
  public Usage read(Instant at, Duration window) {
    long until = at.toEpochMilli();
    long after = until - window.toMillis();
    Instant base = at.minus(window).minus(UsageSource.lookback(window));
    List<UsageSeries> all = new ArrayList<>();
    series.forEach(
        base.toEpochMilli(),
        after,
        until,
        one -> {
          Samples.Builder samples = new Samples.Builder(base);
          for (int i = 0; i < one.size(); i++) {
            samples.add(one.millis(i), one.value(i));
          }
          SeriesLabels.of(one.metric(), one.labels())
              .ifPresent(labels -> all.add(new UsageSeries(labels, samples.build())));
        });
    return new Usage.Complete(all);
  }
}
