package dev.fallow.core.fleet;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Pods with accelerators that live and die together, under the topmost object that controls them.
 *
 * @param root the topmost object along the controllers; the pod itself where it has none
 * @param chain every object from the pods up to the root, the root last, the pods left out
 * @param plain pods without accelerators under the same root
 * @param brokenBy why the chain does not lead to a root that can be believed, if it does not
 */
public record Workload(
    ObjectId root,
    List<OwnerObject> chain,
    List<GpuPod> pods,
    List<PlainPod> plain,
    Optional<String> brokenBy)
    implements Comparable<Workload> {

  public Workload {
    chain = List.copyOf(chain);
    pods = List.copyOf(pods);
    plain = List.copyOf(plain);
    if (pods.isEmpty()) {
      throw new IllegalArgumentException(root + " has no pods");
    }
  }

  /** Of pods with accelerators alone. */
  public Workload(
      ObjectId root, List<OwnerObject> chain, List<GpuPod> pods, Optional<String> brokenBy) {
    this(root, chain, pods, List.of(), brokenBy);
  }

  public String namespace() {
    return pods.getFirst().id().namespace();
  }

  /**
   * What stands on one of its objects.
   *
   * @param on the object, or what it is kept beside
   */
  public record Wish(ObjectId on, Map<String, String> annotations) {}

  /** Everything that people may have written, from the root's chain down to the pods. */
  public Stream<Wish> wishes() {
    return Stream.of(
            chain.stream()
                .flatMap(owner -> owner.wishes().stream().map(wish -> new Wish(owner.id(), wish))),
            pods.stream().map(pod -> new Wish(pod.id(), pod.annotations())),
            plain.stream().map(pod -> new Wish(pod.id(), pod.annotations())))
        .flatMap(wishes -> wishes);
  }

  /** The root's own facts; a bare pod, or a root that could not be read, has none. */
  public Optional<OwnerObject> rootObject() {
    return chain.stream().filter(object -> object.id().equals(root)).findFirst();
  }

  /** The same with its root as it is now. */
  public Workload withRoot(OwnerObject now) {
    return new Workload(
        root,
        chain.stream().map(object -> object.id().equals(root) ? now : object).toList(),
        pods,
        plain,
        brokenBy);
  }

  /** Accelerators that its live pods hold: those bound to a node. */
  public int gpus() {
    return pods.stream()
        .filter(pod -> pod.live() && pod.node().isPresent())
        .mapToInt(pod -> pod.accelerators().count())
        .sum();
  }

  @Override
  public int compareTo(Workload other) {
    return root.compareTo(other.root);
  }
}
