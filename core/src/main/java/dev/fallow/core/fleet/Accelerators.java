package dev.fallow.core.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The accelerators a pod asked for: how many devices by resource name, those claimed through
 * dynamic resource allocation among them.
 *
 * @param byResource resource name to the number of devices, none of them zero
 */
public record Accelerators(Map<String, Integer> byResource) {

  public static final Accelerators NONE = new Accelerators(Map.of());

  /** Stands for devices held through a ResourceClaim, which have no resource name. */
  public static final String CLAIMED = "resource.k8s.io/claim";

  /** The same, of MIG instances. */
  public static final String CLAIMED_INSTANCE = "resource.k8s.io/claim.mig";

  /** The same, where several pods hold one claim. */
  public static final String CLAIMED_TOGETHER = "resource.k8s.io/claim.shared";

  /** A claim that could not be read: it holds some devices, nobody knows how many. */
  public static final String CLAIMED_UNREAD = "resource.k8s.io/claim.unread";

  private static final String MIG = "nvidia.com/mig-";
  private static final String SHARED = ".shared";

  public Accelerators {
    byResource = Map.copyOf(byResource);
  }

  /** Extended resources that are accelerators, as the device plugins name them. */
  public static boolean isAccelerator(String resource) {
    return resource.equals("nvidia.com/gpu")
        || resource.equals("nvidia.com/gpu.shared")
        || resource.startsWith(MIG)
        || resource.equals("amd.com/gpu")
        || resource.startsWith("gpu.intel.com/")
        || resource.equals(CLAIMED)
        || resource.equals(CLAIMED_INSTANCE)
        || resource.equals(CLAIMED_TOGETHER)
        || resource.equals(CLAIMED_UNREAD);
  }

  /** What a pod template or pod asks for, its claims aside. */
  public static Accelerators requestedBy(ObjectTree podSpec) {
    Map<String, Integer> running = new TreeMap<>();
    podSpec.list("containers").forEach(container -> add(running, requested(container)));
    Map<String, Integer> sidecars = new TreeMap<>();
    Map<String, Integer> peak = new TreeMap<>();
    for (ObjectTree container : podSpec.list("initContainers")) {
      if (container.textOr("", "restartPolicy").equals("Always")) {
        add(sidecars, requested(container));
      } else {
        Map<String, Integer> beside = new TreeMap<>(sidecars);
        add(beside, requested(container));
        beside.forEach((name, count) -> peak.merge(name, count, Math::max));
      }
    }
    add(running, sidecars);
    running.forEach((name, count) -> peak.merge(name, count, Math::max));
    return new Accelerators(peak);
  }

  /** The accelerators of one container; limits rule, as the device plugin API demands. */
  static Map<String, Integer> requested(ObjectTree container) {
    Map<String, Integer> devices = new TreeMap<>(counted(container.texts("resources", "requests")));
    devices.putAll(counted(container.texts("resources", "limits")));
    return devices;
  }

  /** The accelerators among resource quantities, those of at least one device. */
  static Map<String, Integer> counted(Map<String, String> quantities) {
    Map<String, Integer> devices = new TreeMap<>();
    quantities.forEach((name, quantity) -> {
      int count = isAccelerator(name) ? wholeNumber(quantity) : 0;
      if (count > 0) {
        devices.put(name, count);
      }
    });
    return devices;
  }

  public Accelerators plus(String resource, int count) {
    if (count <= 0) {
      return this;
    }
    Map<String, Integer> sum = new TreeMap<>(byResource);
    sum.merge(resource, count, Accelerators::sum);
    return new Accelerators(sum);
  }

  /**
   * The same, under the names that say themselves what is shared. A device plugin may hand out
   * parts under the plain name of the whole.
   */
  Accelerators sharing(Predicate<String> resources) {
    if (byResource.keySet().stream().noneMatch(resources)) {
      return this;
    }
    Map<String, Integer> named = new TreeMap<>();
    byResource.forEach((resource, count) ->
        named.merge(
            resources.test(resource) ? resource + SHARED : resource, count, Accelerators::sum));
    return new Accelerators(named);
  }

  public boolean isEmpty() {
    return byResource.isEmpty();
  }

  /** How many devices; what only measures one is none. */
  public int count() {
    return byResource.entrySet().stream()
        .filter(wish -> CardParts.isDevice(wish.getKey()))
        .map(Map.Entry::getValue)
        .reduce(0, Accelerators::sum);
  }

