package dev.fallow.rig.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In front of a server without TLS that writes down what it is asked. */
class FaultProxyTest {
  private static final String TEXT = "0123456789".repeat(1_000);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final List<String> served = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> streamMayEnd = new CompletableFuture<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient http = HttpClient.newHttpClient();
  private HttpServer server;
  private FaultProxy proxy;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
    proxy = FaultProxy.inFrontOf(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
  }

  @AfterEach
  void stop() {
    streamMayEnd.complete(null);
    http.shutdownNow();
    proxy.close();
    server.stop(0);
    threads.shutdownNow();
  }

  private void serve(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String path = exchange.getRequestURI().toString();
    served.add(exchange.getRequestMethod() + " " + path + " " + body);
    if (path.startsWith("/stream")) {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write("first\n".getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
      streamMayEnd.join();
      exchange.getResponseBody().write("second\n".getBytes(StandardCharsets.UTF_8));
    } else {
      byte[] answer = TEXT.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, path.startsWith("/chunked") ? 0 : answer.length);
      exchange.getResponseBody().write(answer);
    }
    exchange.close();
  }

  @Test
  void withoutFaultsEverythingPassesUnchanged() throws Exception {
    for (String path : List.of("/a?b=c", "/chunked", "/a")) {
      HttpResponse<String> answer = send("POST", path, "hello");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo(TEXT);
    }
    assertThat(served).containsExactly("POST /a?b=c hello", "POST /chunked hello", "POST /a hello");
  }

  @Test
  void anAnswerOfTheProxyNeverReachesTheServer() throws Exception {
    ActiveFault fault =
        proxy.start(new ProxyFault.Answer(409), Scope.of("PATCH", "^/apis/apps/.*/deployments/"));

    assertThat(send("GET", "/apis/apps/v1/deployments/x", "").statusCode()).isEqualTo(200);
    assertThat(send("PATCH", "/apis/apps/v1/statefulsets/x", "").statusCode()).isEqualTo(200);
    HttpResponse<String> refused = send("PATCH", "/apis/apps/v1/deployments/x", "{}");

    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(refused.body()).contains("\"reason\":\"Conflict\"");
    assertThat(served).hasSize(2);
    assertThat(fault.effects()).isEqualTo(1);
    fault.heal();
    assertThat(send("PATCH", "/apis/apps/v1/deployments/x", "").statusCode()).isEqualTo(200);
  }

  @Test
  void tooManyRequestsSaysWhenToComeBack() throws Exception {
    proxy.start(new ProxyFault.Answer(429), Scope.everything());
    assertThat(send("GET", "/", "").headers().firstValue("Retry-After")).contains("1");
  }

  @Test
  void aShareHitsTheSameRequestsForTheSameSeed() throws Exception {
    List<Integer> once = statusesWith(Scope.of("GET", "/").share(0.3, 7));
    List<Integer> again = statusesWith(Scope.of("GET", "/").share(0.3, 7));

    assertThat(once).isEqualTo(again).contains(200, 503);
    assertThat(once.stream().filter(status -> status == 503).count()).isBetween(5L, 30L);
  }

  private List<Integer> statusesWith(Scope scope) throws Exception {
    try (ActiveFault fault = proxy.start(new ProxyFault.Answer(503), scope)) {
      List<Integer> statuses = new CopyOnWriteArrayList<>();
      for (int i : IntStream.range(0, 50).toArray()) {
        statuses.add(send("GET", "/" + i, "").statusCode());
      }
      assertThat(fault.effects()).isEqualTo(statuses.stream().filter(s -> s == 503).count());
      return statuses;
    }
  }

  @Test
  void aLimitEndsTheFaultByItself() throws Exception {
    ActiveFault fault = proxy.start(new ProxyFault.Answer(500), Scope.of("", "").first(2));
    assertThat(List.of(status(), status(), status(), status())).containsExactly(500, 500, 200, 200);
    assertThat(fault.effects()).isEqualTo(2);
  }

  @Test
  void aLostReplyWasApplied() {
    ActiveFault fault = proxy.start(new ProxyFault.LoseReply(), Scope.of("PATCH", "/x"));

    assertThatThrownBy(() -> send("PATCH", "/x", "{}")).isInstanceOf(IOException.class);

    assertThat(served).containsExactly("PATCH /x {}");
    assertThat(fault.effects()).isEqualTo(1);
  }

  @Test
  void whatIsRefusedIsNotApplied() throws Exception {
    assertThat(status()).isEqualTo(200);
    ActiveFault fault = proxy.start(new ProxyFault.Refuse(), Scope.everything());

    assertThatThrownBy(() -> send("PATCH", "/x", "{}")).isInstanceOf(IOException.class);

    assertThat(served).hasSize(1);
    assertThat(fault.effects()).isPositive();
    fault.heal();
    assertThat(status()).isEqualTo(200);
  }

  @Test
  void aBlackHoleSwallowsRequestsForGood() throws Exception {
    ActiveFault fault = proxy.start(new ProxyFault.BlackHole(), Scope.of("GET", "/x"));

    assertThatThrownBy(() -> send("GET", "/x", "", Duration.ofMillis(300)))
        .isInstanceOf(HttpTimeoutException.class);
    assertThat(send("GET", "/y", "").statusCode()).isEqualTo(200);
    fault.heal();

    assertThat(send("GET", "/x", "").statusCode()).isEqualTo(200);
    assertThat(served).hasSize(2);
    assertThat(fault.effects()).isEqualTo(1);
  }

