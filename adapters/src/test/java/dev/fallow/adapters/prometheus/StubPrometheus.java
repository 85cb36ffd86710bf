package dev.fallow.adapters.prometheus;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A web server that gives whatever reply a test wants to a query, and remembers the queries. */
final class StubPrometheus implements AutoCloseable {

  /** Writes the rest of a reply, as badly as it likes. */
  interface Body {
    void write(OutputStream out) throws IOException;
  }

  /**
   * @param length what the header claims: 0 is chunked, -1 is none
   */
  record StubReply(int status, Map<String, String> headers, long length, Body body) {

    static StubReply json(String json) {
      return of(200, "application/json", json);
    }

    static StubReply of(int status, String contentType, String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return bytes(status, Map.of("Content-Type", contentType), bytes);
    }

    static StubReply bytes(int status, Map<String, String> headers, byte[] bytes) {
      return new StubReply(
          status, headers, bytes.length == 0 ? -1 : bytes.length, out -> out.write(bytes));
    }
  }

  /** One request as it came in. */
  record Asked(String method, String path, Map<String, String> headers, Map<String, String> form) {
    String query() {
      return form.get("query");
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  StubPrometheus(Function<Asked, StubReply> replies) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, replies));
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  List<Asked> asked() {
    return asked;
  }

  private void answer(HttpExchange exchange, Function<Asked, StubReply> replies)
      throws IOException {
    try (exchange) {
      Asked one = asked(exchange);
      asked.add(one);
      StubReply reply = replies.apply(one);
      reply.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(reply.status(), reply.length());
      if (reply.length() >= 0) {
        reply.body().write(exchange.getResponseBody());
      }
    }
  }

  private static Asked asked(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Map<String, String> form = new HashMap<>();
    for (String pair : body.isEmpty() ? new String[0] : body.split("&")) {
      String[] parts = pair.split("=", 2);
      form.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    Map<String, String> headers = new HashMap<>();
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
    return new Asked(
        exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers, form);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
