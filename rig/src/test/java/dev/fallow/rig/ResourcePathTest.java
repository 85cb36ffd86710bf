package dev.fallow.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourcePathTest {
  @ParameterizedTest
  @CsvSource({
    "/api/v1/nodes/n1, /registry/minions/n1",
    "/api/v1/namespaces/ns1, /registry/namespaces/ns1",
    "/api/v1/namespaces/ns1/pods/p1, /registry/pods/ns1/p1",
    "/apis/apps/v1/namespaces/ns1/deployments/web, /registry/deployments/ns1/web",
    "/apis/example.org/v1/namespaces/ns1/gadgets/g1, /registry/example.org/gadgets/ns1/g1",
  })
  void apiPathLeadsToTheStoredKey(String path, String key) {
    assertThat(ResourcePath.parse(path).etcdKeys()).contains(key);
  }

  @Test
  void pathOfAListIsRefused() {
    assertThatThrownBy(() -> ResourcePath.parse("/api/v1/namespaces/ns1/pods"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
