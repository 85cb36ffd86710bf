package dev.fallow.sim;

import dev.fallow.core.idle.Signal;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Every series of the fleet over a stretch of time, made on the fly and handed over one at a time,
 * so that a large fleet never stands in memory twice.
 */
final class FleetSeries {

  private final SimulatedFleet fleet;
  private final LabelForm form;
  private final Labelling labelling;
  private final Set<Signal> signals;
  private final Noise noise;

  /** How a device's series is labelled: by the exporter, or by Prometheus in the end. */
  interface Labelling {
    Map<String, String> labels(SimDevice device, Optional<SimPod> holder, int share);
  }

  FleetSeries(
      SimulatedFleet fleet, LabelForm form, Labelling labelling, Set<Signal> signals, Noise noise) {
    this.fleet = fleet;
    this.form = form;
    this.labelling = labelling;
    this.signals = signals;
    this.noise = noise;
  }

  /**
   * @param mainsAfter from when on the signals that can prove idleness are given
   * @param othersAfter from when on the rest are
   */
  void forEach(long mainsAfter, long othersAfter, long until, Consumer<SimSeries> sink) {
    String node = "";
    long[] looks = {};
    for (SimDevice device : fleet.devices()) {
      if (!device.node().name().equals(node)) {
        node = device.node().name();
        looks = looks(device.node(), Math.min(mainsAfter, othersAfter), until);
      }
      if (device.seen()) {
        ofDevice(device, looks, mainsAfter, othersAfter, sink);
      }
    }
  }

  /** What the exporter of one node shows of one look. */
  void ofNode(SimNode node, long look, Consumer<SimSeries> sink) {
    for (SimDevice device : fleet.devices(node)) {
      if (device.seen()) {
        ofDevice(device, new long[] {look}, look - 1, look - 1, sink);
      }
    }
  }

  private long[] looks(SimNode node, long after, long until) {
    Exporter exporter = node.exporter();
    long[] looks = exporter.looks(after, until);
    return noise == Noise.NONE
        ? looks
        : Arrays.stream(looks)
            .filter(look -> !noise.loses(exporter.seed(), exporter.number(look)))
            .toArray();
  }

  private void ofDevice(
      SimDevice device, long[] looks, long mainsAfter, long othersAfter, Consumer<SimSeries> sink) {
    Work[] work = new Work[looks.length];
    for (int i = 0; i < looks.length; i++) {
      work[i] = fleet.work(device, looks[i]);
    }
    for (Strand strand : Strand.of(fleet, form, device, looks)) {
      Map<String, String> labels = labelling.labels(device, strand.holder(), strand.share());
      for (Signal signal : device.signals()) {
        if (signals.contains(signal) && strand.shows(signal)) {
          long after = Signal.mains().contains(signal) ? mainsAfter : othersAfter;
          series(device, strand, labels, signal, looks, work, after).ifPresent(sink);
        }
      }
    }
  }

  private Optional<SimSeries> series(
      SimDevice device,
      Strand strand,
      Map<String, String> labels,
      Signal signal,
      long[] looks,
      Work[] work,
      long after) {
    int first = 0;
    while (first < strand.size() && looks[strand.look(first)] <= after) {
      first++;
    }
    int size = strand.size() - first;
    if (size == 0) {
      return Optional.empty();
    }
    long[] millis = new long[size];
    double[] values = new double[size];
    Exporter exporter = device.node().exporter();
    for (int i = 0; i < size; i++) {
      int look = strand.look(first + i);
      millis[i] = looks[look];
      values[i] =
          noise.corrupted(
              signal,
              value(device, strand, signal, work[look], looks[look]),
              exporter.seed(),
              exporter.number(looks[look]));
    }
    String metric = form.metric(signal, device.node().model());
    return Optional.of(new SimSeries(metric, signal, labels, millis, values));
  }

  private double value(SimDevice device, Strand strand, Signal signal, Work work, long look) {
    boolean byProcess =
        signal == Signal.GPU_UTIL
            && form.perProcess()
            && device.node().shared()
            && strand.holder().isPresent();
    if (!byProcess) {
      return Meter.read(signal, work, device, look);
    }
    return form == LabelForm.VIRTUAL_ZEROS
        ? 0
        : Meter.read(signal, strand.ownWork(look), device, look);
  }
}
