package dev.fallow.core.fleet;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The ResourceClaims of dynamic resource allocation, asked which accelerators a pod holds by claim.
 * A claim that cannot be found counts as one device of unknown number: better a pod that is listed
 * and unknown than one that is overlooked.
 */
public final class ClaimedDevices {

  private static final String INTEL_DRIVER = "gpu.intel.com";
  private static final List<String> DRIVERS =
      List.of("gpu.nvidia.com", "gpu.amd.com", INTEL_DRIVER);

  /** Under a name of Intel's, since of no Intel GPU it can be told whose it is. */
  private static final String INTEL = "gpu.intel.com/claim";

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
        for (Map.Entry<String, Integer> devices : devicesOf(claim.get()).entrySet()) {
          boolean shared = together && !devices.getKey().equals(INTEL);
          held =
              held.plus(
                  shared ? Accelerators.CLAIMED_TOGETHER : devices.getKey(), devices.getValue());
        }
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

  /** By resource name, allocated devices where there are some, else those asked for. */
  private static Map<String, Integer> devicesOf(ObjectTree claim) {
    Map<String, Integer> devices = new TreeMap<>();
    List<ObjectTree> requests = claim.list("spec", "devices", "requests");
    List<ObjectTree> results = claim.list("status", "allocation", "devices", "results");
    for (ObjectTree result : results) {
      String driver = result.textOr("", "driver");
      if (DRIVERS.contains(driver) && !isToWatch(result)) {
        String request = result.textOr("", "request");
        boolean instance =
            requests.stream()
                .filter(one -> request.split("/")[0].equals(one.textOr("", "name")))
                .flatMap(one -> classesOf(one, request))
                .anyMatch(ClaimedDevices::isOfInstances);
        devices.merge(
            driver.equals(INTEL_DRIVER)
                ? INTEL
                : instance ? Accelerators.CLAIMED_INSTANCE : Accelerators.CLAIMED,
            1,
            Integer::sum);
      }
    }
    for (ObjectTree request : results.isEmpty() ? requests : List.<ObjectTree>of()) {
      ObjectTree exact = exactly(request);
      String deviceClass = exact.textOr("", "deviceClassName");
      if (isGpuClass(deviceClass) && !isToWatch(exact)) {
        devices.merge(
            isOfInstances(deviceClass) ? Accelerators.CLAIMED_INSTANCE : Accelerators.CLAIMED,
            Math.clamp(exact.number("count").orElse(1), 0, 1024),
            Integer::sum);
      }
    }
    return devices;
  }

  /** The classes that an allocation may be of: {@code gpu}, or {@code gpu/second} of several. */
  private static Stream<String> classesOf(ObjectTree request, String allocated) {
    return Stream.concat(
            Stream.of(exactly(request)),
            request.list("firstAvailable").stream()
                .filter(one -> allocated.endsWith("/" + one.textOr("", "name"))))
        .map(one -> one.textOr("", "deviceClassName"));
  }

  /** v1 nests a request under "exactly"; v1beta1 wrote it flat. */
  private static ObjectTree exactly(ObjectTree request) {
    return request.has("exactly") ? request.tree("exactly") : request;
  }

  private static boolean isOfInstances(String deviceClass) {
    return deviceClass.startsWith("mig.");
  }

  /** Exporters reach the devices of others so; they hold none. */
  private static boolean isToWatch(ObjectTree wish) {
    return wish.textOr("", "adminAccess").equals("true");
  }

  private static boolean isGpuClass(String deviceClass) {
    return deviceClass.contains("gpu") || isOfInstances(deviceClass);
  }
}
