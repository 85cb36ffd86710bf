package dev.fallow.sim;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The fleet's exporters over HTTP, each at {@code /node/<name>/metrics}, on loopback only. They
 * show what is so at the clock's instant. One that is away answers 503.
 */
public final class SimExporters implements AutoCloseable {

  private final Map<String, SimNode> nodes = new HashMap<>();
  private final ExporterText text;
  private final InstantSource clock;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * @param port 0 for any that is free
   */
  public SimExporters(SimulatedFleet fleet, InstantSource clock, LabelForm form, int port) {
    fleet.nodes().forEach(node -> nodes.put(node.name(), node));
    this.text = new ExporterText(fleet, form);
    this.clock = clock;
    try {
      this.server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException failure) {
      throw new UncheckedIOException("the exporters cannot listen on port " + port, failure);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
  }

  public SimExporters start() {
    server.start();
    return this;
  }

  /** Where a node's exporter is to be scraped. */
  public URI address(SimNode node) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path(node.name()));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String[] parts = path.split("/", -1);
      SimNode node = parts.length == 4 ? nodes.get(parts[2]) : null;
      if (node == null || !path.equals(path(node.name()))) {
        reply(exchange, 404, "no such exporter\n");
      } else if (!exchange.getRequestMethod().equals("GET")) {
        reply(exchange, 405, "only GET\n");
      } else {
        String metrics = text.of(node, clock.millis());
        reply(exchange, metrics.isEmpty() ? 503 : 200, metrics);
      }
    }
  }

  private static String path(String node) {
    return "/node/" + node + "/metrics";
  }

  private static void reply(HttpExchange exchange, int code, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }
}
