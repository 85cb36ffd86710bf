package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.adapters.kubernetes.ConnectionOptions;
import dev.fallow.adapters.kubernetes.InformerClusterReader;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ClusterState;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kind of owners whose lists fail, as with a conversion webhook that is gone. */
class BrokenKindTest {

  private static final String ROLLOUTS = "/apis/argoproj.io/v1alpha1/rollouts";

  @TempDir Path folder;

  private final StubCluster cluster =
      new StubCluster()
          .answers(
              "/api/v1/pods",
              """
              {"metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"web-1",
               "namespace":"ml","uid":"u1","ownerReferences":[{"apiVersion":"argoproj.io/v1alpha1",
               "kind":"Rollout","name":"web","uid":"r1","controller":true}]},
               "spec":{"nodeName":"n1","containers":[{"name":"main",
                "resources":{"limits":{"nvidia.com/gpu":"1"}}}]},
               "status":{"phase":"Running"}}]}
              """)
          .answers(
              "/apis",
              """
              {"items":[{"metadata":{"name":"argoproj.io"},"versions":[{"version":"v1alpha1",
               "resources":[{"resource":"rollouts","responseKind":{"kind":"Rollout"},
                "scope":"Namespaced"}]}]}]}
              """)
          .answers(ROLLOUTS, 500);

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void numbersGoOnWithoutItAndVerdictsDoNot() {
    try (KubernetesConnection connection =
        KubernetesConnection.open(
            new ConnectionOptions(
                Optional.of(cluster.kubeconfig(folder)), Optional.empty(), "test", Map.of()))) {
      try (InformerClusterReader numbers =
          InformerClusterReader.goingOn(connection, Optional.empty())) {
        ClusterState seen = numbers.read();
        assertThat(seen.pods()).hasSize(1);
        assertThat(seen.notes())
            .anySatisfy(note -> assertThat(note).startsWith("rollouts.argoproj.io cannot be read"));
      }
      try (InformerClusterReader verdicts =
          new InformerClusterReader(connection, Optional.empty())) {
        assertThatThrownBy(verdicts::read).isInstanceOf(Unavailable.class);
      }
    }
  }
}
