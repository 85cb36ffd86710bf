package dev.fallow.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimedDevicesTest {

  private static final ObjectTree POD =
      new ObjectTree(
          Map.of(
              "metadata",
              Map.of("namespace", "ml", "name", "p"),
              "spec",
              Map.of("resourceClaims", List.of(Map.of("name", "x", "resourceClaimName", "c")))));

  private static Accelerators held(
      List<Map<String, Object>> requests, List<Map<String, Object>> results) {
    Map<String, Object> status = new HashMap<>();
    status.put("allocation", Map.of("devices", Map.of("results", results)));
    ObjectTree claim =
        new ObjectTree(
            Map.of(
                "metadata",
                Map.of("namespace", "ml", "name", "c"),
                "spec",
                Map.of("devices", Map.of("requests", requests)),
                "status",
                results.isEmpty() ? Map.of() : status));
    return new ClaimedDevices(List.of(claim)).heldBy(POD);
  }

  private static Map<String, Object> request(String name, String deviceClass) {
    return Map.of("name", name, "exactly", Map.of("deviceClassName", deviceClass));
  }

  private static Map<String, Object> result(String request, String driver) {
    return Map.of("request", request, "driver", driver);
  }

  @Test
  void aClaimedInstanceIsAnInstance() {
    List<Map<String, Object>> asked = List.of(request("gpu", "mig.nvidia.com"));

    assertThat(held(asked, List.of()).onlyInstances()).isTrue();
    assertThat(held(asked, List.of(result("gpu", "gpu.nvidia.com"))).onlyInstances()).isTrue();
    assertThat(
            held(
                    List.of(request("gpu", "gpu.nvidia.com")),
                    List.of(result("gpu", "gpu.nvidia.com")))
                .onlyInstances())
        .isFalse();
  }

  @Test
  void ofSeveralChoicesTheOneThatWasAllocatedCounts() {
    List<Map<String, Object>> asked =
        List.of(
            Map.of(
                "name",
                "gpu",
                "firstAvailable",
                List.of(
                    Map.of("name", "whole", "deviceClassName", "gpu.nvidia.com"),
                    Map.of("name", "part", "deviceClassName", "mig.nvidia.com"))));

    assertThat(held(asked, List.of(result("gpu/part", "gpu.nvidia.com"))).onlyInstances()).isTrue();
    assertThat(held(asked, List.of(result("gpu/whole", "gpu.nvidia.com"))).onlyInstances())
        .isFalse();
  }

  @Test
  void aClaimedGpuOfIntelsIsKnownAsSuch() {
    Accelerators held =
        held(List.of(request("gpu", "gpu.intel.com")), List.of(result("gpu", "gpu.intel.com")));
    assertThat(held.anyIntel()).isTrue();
    assertThat(held.count()).isEqualTo(1);
  }

  @Test
  void whoOnlyWatchesHoldsNothing() {
    Map<String, Object> watched = new HashMap<>(result("gpu", "gpu.nvidia.com"));
    watched.put("adminAccess", true);
    assertThat(held(List.of(request("gpu", "gpu.nvidia.com")), List.of(watched)).isEmpty())
        .isTrue();
  }
}
