package dev.fallow.sim;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A GPU cluster that exists only as a function of time: the pods, the devices and what they do at
 * any instant follow from the seed and that instant alone. Nothing here keeps time; whoever asks
 * brings the instant.
 */
public final class SimulatedFleet {

  /** Where the demonstration begins unless it is told otherwise: ten o'clock on a Monday. */
  public static final Instant DEMO_START = Instant.parse("2026-11-02T10:00:00Z");

  private final long seed;
  private final Instant start;
  private final List<SimNamespace> namespaces;
  private final List<SimNode> nodes;
  private final List<SimDevice> devices;
  private final Map<String, List<SimDevice>> byNode;
  private final List<SimWorkload> workloads;
  private final List<List<Holding>> holdings;

  SimulatedFleet(
      long seed,
      Instant start,
      List<SimNamespace> namespaces,
      List<SimNode> nodes,
      List<SimDevice> devices,
      List<SimWorkload> workloads) {
    this.seed = seed;
    this.start = start;
    this.namespaces = List.copyOf(namespaces);
    this.nodes = List.copyOf(nodes);
    this.devices = List.copyOf(devices);
    this.byNode = devices.stream().collect(Collectors.groupingBy(device -> device.node().name()));
    this.workloads = List.copyOf(workloads);
    this.holdings = holdings(devices, workloads);
  }

  /** A claim of one place of a workload on a device; gpu counts over the workload's pods. */
  record Holding(SimWorkload workload, Slot slot, int gpu) {

    Optional<SimPod> holder(long millis) {
      return workload
          .life()
          .at(millis)
          .filter(life -> life.holdsDevices(millis))
          .map(life -> new SimPod(workload, slot, life));
    }
  }

  /** Sixty-four GPUs and some thirty workloads of six teams, begun on a Monday at ten. */
  public static SimulatedFleet demo(long seed) {
    return demo(seed, DEMO_START);
  }

  /** The same, begun at another moment, which its people then take for Monday at ten. */
  public static SimulatedFleet demo(long seed, Instant start) {
    return DemoFleet.of(seed, start);
  }

  /** A fleet of about so many pods, mostly Deployments, to see how things grow. */
  public static SimulatedFleet sized(long seed, int pods) {
    return SizedFleet.of(seed, DEMO_START, pods);
  }

  /**
   * The same fleet seen through some of its nodes: only those, and the workloads that are placed on
   * them alone. Small enough for a case that a person reads.
   */
  public SimulatedFleet on(Set<String> names) {
    return new SimulatedFleet(
        seed,
        start,
        namespaces,
        nodes.stream().filter(node -> names.contains(node.name())).toList(),
        devices.stream().filter(device -> names.contains(device.node().name())).toList(),
        workloads.stream()
            .filter(workload ->
                workload.slots().stream()
                    .flatMap(slot -> slot.devices().stream())
                    .allMatch(device -> names.contains(device.node().name())))
            .toList());
  }

  /**
   * The fleet after what was done to its workloads, in the order of the list. Its past is as it
   * was; its annotations are those of now.
   */
  public SimulatedFleet after(List<Deed> deeds) {
    Map<String, List<Deed>> byWorkload =
        deeds.stream().collect(Collectors.groupingBy(Deed::workload));
    return new SimulatedFleet(
        seed,
        start,
        namespaces,
        nodes,
        devices,
        workloads.stream()
            .map(workload ->
                byWorkload.containsKey(workload.toString())
                    ? Aftermath.of(workload, byWorkload.get(workload.toString()))
                    : workload)
            .toList());
  }

  public long seed() {
    return seed;
  }

  /** The moment at which the story begins; every moment before and after can be asked as well. */
  public Instant start() {
    return start;
  }

  public List<SimNamespace> namespaces() {
    return namespaces;
  }

  public List<SimNode> nodes() {
    return nodes;
  }

  /** Everything that can be held: whole cards, and instances of those that are cut up. */
  public List<SimDevice> devices() {
    return devices;
  }

  List<SimDevice> devices(SimNode node) {
    return byNode.getOrDefault(node.name(), List.of());
  }

  public List<SimWorkload> workloads() {
    return workloads;
  }

  /** Cards, each counted once however it is cut up or shared. */
  public int gpus() {
    return nodes.stream().mapToInt(SimNode::cards).sum();
  }

  public List<SimPod> pods(Instant at) {
    List<SimPod> pods = new ArrayList<>();
    workloads.forEach(workload -> pods.addAll(pods(workload, at)));
    return pods;
  }

  List<SimPod> pods(SimWorkload workload, Instant at) {
    return workload
        .life()
        .at(at.toEpochMilli())
        .map(life ->
            workload.slots().stream().map(slot -> new SimPod(workload, slot, life)).toList())
        .orElse(List.of());
  }

  /** What a device really does at a moment, for whoever holds it. */
  public Work work(SimDevice device, long millis) {
    for (Holding holding : holdings.get(device.index())) {
      Work work = holding.workload().work(holding.gpu(), millis);
      if (work.active()) {
        return work;
      }
    }
    return Work.NOTHING;
  }

  List<Holding> holdings(SimDevice device) {
    return holdings.get(device.index());
  }

  /** What each workload that has pods then is expected to be found, by the default rule. */
  public List<Truth> truth(Instant at) {
    return truth(at, LabelForm.HONOURED);
  }

  /** The same, where a form tells more than others do: who it is that uses a shared card. */
  public List<Truth> truth(Instant at, LabelForm form) {
    return new GroundTruth(this, at, form == LabelForm.VIRTUAL_PROCESSES).ofAll();
  }

  /** Every object of the cluster as a manifest of nested maps and lists. */
  public List<Map<String, Object>> objects(Instant at) {
    return new Manifests(this, at).all();
  }

  private static List<List<Holding>> holdings(
      List<SimDevice> devices, List<SimWorkload> workloads) {
    List<List<Holding>> holdings = new ArrayList<>();
    int places = devices.stream().mapToInt(device -> device.index() + 1).max().orElse(0);
    holdings.addAll(Collections.nCopies(places, List.of()));
    for (SimWorkload workload : workloads) {
      int gpu = 0;
      for (Slot slot : workload.slots()) {
        for (SimDevice device : slot.devices()) {
          List<Holding> more = new ArrayList<>(holdings.get(device.index()));
          more.add(new Holding(workload, slot, gpu++));
          holdings.set(device.index(), List.copyOf(more));
        }
      }
    }
    return holdings;
  }
}
