package dev.fallow.systemtests;

import com.sun.net.httpserver.HttpServer;
import dev.fallow.app.cases.LabelForm;
import dev.fallow.core.exposition.SeriesText;
import dev.fallow.rig.Rig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The exporter of one node: it shows the same figures whenever it is asked. */
final class TextExporter implements AutoCloseable {

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final StringBuilder text = new StringBuilder();

  TextExporter(InetAddress address) {
    try {
      server = HttpServer.create(new InetSocketAddress(address, 0), 0);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    server.setExecutor(threads);
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
          try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    server.start();
  }

  /** A card of a pod, at this share of its engine. */
  TextExporter shows(String node, int card, String namespace, String pod, double engine) {
    Map<String, String> labels =
        new LinkedHashMap<>(LabelForm.HONOURED.labels(node, card, namespace, pod, ""));
    labels.remove("job");
    labels.remove("instance");
    text.append(new SeriesText("DCGM_FI_PROF_GR_ENGINE_ACTIVE", labels))
        .append(' ')
        .append(engine)
        .append('\n');
    text.append(new SeriesText("DCGM_FI_DEV_GPU_UTIL", labels))
        .append(' ')
        .append(engine * 100)
        .append('\n');
    return this;
  }

  /** An address of this machine that an EndpointSlice may hold, if it has one: no loopback. */
  static Optional<InetAddress> outerAddress() throws SocketException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> address instanceof Inet4Address)
        .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
        .findFirst();
  }

  /** An EndpointSlice of the GPU operator's leads here, for this pod on this node. */
  void foundIn(Rig rig, String pod, String node) {
    rig.admin()
        .post(
            "/apis/discovery.k8s.io/v1/namespaces/gpu-operator/endpointslices",
            """
            {"metadata":{"name":"%1$s","labels":{"kubernetes.io/service-name":"nvidia-dcgm-exporter"}},
             "addressType":"IPv4","ports":[{"name":"gpu-metrics","port":%2$d,"protocol":"TCP"}],
             "endpoints":[{"addresses":["%3$s"],"nodeName":"%4$s","conditions":{"ready":true},
               "targetRef":{"kind":"Pod","name":"%1$s","namespace":"gpu-operator"}}]}
            """
                .formatted(pod, port(), url().getHost(), node))
        .orThrow();
  }

  int port() {
    return server.getAddress().getPort();
  }

  URI url() {
    return URI.create(
        "http://" + server.getAddress().getAddress().getHostAddress() + ":" + port() + "/metrics");
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
