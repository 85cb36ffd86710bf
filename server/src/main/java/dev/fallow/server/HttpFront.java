package dev.fallow.server;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsServer;
import dev.fallow.core.Unavailable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's HTTP server with one handler behind it, a virtual thread to a request. A handler's
 * failure is an answer, never the end of the server.
 */
public final class HttpFront {

  static {
    HttpLimits.apply();
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final InFlight inFlight = new InFlight();
  private final BodyReader bodies = new BodyReader();
  private final SendLimit limit;
  private final Handler handler;
  private final Consumer<Throwable> defects;

  private HttpFront(
      HttpServer server, SendLimit limit, Handler handler, Consumer<Throwable> defects) {
    this.server = server;
    this.limit = limit;
    this.handler = handler;
    this.defects = defects;
  }

  /**
   * @param port 0 for any that is free
   * @param handler usually a {@link Router}
   * @param defects told of what a handler should not have thrown
   * @throws Unavailable if nothing can be served there, as where somebody else already does
   */
  public static HttpFront start(
      String host, int port, Handler handler, Consumer<Throwable> defects) {
    return start(host, port, HttpLimits.SENDING, handler, defects);
  }

  /**
   * @param sending within which every answer has to be taken
   */
  static HttpFront start(
      String host, int port, Duration sending, Handler handler, Consumer<Throwable> defects) {
    return start(
        host,
        port,
        address -> HttpServer.create(address, 0),
        List.of(new RateFilter(), new EdgeFilter()),
        new SendLimit(sending),
        handler,
        defects);
  }

  /**
   * The same over TLS.
   *
   * @param keys may get their first certificate later; until then every handshake fails
   */
  public static HttpFront start(
      String host, int port, ServingKeys keys, Handler handler, Consumer<Throwable> defects) {
    return start(
        host,
        port,
        address -> secure(address, keys),
        List.of(new RateFilter(), new EdgeFilter()),
        new SendLimit(HttpLimits.SENDING),
        handler,
        defects);
  }

  /**
   * The same, for the API server: nobody is turned away for asking often, since behind its one
   * address are all its clients.
   *
   * @param keys may get their first certificate later; until then every handshake fails
   */
  public static HttpFront startSecure(
      String host, int port, ServingKeys keys, Handler handler, Consumer<Throwable> defects) {
    return start(
        host,
        port,
        address -> secure(address, keys),
        List.of(new EdgeFilter()),
        new SendLimit(HttpLimits.SENDING),
        handler,
        defects);
  }

  private static HttpServer secure(InetSocketAddress address, ServingKeys keys) throws IOException {
    HttpsServer server = HttpsServer.create(address, 0);
    server.setHttpsConfigurator(keys.configurator());
    return server;
  }

  /** Takes hold of an address. */
  @FunctionalInterface
  private interface Opening {
    HttpServer open(InetSocketAddress address) throws IOException;
  }

  private static HttpFront start(
      String host,
      int port,
      Opening opening,
      List<Filter> filters,
      SendLimit limit,
      Handler handler,
      Consumer<Throwable> defects) {
    HttpServer server;
    try {
      InetSocketAddress address = new InetSocketAddress(host, port);
      if (address.isUnresolved()) {
        throw new IOException("no such host");
      }
      server = opening.open(address);
    } catch (IOException failure) {
      throw new Unavailable(
          "http", "cannot serve on " + host + ":" + port + ": " + failure.getMessage(), false);
    }
    HttpFront front = new HttpFront(server, limit, handler, defects);
    HttpContext everything = server.createContext("/", front::handle);
    everything.getFilters().addAll(filters);
    server.setExecutor(front.threads);
    server.start();
    return front;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /**
   * Ends it: what comes now is turned away, what runs may finish for a while, then every connection
   * is cut. Answers whether everything that ran could finish.
   */
  public boolean stop(Duration patience) {
    boolean finished = inFlight.drain(patience);
    server.stop(0);
    threads.shutdownNow();
    return finished;
  }

  private void handle(HttpExchange exchange) throws IOException {
    if (!inFlight.enter()) {
      Wire.sendLast(exchange, Problem.stopping().reply().with("Retry-After", "1"));
      return;
    }
    @Nullable Reply reply = null;
    try (BodyReader.Lease lease = bodies.lease()) {
      Request request;
      try {
        request = read(exchange, lease);
      } catch (Rejected rejected) {
        Wire.sendLast(exchange, rejected.problem().reply());
        return;
      }
      reply = answer(request);
      if (reply.stream().isEmpty()) {
        Reply whole = reply;
        limit.send(() -> Wire.send(exchange, whole));
        return;
      }
    } finally {
      if (reply != null) {
        reply.afterwards().run();
      }
      if (reply == null || reply.stream().isEmpty()) {
        exchange.close();
      }
      inFlight.leave();
    }
    // Not in flight: nobody waits for the end of what has none.
    try (exchange) {
      Wire.stream(exchange, reply, reply.stream().get());
    }
  }

  private static Request read(HttpExchange exchange, BodyReader.Lease lease) throws IOException {
    String method = exchange.getRequestMethod();
    boolean bodiless = method.equals("GET") || method.equals("HEAD");
    Map<String, List<String>> headers = HeaderText.of(exchange.getRequestHeaders());
    String length = headers.getOrDefault("Content-length", List.of("-1")).getFirst();
    byte[] body =
        bodiless ? new byte[0] : lease.read(exchange.getRequestBody(), Long.parseLong(length));
    return Request.of(method, exchange.getRequestURI(), headers, peer(exchange), body);
  }

  private static List<X509Certificate> peer(HttpExchange exchange) {
    if (!(exchange instanceof HttpsExchange secure)) {
      return List.of();
    }
    try {
      return Arrays.stream(secure.getSSLSession().getPeerCertificates())
          .filter(X509Certificate.class::isInstance)
          .map(X509Certificate.class::cast)
          .toList();
    } catch (SSLPeerUnverifiedException nothingShown) {
      return List.of();
    }
  }

  private Reply answer(Request request) {
    try {
      return handler.answer(request);
    } catch (Rejected rejected) {
      return rejected.problem().reply();
    } catch (Unavailable outside) {
      String detail = String.valueOf(outside.getMessage());
      return new Problem(503, "UNAVAILABLE", detail).reply();
    } catch (RuntimeException | StackOverflowError defect) {
      defects.accept(defect);
      return Problem.defect().reply();
    }
  }
}
