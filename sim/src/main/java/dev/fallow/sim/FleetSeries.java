package dev.fallow.sim;

import dev.fallow.core.idle.Signal;
import dev.fallow.sim.SimulatedFleet.Holding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
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

  /** Who a series names: a device's label changes when its pod does. */
  private record Named(int ordinal, int generation, int share) {
    static final Named NOBODY = new Named(-1, 0, 0);
  }

  /** The looks at a device in which one holder was named. */
  private static final class Strand {
    private final Optional<SimPod> holder;
    private final int share;
    private final int[] looks;
    private int size;

    Strand(Optional<SimPod> holder, int share, int capacity) {
      this.holder = holder;
      this.share = share;
      this.looks = new int[capacity];
    }
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
    for (Strand strand : strands(device, looks)) {
      Map<String, String> labels = labelling.labels(device, strand.holder, strand.share);
      for (Signal signal : device.node().model().signals(device.mig())) {
        if (signals.contains(signal)) {
          long after = Signal.mains().contains(signal) ? mainsAfter : othersAfter;
          series(device, strand, labels, signal, looks, work, after).ifPresent(sink);
        }
      }
    }
  }

  private List<Strand> strands(SimDevice device, long[] looks) {
    List<Holding> holdings = fleet.holdings(device);
    Map<Named, Strand> strands = new LinkedHashMap<>();
    List<Named> named = new ArrayList<>(holdings.size());
    List<SimPod> pods = new ArrayList<>(holdings.size());
    for (int i = 0; i < looks.length; i++) {
      named.clear();
      pods.clear();
      for (int place = 0; place < holdings.size(); place++) {
        Optional<SimPod> pod = holdings.get(place).holder(looks[i]);
        if (pod.isPresent()) {
          int share = form == LabelForm.VIRTUAL_GPUS ? pods.size() : 0;
          named.add(new Named(place, pod.get().life().generation(), share));
          pods.add(pod.get());
        }
      }
      if (pods.isEmpty()) {
        add(strands, Named.NOBODY, Optional.empty(), i, looks.length);
      } else if (form == LabelForm.VIRTUAL_GPUS) {
        for (int share = 0; share < pods.size(); share++) {
          add(strands, named.get(share), Optional.of(pods.get(share)), i, looks.length);
        }
      } else {
        // An exporter that knows one pod a device names the last it read, in no lasting order.
        int last = (int) Math.floorMod(Dice.roll(device.index(), looks[i]), (long) pods.size());
        add(strands, named.get(last), Optional.of(pods.get(last)), i, looks.length);
      }
    }
    return List.copyOf(strands.values());
  }

  private static void add(
      Map<Named, Strand> strands, Named named, Optional<SimPod> pod, int index, int capacity) {
    Strand strand = strands.computeIfAbsent(named, key -> new Strand(pod, key.share(), capacity));
    strand.looks[strand.size++] = index;
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
    while (first < strand.size && looks[strand.looks[first]] <= after) {
      first++;
    }
    int size = strand.size - first;
    if (size == 0) {
      return Optional.empty();
    }
    long[] millis = new long[size];
    double[] values = new double[size];
    Exporter exporter = device.node().exporter();
    for (int i = 0; i < size; i++) {
      int look = strand.looks[first + i];
      millis[i] = looks[look];
      values[i] =
          noise.corrupted(
              signal,
              Meter.read(signal, work[look], device, looks[look]),
              exporter.seed(),
              exporter.number(looks[look]));
    }
    String metric = form.metric(signal, device.node().model());
    return Optional.of(new SimSeries(metric, signal, labels, millis, values));
  }
}
