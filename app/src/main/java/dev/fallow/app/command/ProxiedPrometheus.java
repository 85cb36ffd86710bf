package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.ApiServerProxy;
import dev.fallow.adapters.kubernetes.ProxyReply;
import dev.fallow.adapters.prometheus.PrometheusTransport;

/** A Prometheus inside the cluster, reached through the API server. */
record ProxiedPrometheus(ApiServerProxy proxy, String name) implements PrometheusTransport {

  @Override
  public String address() {
    return name + " through the API server";
  }

  @Override
  public Reply post(String path, String form) {
    ProxyReply reply = proxy.post(path, form);
    return new Reply(reply.status(), reply.contentType(), reply.body());
  }

  @Override
  public Reply get(String path) {
    ProxyReply reply = proxy.get(path);
    return new Reply(reply.status(), reply.contentType(), reply.body());
  }

  @Override
  public void close() {
    // The connection to the API server is somebody else's to close.
  }
}
