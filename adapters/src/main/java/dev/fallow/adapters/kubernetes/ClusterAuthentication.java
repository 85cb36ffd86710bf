package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectTree;
import java.util.Map;

/** What the API server tells those behind it about how it asks them for somebody else. */
public final class ClusterAuthentication {

  private static final ResourceKind CONFIG_MAPS =
      new ResourceKind("v1", "ConfigMap", "configmaps", true);
  private static final String NAMESPACE = "kube-system";
  private static final String NAME = "extension-apiserver-authentication";

  private final ObjectLister lister;

  public ClusterAuthentication(KubernetesConnection connection) {
    this.lister = new ObjectLister(connection.api());
  }

  /**
   * Texts by their keys, such as {@code requestheader-client-ca-file}.
   *
   * @throws Unavailable when they cannot be read
   */
  public Map<String, String> read() {
    try {
      return lister
          .get(CONFIG_MAPS, NAMESPACE, NAME, Projection.of("data"))
          .orElse(ObjectTree.EMPTY)
          .texts("data");
    } catch (ApiRefusal refusal) {
      if (refusal.forbidden()) {
        throw new Unavailable(
            "kubernetes",
            "this account may not read the ConfigMap "
                + NAMESPACE
                + "/"
                + NAME
                + ", so the API server cannot be told from others; bind the Role"
                + " extension-apiserver-authentication-reader to it, as deploy/metrics does",
            false);
      }
      throw refusal.unavailable();
    }
  }
}
