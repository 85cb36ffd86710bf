package dev.fallow.sim;

import dev.fallow.core.idle.Signal;
import dev.fallow.sim.SimulatedFleet.Holding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The looks at a device in which its series named one holder: labels change when pods do. */
final class Strand {

  private final Name name;
  private final Optional<SimPod> holder;
  private final int gpu;
  private final int[] looks;
  private int size;

  private Strand(Name name, Optional<SimPod> holder, int gpu, int capacity) {
    this.name = name;
    this.holder = holder;
    this.gpu = gpu;
    this.looks = new int[capacity];
  }

  /**
   * Who is named.
   *
   * @param place which of those that may hold the device
   * @param share the number of the copy where each sharer has one
   */
  private record Name(int place, int identity, int share) {
    static final Name NOBODY = new Name(-1, 0, 0);
    static final Name WHOLE_DEVICE = new Name(-2, 0, 0);
  }

  static List<Strand> of(SimulatedFleet fleet, LabelForm form, SimDevice device, long[] looks) {
    List<Holding> holdings = fleet.holdings(device);
    boolean copies = form.copiesPerSharer();
    Map<Name, Strand> strands = new LinkedHashMap<>();
    List<Strand> present = new ArrayList<>(holdings.size());
    for (int i = 0; i < looks.length; i++) {
      present.clear();
      for (int place = 0; place < holdings.size(); place++) {
        Holding holding = holdings.get(place);
        Optional<SimPod> pod = holding.holder(looks[i]);
        if (pod.isPresent()) {
          Name name = new Name(place, pod.get().life().identity(), copies ? present.size() : 0);
          present.add(
              strands.computeIfAbsent(
                  name, key -> new Strand(key, pod, holding.gpu(), looks.length)));
        }
      }
      if (present.isEmpty()) {
        nobody(strands, Name.NOBODY, looks).add(i);
      } else if (copies) {
        for (Strand strand : present) {
          strand.add(i);
        }
        if (form.perProcess() && device.node().shared()) {
          nobody(strands, Name.WHOLE_DEVICE, looks).add(i);
        }
      } else {
        // An exporter that knows one pod a device names the last it read, in no lasting order.
        long last = Math.floorMod(Dice.roll(device.index(), looks[i]), (long) present.size());
        present.get((int) last).add(i);
      }
    }
    return strands.values().stream().filter(strand -> strand.size > 0).toList();
  }

  private static Strand nobody(Map<Name, Strand> strands, Name name, long[] looks) {
    return strands.computeIfAbsent(name, key -> new Strand(key, Optional.empty(), 0, looks.length));
  }

  private void add(int look) {
    looks[size++] = look;
  }

  Optional<SimPod> holder() {
    return holder;
  }

  int share() {
    return name.share();
  }

  int size() {
    return size;
  }

  /** The index of one of its looks among all. */
  int look(int index) {
    return looks[index];
  }

  /** Beside values per process, the whole device's is kept for what is measured by process. */
  boolean shows(Signal signal) {
    return !name.equals(Name.WHOLE_DEVICE) || signal == Signal.GPU_UTIL;
  }

  /** What the one it names does on the device, whatever the others there do. */
  Work ownWork(long millis) {
    return holder.map(pod -> pod.workload().work(gpu, millis)).orElse(Work.NOTHING);
  }
}
