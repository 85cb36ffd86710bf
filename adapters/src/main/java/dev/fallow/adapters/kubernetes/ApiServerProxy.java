package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

/**
 * Reaches a Service through the API server, with the API server's credentials: the way from a
 * laptop to a Prometheus that only the cluster can see.
 */
public final class ApiServerProxy {

  private static final String FORM = "application/x-www-form-urlencoded";

  private final ApiServer api;
  private final PrometheusService service;

  public ApiServerProxy(KubernetesConnection connection, PrometheusService service) {
    this.api = connection.api();
    this.service = service;
  }

  /**
   * @param path below the service's root, with the query
   * @throws Unavailable when the API server does not pass the question on
   */
  public ProxyReply get(String path) {
    return passedOn(api.get(service.proxyPath(path), ApiServer.JSON));
  }

  /**
   * @param path below the service's root
   * @throws Unavailable when the API server does not pass the question on
   */
  public ProxyReply post(String path, String form) {
    return passedOn(api.post(service.proxyPath(path), ApiServer.JSON, FORM, form));
  }

  /** A refusal of the API server itself is told from one of the service by its form. */
  private ProxyReply passedOn(ApiReply reply) {
    if (reply.ok()) {
      return new ProxyReply(reply.status(), reply.contentType(), reply.body());
    }
    try (reply) {
      String text = reply.text();
      if (text.contains("\"kind\":\"Status\"") || text.contains("\"kind\": \"Status\"")) {
        String said = StatusMessage.of(text);
        throw new Unavailable(
            "prometheus",
            "the API server does not reach "
                + service
                + ": "
                + said
                + (reply.status() == 403
                    ? "; grant get and create on services/proxy, or name Prometheus' address"
                    : "; name Prometheus' address, or try again"),
            reply.status() >= 500);
      }
      return new ProxyReply(
          reply.status(),
          reply.contentType(),
          new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
  }
}
