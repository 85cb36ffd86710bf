package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.rig.ApiClient;
import dev.fallow.rig.ApiResponse;
import dev.fallow.rig.Rig;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/** The account that {@code deploy/base} ships, with its roles and the policy that binds it. */
final class ShippedAccount {

  static final String NAMESPACE = "fallow-system";
  private static final String NAME = "fallow";
  private static final String DAEMON =
      "/apis/apps/v1/namespaces/" + NAMESPACE + "/deployments/" + NAME;

  private static final String VIEWER = "viewer";
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private ShippedAccount() {}

  /** Its kubeconfig, once the API server knows its rights and its policy. */
  static Path in(Rig rig) {
    rig.kubectl("apply", "-k", base().toString());
    rig.kubectl("wait", "--for=condition=Established", "crd/workloadstates.fallow.dev");
    awaitPolicy(rig);
    return rig.kubeconfigForServiceAccount(NAMESPACE, NAME);
  }

  /** With the rights for the kinds that are not switched on by default. */
  static Path withMoreKindsIn(Rig rig) {
    rig.kubectl("apply", "-f", base().resolve("pruner-more.yaml").toString());
    return in(rig);
  }

  /** Of somebody who may look as {@code deploy/rbac/viewer.yaml} lets them, and no more. */
  static Path ofViewerIn(Rig rig) {
    rig.kubectl("apply", "-f", base().resolveSibling("rbac/viewer.yaml").toString());
    rig.kubectl("create", "serviceaccount", VIEWER, "-n", "default");
    rig.kubectl(
        "create",
        "clusterrolebinding",
        "looks",
        "--clusterrole=fallow-viewer",
        "--serviceaccount=default:" + VIEWER);
    ApiClient viewer = rig.serviceAccountClient("default", VIEWER);
    Awaitility.await().atMost(LIMIT).until(() -> viewer.get("/api/v1/pods").ok());
    return rig.kubeconfigForServiceAccount("default", VIEWER);
  }

  /**
   * Each probe is another change: one that went through before would change nothing the second
   * time, and be allowed.
   */
  private static void awaitPolicy(Rig rig) {
    ApiClient account = rig.serviceAccountClient(NAMESPACE, NAME);
    Awaitility.await()
        .atMost(LIMIT)
        .untilAsserted(() -> {
          ApiResponse reply =
              account.patch(
                  DAEMON,
                  "{\"metadata\":{\"labels\":{\"probe\":\"%d\"}}}".formatted(System.nanoTime()));
          assertThat(reply.status()).as(reply.body()).isEqualTo(422);
        });
  }

  private static Path base() {
    return Path.of(System.getProperty("fallow.root", ".")).resolve("deploy/base");
  }
}
