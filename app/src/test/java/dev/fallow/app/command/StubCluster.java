package dev.fallow.app.command;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What answers like an API server that knows a few paths, and allows everything that it was not
 * told to forbid. Lists that nobody has filled are empty; single objects are not there.
 */
final class StubCluster implements AutoCloseable {

  private final HttpServer server;
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
  private final Set<String> forbidden = ConcurrentHashMap.newKeySet();

  StubCluster() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            String asked =
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String path = exchange.getRequestURI().getPath();
            int usual = path.contains("/apiservices/") ? 404 : 200;
            byte[] body = answer(path, asked).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type(path));
            exchange.sendResponseHeaders(statuses.getOrDefault(path, usual), body.length);
            exchange.getResponseBody().write(body);
          }
        });
    server.start();
  }

  private String answer(String path, String asked) {
    boolean allowed = forbidden.stream().noneMatch(asked::contains);
    String byDefault =
        path.endsWith("/selfsubjectaccessreviews")
            ? "{\"status\":{\"allowed\":" + allowed + "}}"
            : "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}";
    return answers.getOrDefault(path, byDefault);
  }

  private static String type(String path) {
    return path.endsWith("/metrics") ? "text/plain; version=0.0.4" : "application/json";
  }

  StubCluster answers(String path, String body) {
    answers.put(path, body);
    return this;
  }

  /** Resources that the account may do nothing with. */
  StubCluster forbids(String... resources) {
    for (String resource : resources) {
      forbidden.add("\"resource\":\"" + resource + "\"");
    }
    return this;
  }

  StubCluster answers(String path, int status) {
    statuses.put(path, status);
    return this;
  }

  /** {@code http://127.0.0.1:12345}. */
  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  Path kubeconfig(Path folder) {
    try {
      return Files.writeString(
          folder.resolve("config"),
          """
          apiVersion: v1
          kind: Config
          clusters: [{name: c, cluster: {server: "%s"}}]
          users: [{name: u, user: {}}]
          contexts: [{name: c, context: {cluster: c, user: u}}]
          current-context: c
          """
              .formatted(address()));
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
