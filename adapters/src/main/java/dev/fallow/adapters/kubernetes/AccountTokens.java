package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectTree;
import java.time.Duration;
import java.util.Map;

/** Tokens of a ServiceAccount, for a while. */
public final class AccountTokens {

  private static final ResourceKind ACCOUNTS =
      new ResourceKind("v1", "ServiceAccount", "serviceaccounts", true);

  private final ApiServer api;

  public AccountTokens(KubernetesConnection connection) {
    this.api = connection.api();
  }

  /** A secret. */
  public String of(String namespace, String account, Duration validity) {
    String body =
        Json.write(
            Map.of(
                "apiVersion",
                "authentication.k8s.io/v1",
                "kind",
                "TokenRequest",
                "spec",
                Map.of("expirationSeconds", validity.toSeconds())));
    try (ApiReply reply =
        ApiServer.orRefuse(
            api.post(
                ACCOUNTS.path(namespace, account) + "/token",
                ApiServer.JSON,
                ApiServer.JSON,
                body))) {
      return Json.read(reply.text())
          .orElse(ObjectTree.EMPTY)
          .text("status", "token")
          .orElseThrow(
              () -> new Unavailable("kubernetes", "the API server gave an empty token", true));
    } catch (ApiRefusal refusal) {
      if (refusal.forbidden() || refusal.missing()) {
        throw new Unavailable(
            "kubernetes",
            "there is no token to be had of the account "
                + namespace
                + "/"
                + account
                + "; apply deploy/metrics/passing.yaml",
            false);
      }
      throw refusal.unavailable();
    }
  }
}
