package dev.fallow.systemtests.faults;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Shows what is true of the fleet's GPUs, unless it is told to lie about those that work. */
final class TruthExporter implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger lies = new AtomicInteger();
  private volatile Function<String, Optional<String>> lie = Optional::of;

  TruthExporter(Fleet fleet) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] body =
              fleet
                  .exposition(truth -> {
                    Optional<String> shown = lie.apply(truth);
                    if (!shown.equals(Optional.of(truth))) {
                      lies.incrementAndGet();
                    }
                    return shown;
                  })
                  .getBytes(StandardCharsets.UTF_8);
          try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    server.start();
  }

  String target() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /** From now on this is shown of GPUs that work; nothing hides them. */
  void lie(Function<String, Optional<String>> about) {
    lies.set(0);
    lie = about;
  }

  void tellTheTruth() {
    lie = Optional::of;
  }

  /** How many wrong samples were shown, or right ones hidden, since the last lie began. */
  int lies() {
    return lies.get();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
