package dev.fallow.adapters.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NamespaceOwnersTest {

  private static List<String> of(String... bindings) {
    return NamespaceOwners.of(
        Json.read("{\"items\":[" + String.join(",", bindings) + "]}").orElseThrow());
  }

  private static String binding(String role, String kind, String name) {
    return "{\"roleRef\":{\"name\":\"%s\"},\"subjects\":[{\"kind\":\"%s\",\"name\":\"%s\"}]}"
        .formatted(role, kind, name);
  }

  @Test
  void administratorsComeBeforeEditorsAndEachOnce() {
    assertThat(
            of(
                binding("edit", "User", "bob@example.com"),
                binding("kubeflow-admin", "User", "alice@example.com"),
                binding("kubeflow-edit", "User", "alice@example.com")))
        .containsExactly("alice@example.com", "bob@example.com");
  }

  @Test
  void whoOnlyLooksAndWhoIsNoPersonIsNotTold() {
    assertThat(
            of(
                binding("view", "User", "carol@example.com"),
                binding("admin", "Group", "team@example.com"),
                binding("admin", "ServiceAccount", "robot"),
                binding("admin", "User", "system:kube-controller-manager"),
                binding("admin", "User", "a@b.example\\r\\nBcc: all@example.com"),
                "{\"roleRef\":{\"name\":\"admin\"}}",
                "{}"))
        .isEmpty();
  }
}
