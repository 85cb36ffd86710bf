package dev.fallow.core.fleet;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ResourceClaims of dynamic resource allocation, asked which accelerators a pod holds by claim.
 * A claim that cannot be found counts as one device of unknown number: better a pod that is listed
 * and unknown than one that is overlooked.
 */
public final class ClaimedDevices {

  private static final List<String> DRIVERS =
      List.of("gpu.nvidia.com", "gpu.amd.com", "gpu.intel.com");

  private final Map<String, ObjectTree> claims = new HashMap<>();

  public ClaimedDevices(Iterable<ObjectTree> resourceClaims) {
    for (ObjectTree claim : resourceClaims) {
      ObjectId id = ObjectId.of(claim);
      claims.put(id.namespace() + "/" + id.name(), claim);
    }
  }

  public static ClaimedDevices none() {
    return new ClaimedDevices(List.of());
  }

  /** Whether a pod names claims at all. */
  public static boolean claims(ObjectTree pod) {
    return !pod.list("spec", "resourceClaims").isEmpty();
  }

  public Accelerators heldBy(ObjectTree pod) {
    Accelerators held = Accelerators.NONE;
    String namespace = pod.textOr("", "metadata", "namespace");
    for (ObjectTree wish : pod.list("spec", "resourceClaims")) {
      Optional<ObjectTree> claim =
          nameOf(wish, pod).map(name -> claims.get(namespace + "/" + name));
      if (claim.isEmpty()) {
        held = held.plus(Accelerators.CLAIMED_UNREAD, 1);
      } else {
        boolean together = claim.get().list("status", "reservedFor").size() > 1;
        held =
            held.plus(
                together ? Accelerators.CLAIMED_TOGETHER : Accelerators.CLAIMED,
                acceleratorsOf(claim.get()));
      }
    }
    return held;
  }

  private static Optional<String> nameOf(ObjectTree wish, ObjectTree pod) {
    Optional<String> named = wish.text("resourceClaimName");
    if (named.isPresent()) {
      return named;
    }
    String local = wish.textOr("", "name");
    return pod.list("status", "resourceClaimStatuses").stream()
        .filter(status -> status.textOr("", "name").equals(local))
        .flatMap(status -> status.text("resourceClaimName").stream())
        .findFirst();
  }

  /** Allocated devices where there are some, else those asked for. */
  private static int acceleratorsOf(ObjectTree claim) {
    List<ObjectTree> results = claim.list("status", "allocation", "devices", "results");
    if (!results.isEmpty()) {
      return (int)
          results.stream()
              .filter(result -> DRIVERS.contains(result.textOr("", "driver")))
              .filter(result -> !isToWatch(result))
              .count();
    }
    int asked = 0;
    for (ObjectTree request : claim.list("spec", "devices", "requests")) {
      // v1 nests the request under "exactly"; v1beta1 wrote it flat.
      ObjectTree exact = request.has("exactly") ? request.tree("exactly") : request;
      if (isGpuClass(exact.textOr("", "deviceClassName")) && !isToWatch(exact)) {
        asked += Math.clamp(exact.number("count").orElse(1), 0, 1024);
      }
    }
    return asked;
  }

  /** Exporters reach the devices of others so; they hold none. */
  private static boolean isToWatch(ObjectTree wish) {
    return wish.textOr("", "adminAccess").equals("true");
  }

  private static boolean isGpuClass(String deviceClass) {
    return deviceClass.contains("gpu") || deviceClass.startsWith("mig.");
  }
}