  @Test
  void aBlackHoleForEverythingSwallowsNewConnectionsAndOpenStreams() throws Exception {
    InputStream stream = stream();
    assertThat(stream.readNBytes(6)).asString(StandardCharsets.UTF_8).isEqualTo("first\n");
    ActiveFault fault = proxy.start(new ProxyFault.BlackHole(), Scope.everything());
    streamMayEnd.complete(null);
    await().atMost(LIMIT).until(() -> fault.effects() == 1);

    try (HttpClient fresh = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(proxy.url()).timeout(Duration.ofMillis(300)).build();
      assertThatThrownBy(() -> fresh.send(request, HttpResponse.BodyHandlers.ofString()))
          .isInstanceOf(IOException.class);
    }

    assertThat(fault.effects()).isEqualTo(2);
    fault.heal();
    assertThatThrownBy(stream::readAllBytes).isInstanceOf(IOException.class);
    assertThat(status()).isEqualTo(200);
  }

  @Test
  void aDelayedRequestArrivesAfterItsClientHasGone() throws Exception {
    ActiveFault fault =
        proxy.start(new ProxyFault.Delay(Duration.ofMinutes(5)), Scope.of("PATCH", "/x"));

    assertThatThrownBy(() -> send("PATCH", "/x", "{}", Duration.ofMillis(300)))
        .isInstanceOf(HttpTimeoutException.class);
    assertThat(served).isEmpty();
    fault.heal();

    await().atMost(LIMIT).until(() -> served.equals(List.of("PATCH /x {}")));
  }

  @Test
  void aDelayEndsByItself() throws Exception {
    proxy.start(new ProxyFault.Delay(Duration.ofMillis(200)), Scope.everything());
    long began = System.nanoTime();
    assertThat(status()).isEqualTo(200);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(199));
  }

  @Test
  void aResetWithinTheBodyIsNoAnswer() throws Exception {
    ActiveFault fault = proxy.start(new ProxyFault.ResetMidBody(100), Scope.everything());
    for (String path : List.of("/", "/chunked")) {
      assertThatThrownBy(() -> send("GET", path, "")).isInstanceOf(IOException.class);
    }
    assertThat(fault.effects()).isEqualTo(2);
    assertThat(served).hasSize(2);
  }

  @Test
  void aTruncatedAnswerLooksWhole() throws Exception {
    ActiveFault fault = proxy.start(new ProxyFault.Truncate(100), Scope.of("", "/"));
    for (String path : List.of("/", "/chunked")) {
      HttpResponse<String> answer = send("GET", path, "");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo(TEXT.substring(0, 100));
    }
    fault.heal();
    proxy.start(new ProxyFault.Truncate(1_000_000), Scope.everything());
    assertThat(send("GET", "/", "").body()).isEqualTo(TEXT.substring(0, TEXT.length() / 2));
  }

  @Test
  void garbageIsTheSameForTheSameSeed() throws Exception {
    byte[] once = garbage(1);
    assertThat(once).hasSize(64).isEqualTo(garbage(1)).isNotEqualTo(garbage(2));
    assertThat(served).isEmpty();
  }

  private byte[] garbage(long seed) throws Exception {
    try (ActiveFault fault = proxy.start(new ProxyFault.Garbage(seed, 64), Scope.everything())) {
      HttpRequest request = HttpRequest.newBuilder(proxy.url()).build();
      byte[] body = http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
      assertThat(fault.effects()).isEqualTo(1);
      return body;
    }
  }

  @Test
  void streamsArriveAsTheyAreSentAndConnectionsAreUsedAgain() throws Exception {
    InputStream stream = stream();
    assertThat(stream.readNBytes(6)).asString(StandardCharsets.UTF_8).isEqualTo("first\n");
    streamMayEnd.complete(null);
    assertThat(stream.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("second\n");
    assertThat(send("GET", "/after", "").body()).isEqualTo(TEXT);
  }

  @Test
  void aServerThatIsGoneIsAResetAndOneThatIsBackIsFound() throws Exception {
    assertThat(status()).isEqualTo(200);
    InetSocketAddress address = server.getAddress();
    server.stop(0);
    assertThatThrownBy(this::status).isInstanceOf(IOException.class);

    server = HttpServer.create(address, 100);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();

    assertThat(status()).isEqualTo(200);
  }

  @Test
  void nonsenseEndsTheConnectionAndNothingElse() throws Exception {
    try (Socket socket = new Socket(proxy.url().getHost(), proxy.url().getPort())) {
      socket.getOutputStream().write("\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      assertThatThrownBy(
              () -> {
                if (socket.getInputStream().read() < 0) {
                  throw new IOException("the end");
                }
              })
          .isInstanceOf(IOException.class);
    }
    assertThat(status()).isEqualTo(200);
  }

  private InputStream stream() throws Exception {
    HttpRequest request = HttpRequest.newBuilder(proxy.url().resolve("/stream")).build();
    return http.send(request, HttpResponse.BodyHandlers.ofInputStream()).body();
  }

  private int status() throws Exception {
    return send("GET", "/", "").statusCode();
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    return send(method, path, body, LIMIT);
  }

  private HttpResponse<String> send(String method, String path, String body, Duration limit)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(proxy.url().resolve(path))
            .timeout(limit)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
