package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectTree;
import java.util.Optional;

/** Asks a program in the cluster, through the API server, as whoever calls. */
public final class ServiceProxy {

  /** The API server keeps Authorization to itself; what is behind it has to know who asks, too. */
  private static final String PROXIED_TOKEN = "X-Fallow-Authorization";

  private final KubernetesConnection connection;
  private final ApiServer api;

  public ServiceProxy(KubernetesConnection connection) {
    this.connection = connection;
    this.api = connection.api();
  }

  /**
   * @param port by its name
   * @throws Unavailable when there is no good answer
   */
  public String get(String namespace, String service, String port, String path) {
    String proxied = ResourceKind.SERVICES.path(namespace, service + ":" + port) + "/proxy" + path;
    Optional<String> token = connection.bearerToken();
    try (ApiReply reply =
        token.isPresent()
            ? api.get(proxied, ApiServer.JSON, PROXIED_TOKEN, "Bearer " + token.get())
            : api.get(proxied, ApiServer.JSON)) {
      return good(reply.status(), reply.text(), namespace + "/" + service);
    }
  }

  /**
   * The body of an answer that is a good one.
   *
   * @param from whom, for people
   */
  public static String good(int status, String body, String from) {
    if (status / 100 != 2) {
      String cure =
          status == 403
              ? "; grant get on services/proxy, or name --server or --ledger"
              : status == 401
                  ? "; a kubeconfig with a token is needed there"
                  : status == 404 || status == 503
                      ? "; is the daemon installed there? name --service, --server or --ledger"
                      : "";
      throw new Unavailable(
          "fallow",
          from + " answers with status " + status + ": " + StatusMessage.of(body) + cure,
          status >= 500);
    }
    return body;
  }

  /**
   * @param from whom, for people
   */
  public static ObjectTree parse(String body, String from) {
    return Json.read(body)
        .orElseThrow(() -> new Unavailable("fallow", from + " does not answer in JSON", false));
  }
}