  /**
   * How much of cards these are, in {@link CardParts}, by their names alone. Of what is shared, and
   * of an instance that is claimed, the name does not tell how much, so it counts for nothing.
   *
   * @param sharingNode whether its node hands whole cards to several pods
   */
  public long cardParts(boolean sharingNode) {
    return byResource.entrySet().stream()
        .filter(wish -> CardParts.isDevice(wish.getKey()) && !wish.getKey().endsWith(SHARED))
        .filter(wish -> !wish.getKey().equals(CLAIMED_INSTANCE))
        .filter(wish -> !sharingNode || !wish.getKey().equals("nvidia.com/gpu"))
        .mapToLong(wish ->
            (long) wish.getValue() * CardParts.ofProfile(CardParts.profileOf(wish.getKey())))
        .sum();
  }

  /** Intel's exporters tell of cards and never of pods. */
  public boolean anyIntel() {
    return byResource.keySet().stream().anyMatch(name -> name.startsWith("gpu.intel.com/"));
  }

  public boolean anyUnread() {
    return byResource.containsKey(CLAIMED_UNREAD);
  }

  /**
   * How many devices a pod has to show. Of cards that are shared, however many parts it asked for,
   * it need show one only.
   *
   * @param sharingNode whether its node hands whole cards to several pods
   */
  public int shownAtLeast(boolean sharingNode) {
    int asked = 0;
    boolean part = false;
    for (Map.Entry<String, Integer> wish : byResource.entrySet()) {
      boolean shared =
          (wish.getKey().endsWith(SHARED) && !wish.getKey().equals(CLAIMED_TOGETHER))
              || (sharingNode && wish.getKey().equals("nvidia.com/gpu"));
      part |= shared;
      asked = shared ? asked : sum(asked, wish.getValue());
    }
    return part ? sum(asked, 1) : asked;
  }

  /** Whether all it asks for by name are MIG instances. */
  public boolean onlyInstances() {
    return !byResource.isEmpty()
        && byResource.keySet().stream()
            .allMatch(name -> name.startsWith(MIG) || name.equals(CLAIMED_INSTANCE));
  }

  /**
   * How many of these wishes such devices can meet. Where whole GPUs are asked for beside
   * instances, neither stands for the other; otherwise a node may hand out instances as GPUs, and
   * labels may not tell an instance from its card.
   */
  public int met(int cards, int instances, int amdCards) {
    int ofAmd = Math.min(asked("amd.com/gpu"), amdCards);
    int wholes = asked("nvidia.com/gpu");
    int parts = asked(MIG);
    int ofNvidia;
    if (parts == 0) {
      ofNvidia = Math.min(wholes, cards + instances);
    } else if (wholes == 0) {
      ofNvidia = Math.min(parts, instances == 0 ? cards : instances);
    } else {
      ofNvidia = Math.min(wholes, cards) + Math.min(parts, instances);
    }
    int left = cards + instances + amdCards - ofAmd - ofNvidia;
    return ofAmd + ofNvidia + Math.min(asked("resource.k8s.io/"), left);
  }

  private int asked(String prefix) {
    return byResource.entrySet().stream()
        .filter(wish -> wish.getKey().startsWith(prefix))
        .map(Map.Entry::getValue)
        .reduce(0, Accelerators::sum);
  }

  /** Whether a resource name itself says that its devices are shared. */
  public boolean sharedByName() {
    return byResource.keySet().stream().anyMatch(name -> name.endsWith(SHARED));
  }

  /** The resource names, the largest holding first. */
  public List<String> resources() {
    List<String> names = new ArrayList<>(new TreeMap<>(byResource).keySet());
    names.sort((a, b) -> Integer.compare(held(b), held(a)));
    return names;
  }

  private int held(String resource) {
    return byResource.getOrDefault(resource, 0);
  }

  private static void add(Map<String, Integer> sum, Map<String, Integer> more) {
    more.forEach((name, count) -> sum.merge(name, count, Accelerators::sum));
  }

  /** Counts come from others' files: a silly one must not wrap around to a small one. */
  private static int sum(int one, int other) {
    return (int) Math.min(Integer.MAX_VALUE, (long) one + other);
  }

  /**
   * Extended resources are whole numbers, but a quantity may spell one as 2k or 2000m. Of what
   * cannot be read nobody knows how much it is, and so there can never be enough.
   */
  private static int wholeNumber(String quantity) {
    OptionalLong milli = Quantity.milli(quantity);
    return milli.isEmpty()
        ? Integer.MAX_VALUE
        : Math.clamp(Math.ceilDiv(milli.getAsLong(), 1000L), 0, Integer.MAX_VALUE);
  }
}
