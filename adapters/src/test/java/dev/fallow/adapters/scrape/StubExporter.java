package dev.fallow.adapters.scrape;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An exporter on the loopback that answers as it is told. */
final class StubExporter implements AutoCloseable {

  /** Answers one request. */
  interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile Answer answer = text("");

  StubExporter() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          try (exchange) {
            answer.to(exchange);
          }
        });
    server.start();
  }

  static Answer text(String body) {
    return reply(200, TEXT, body.getBytes(StandardCharsets.UTF_8));
  }

  static Answer reply(int status, String type, byte[] body) {
    return exchange -> {
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    };
  }

  StubExporter answers(String body) {
    return answers(text(body));
  }

  StubExporter answers(Answer next) {
    answer = next;
    return this;
  }

  int asked() {
    return asked.get();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/metrics");
  }

  ScrapeTarget byHand() {
    return ScrapeTarget.byHand(url());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
