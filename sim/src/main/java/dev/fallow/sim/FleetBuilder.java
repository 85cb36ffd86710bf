package dev.fallow.sim;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Puts a fleet together: nodes first, then workloads, each placed where there is room. */
final class FleetBuilder {

  private final long seed;
  private final Instant start;
  private final Map<String, SimNamespace> namespaces = new LinkedHashMap<>();
  private final List<SimNode> nodes = new ArrayList<>();
  private final List<SimWorkload> workloads = new ArrayList<>();
  private final Map<String, Rack> racks = new HashMap<>();
  private List<SimDevice> devices = List.of();

  FleetBuilder(long seed, Instant start) {
    this.seed = seed;
    this.start = start;
  }

  /** What is left to be held on a node: each device once for each pod that may share it. */
  private static final class Rack {
    private final SimNode node;
    private final List<SimDevice> free = new ArrayList<>();

    Rack(SimNode node) {
      this.node = node;
    }

    Optional<List<SimDevice>> take(String profile, int count) {
      List<SimDevice> taken =
          free.stream().filter(device -> device.migProfile().equals(profile)).limit(count).toList();
      if (taken.size() < count) {
        return Optional.empty();
      }
      taken.forEach(device -> free.remove(device));
      return Optional.of(taken);
    }
  }

  long seedOf(String place) {
    return Dice.roll(seed, place);
  }

  FleetBuilder namespace(String name, Map<String, String> annotations) {
    namespaces.put(name, new SimNamespace(name, annotations));
    return this;
  }

  FleetBuilder node(String name, GpuModel model, int cards) {
    return node(name, model, cards, 1, List.of(), Set.of(), Exporter.steady(seedOf(name)));
  }

  FleetBuilder node(
      String name,
      GpuModel model,
      int cards,
      int sharers,
      List<String> migProfiles,
      Set<Integer> unseen,
      Exporter exporter) {
    nodes.add(new SimNode(name, model, cards, sharers, migProfiles, unseen, exporter));
    return this;
  }

  /** Ends the list of nodes and opens that of workloads. */
  FleetBuilder racked() {
    devices = SimDevice.of(seed, nodes);
    nodes.forEach(node -> racks.put(node.name(), new Rack(node)));
    int most = nodes.stream().mapToInt(SimNode::sharers).max().orElse(1);
    // Each card once, then each again: the plugin spreads sharers over the cards.
    for (int share = 0; share < most; share++) {
      for (SimDevice device : devices) {
        Rack rack = racks.get(device.node().name());
        if (rack != null && share < device.node().sharers()) {
          rack.free.add(device);
        }
      }
    }
    return this;
  }

  SimulatedFleet build() {
    return new SimulatedFleet(
        seed, start, List.copyOf(namespaces.values()), nodes, devices, workloads);
  }

  Order workload(OwnerKind kind, String namespace, String name) {
    namespaces.putIfAbsent(namespace, new SimNamespace(namespace, Map.of()));
    return new Order(kind, namespace, name);
  }

  /** A workload that is still being described; it is taken in once it is placed. */
  final class Order {
    private final OwnerKind kind;
    private final String namespace;
    private final String name;
    private final Map<String, String> annotations = new HashMap<>();
    private Activity activity = new Activity.Never();
    private Life life = new Life.Steady(start.minus(Duration.ofDays(12)), Duration.ofSeconds(20));
    private Optional<Duration> idleWindow = Optional.empty();
    private String profile = "";
    private int pods = 1;
    private int gpus = 1;

    private Order(OwnerKind kind, String namespace, String name) {
      this.kind = kind;
      this.namespace = namespace;
      this.name = name;
    }

    Order pods(int count, int gpusEach) {
      pods = count;
      gpus = gpusEach;
      return this;
    }

    Order slice(String migProfile) {
      profile = migProfile;
      return this;
    }

    Order does(Activity what) {
      activity = what;
      return this;
    }

    Order lives(Life how) {
      life = how;
      return this;
    }

    Order annotated(String key, String value) {
      annotations.put(key, value);
      return this;
    }

    Order idleWindow(Duration window) {
      idleWindow = Optional.of(window);
      return this;
    }

    /** Places each pod on the first of these nodes that has room for all it asks for. */
    FleetBuilder on(String... names) {
      List<Slot> slots = new ArrayList<>(pods);
      String resource = "";
      for (int ordinal = 0; ordinal < pods; ordinal++) {
        Optional<List<SimDevice>> room = Optional.empty();
        for (int i = 0; room.isEmpty() && i < names.length; i++) {
          Rack rack = racks.get(names[i]);
          if (rack != null) {
            room = rack.take(profile, gpus);
            resource = rack.node.resource(profile);
          }
        }
        slots.add(
            new Slot(
                ordinal, room.orElseThrow(() -> new IllegalStateException("no room for " + name))));
      }
      return taken(slots, resource);
    }

    /** Leaves its pods without a node. */
    FleetBuilder nowhere() {
      List<Slot> slots = new ArrayList<>(pods);
      for (int ordinal = 0; ordinal < pods; ordinal++) {
        slots.add(new Slot(ordinal, List.of()));
      }
      return taken(slots, "nvidia.com/gpu");
    }

    private FleetBuilder taken(List<Slot> slots, String resource) {
      workloads.add(
          new SimWorkload(
              kind,
              namespace,
              name,
              gpus,
              resource,
              slots,
              activity,
              life,
              idleWindow,
              annotations));
      return FleetBuilder.this;
    }
  }
}
