package dev.fallow.adapters.notify;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** A web server that gives whatever reply a test wants, and remembers what it was asked. */
final class StubSite implements AutoCloseable {

  /** Writes the body, as badly as it likes. */
  interface Body {
    void write(OutputStream out) throws IOException;
  }

  /**
   * @param length what the header claims: 0 is chunked, -1 is none
   */
  record Reply(int status, Map<String, String> headers, long length, Body body) {

    static Reply of(int status, String text) {
      return of(status, Map.of(), text);
    }

    static Reply of(int status, Map<String, String> headers, String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return new Reply(
          status, headers, bytes.length == 0 ? -1 : bytes.length, out -> out.write(bytes));
    }
  }

  /** One request as it came in; header names in small letters. */
  record Asked(String method, String path, Map<String, String> headers, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  StubSite(Function<Asked, Reply> replies) {
    this.server = created(() -> HttpServer.create(loopback(), 0));
    start(replies);
  }

  StubSite(SSLContext tls, Function<Asked, Reply> replies) {
    HttpsServer https = created(() -> HttpsServer.create(loopback(), 0));
    https.setHttpsConfigurator(new HttpsConfigurator(tls));
    this.server = https;
    start(replies);
  }

  private interface Creation<T> {
    T create() throws IOException;
  }

  private static <T> T created(Creation<T> creation) {
    try {
      return creation.create();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private void start(Function<Asked, Reply> replies) {
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, replies));
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + port();
  }

  int port() {
    return server.getAddress().getPort();
  }

  List<Asked> asked() {
    return asked;
  }

  private void answer(HttpExchange exchange, Function<Asked, Reply> replies) throws IOException {
    try (exchange) {
      Map<String, String> headers = new HashMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
      Asked one =
          new Asked(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              headers,
              exchange.getRequestBody().readAllBytes());
      asked.add(one);
      Reply reply = replies.apply(one);
      reply.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(reply.status(), reply.length());
      if (reply.length() >= 0) {
        reply.body().write(exchange.getResponseBody());
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
